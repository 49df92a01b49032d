/** `reverie import`: bring memories in from elsewhere. */

import { hasAgentMark } from '../../base/agent-mark.ts';
import { OWN_SCOPES } from '../../base/taxonomy.ts';
import { ReverieError } from '../../errors.ts';
import { attachFolder, detachFolder } from '../../memory/transfer/attach.ts';
import { type ImportResult, importMemories } from '../../memory/transfer/import-memories.ts';
import { IMPORT_SOURCE_NAMES } from '../../memory/transfer/import-sources.ts';
import { type Answer, defineCommand, type Place } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { placeOptions } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { startProgress } from '../terminal/progress.ts';

export const command = defineCommand({
  arguments: [
    {
      name: 'SOURCE',
      required: false,
      help: `A program (${IMPORT_SOURCE_NAMES.join(', ')}), a directory of memories, or a file that \`reverie export\` wrote`,
    },
    {
      name: 'PATH',
      required: false,
      help: "Where that program's memories are: chatgpt and mem0 need it, the others have a usual place",
    },
  ],
  about: 'Names are kept, each memory records where it came from, and nothing changes at the source.',
  options: {
    scope: { kind: 'text', value: 'SCOPE', choices: OWN_SCOPES, help: 'Where to keep them' },
    'dry-run': { kind: 'flag', help: 'Show what would happen; change nothing' },
    attach: { kind: 'flag', help: 'Use that directory in place as this project’s memory' },
    detach: { kind: 'flag', help: 'Stop using the attached directory' },
  },
  examples: [
    'reverie import claude-code --dry-run',
    'reverie import claude-code --attach',
    'reverie import cursor',
    'reverie import chatgpt ~/Downloads/chatgpt-export',
    'reverie import ~/notes/memory',
    'reverie import reverie-2025-11-15.export',
  ],
  // A folder that is used in place speaks for itself, with whatever its files say they are.
  isForPeople: ({ options }) => options.attach === true || options.detach === true,
  async run({ arguments: [source, path], options, place, environment, terminal }): Promise<Answer> {
    const { paint } = terminal;
    const { attach, detach, scope, 'dry-run': isDry } = options;
    const where = placeOptions(place, environment);
    if (detach) {
      if (source !== undefined || attach || isDry || scope) throw usageError('--detach stands alone.', 'import');
      const result = await detachFolder(where);
      const text =
        result.detached === null
          ? 'No directory was attached.'
          : `${paint.green('Detached')} ${plainLine(result.detached)}; it stays as it is.`;
      return { data: result, text };
    }
    if (source === undefined) throw usageError('SOURCE is missing.', 'import');
    if (attach) {
      if (path !== undefined) throw usageError('--attach takes one directory.', 'import');
      if (isDry || scope)
        throw usageError(`--attach cannot be used with ${isDry ? '--dry-run' : '--scope'}.`, 'import');
      const result = await attachFolder({ ...where, source });
      const back = paint.dim(`To take that back: ${nextCommand(place, ['import', '--detach'])}`);
      return {
        data: result,
        text: `${paint.green('Attached')} ${plainLine(result.folder)}; it is used in place.\n${back}`,
      };
    }
    const progress = startProgress(terminal, 'Importing');
    let isOver = false;
    // Reached only when a write took longer than an interrupted command may.
    terminal.atEnd(() => {
      if (!isOver) terminal.throwIfInterrupted('Interrupted; `reverie memory log` says what was imported.');
    });
    try {
      const result = await importMemories({
        ...where,
        source,
        dryRun: isDry,
        byAgent: hasAgentMark(environment),
        onProgress(done, total) {
          // Nothing is written before every file has been checked.
          terminal.throwIfInterrupted('Interrupted; nothing was imported.');
          progress.report(done, total);
        },
        ...(path === undefined ? {} : { path }),
        ...(scope ? { scope } : {}),
      });
      const done = [result.imported, result.logs, result.unchanged].flat().length;
      if (done === 0 && result.problems.length === 0) throw nothingThere(result);
      return {
        data: result,
        text: importText(result, { paint, place, isDry }),
        ...(done === 0 ? { exitCode: 1 } : {}),
      };
    } finally {
      isOver = true;
      progress.end();
    }
  },
});

function nothingThere({ source }: ImportResult): ReverieError {
  return new ReverieError({
    code: 'not-found',
    message: `There is no memory in ${source}`,
    fix: 'A memory is a markdown file (.md). A file that `reverie export` wrote is imported by its own path: reverie import FILE',
  });
}

function importText(result: ImportResult, context: { paint: Paint; place: Place; isDry: boolean }): string {
  const { paint, place, isDry } = context;
  const count = (amount: number) => `${amount} ${amount === 1 ? 'memory' : 'memories'}`;
  const verb = isDry ? 'Would import' : 'Imported';
  return [
    `${paint.green(verb)} ${count(result.imported.length)} from ${plainLine(result.source)}`,
    ...result.imported.map(({ file, scope }) => `  ${plainLine(file)} (${scope})`),
    ...result.logs.map(({ file, scope }) => `  ${plainLine(file)} (${scope}, a daily log)`),
    ...(result.unchanged.length === 0 ? [] : [`${count(result.unchanged.length)} already here, unchanged`]),
    ...result.problems.map(({ file, line, problem, fix }) => {
      const where = line === undefined ? plainLine(file) : `${plainLine(file)}:${line}`;
      return `${paint.yellow('warning:')} ${where}: ${plainLine(problem)}\n  ${plainLine(fix)}`;
    }),
    ...result.changes.map((change) => paint.dim(`To undo it: ${nextCommand(place, ['memory', 'undo', change])}`)),
  ].join('\n');
}
