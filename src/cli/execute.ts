/** Runs one command line against the table and prints its answer; everything but the process itself. */

import { ReverieError } from '../errors.ts';
import type { Memory } from '../session/memory.ts';
import { parseOptions, routeCommand } from './arguments.ts';
import type { Answer, CommandRow, GLOBAL_OPTIONS, Invocation, Place } from './command.ts';
import { inWords } from './nearest.ts';
import { plainJson, plainLine, plainText } from './plain-text.ts';
import type { Terminal } from './terminal.ts';
import { usageError } from './usage.ts';

export interface Surroundings {
  readonly rows: readonly CommandRow[];
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  openMemory(place: Place): Promise<Memory>;
}

/** The command that a bare `reverie` stands for. */
const WITHOUT_WORDS = 'tour';

/** Exit code: 0 done, 1 failed, 2 not understood. */
export async function execute(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  // Read before the line is parsed, so that a line that cannot be parsed is refused in the form it asked for.
  const isJson = argv.includes('--json');
  try {
    const answer = await answerLine(argv, surroundings);
    if (isJson) terminal.write(`${plainJson(answer.data)}\n`);
    else if (answer.exact !== undefined && !terminal.isTerminal) terminal.writeExact(answer.exact);
    else if (answer.text !== '') terminal.write(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
    return answer.exitCode ?? 0;
  } catch (error) {
    return reportError(error, { ...surroundings, isJson });
  }
}

async function answerLine(argv: readonly string[], surroundings: Surroundings): Promise<Answer> {
  const { rows, terminal } = surroundings;
  const route = routeCommand(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, rows);
  if (route.kind === 'group') {
    const { options } = parseOptions(route.rest, { arguments: [], options: {} }, route.words.join(' '));
    if (options.version) return versionAnswer();
    if (options.help)
      return helpAnswer(async (help) => {
        return route.words.length === 0
          ? help.overviewHelp(rows, terminal.paint)
          : help.groupHelp(route.words, rows, terminal.paint);
      });
    if (route.words.length > 0) throw missingCommand(route.words, rows);
  }
  const row = route.kind === 'command' ? route.row : rows.find(({ name }) => name === WITHOUT_WORDS)!;
  const { command } = await row.load();
  const line = parseOptions(route.rest, command, row.name);
  if (line.options.help) return helpAnswer(async (help) => help.commandHelp(row, command, terminal.paint));
  if (line.options.version) return versionAnswer();

  const opened: Memory[] = [];
  const place = placeOf(line.options);
  const invocation: Invocation = {
    ...line,
    place,
    terminal,
    environment: surroundings.environment,
    now: surroundings.now,
    async openMemory() {
      opened[0] ??= await surroundings.openMemory(place);
      return opened[0];
    },
  };
  try {
    return await command.run(invocation);
  } finally {
    await opened[0]?.close();
    for (const problem of opened[0]?.problems() ?? [])
      terminal.writeError(`${terminal.paint.yellow('warning:')} ${plainLine(problem)}\n`);
  }
}

function placeOf(options: Readonly<Record<string, unknown>>): Place {
  const text = (name: keyof typeof GLOBAL_OPTIONS) => {
    const value = options[name];
    if (value === '') throw usageError(`--${name} is empty.`, '');
    return typeof value === 'string' ? { [name]: value } : {};
  };
  return { ...text('directory'), ...text('cwd'), ...text('home'), ...text('settings'), bare: options.bare === true };
}

async function helpAnswer(write: (help: typeof import('./help.ts')) => Promise<string>): Promise<Answer> {
  const text = await write(await import('./help.ts'));
  return { data: { help: text }, text };
}

async function versionAnswer(): Promise<Answer> {
  const { readFileSync } = await import('node:fs');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return { data: { version }, text: version };
}

function missingCommand(words: readonly string[], rows: readonly CommandRow[]): Error {
  const group = words.join(' ');
  const inside = rows
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name }) => name.slice(group.length + 1));
  return usageError(`reverie ${group} needs a command: ${inWords(inside, 'or')}.`, group);
}

function reportError(
  error: unknown,
  context: Pick<Surroundings, 'terminal' | 'environment'> & { isJson: boolean },
): number {
  const { terminal, environment, isJson } = context;
  const isExpected = error instanceof ReverieError;
  const message = error instanceof Error ? error.message : String(error);
  const code = isExpected ? error.code : 'unexpected';
  const fix = isExpected ? error.fix : 'This is a defect; REVERIE_DEBUG=1 shows where.';
  if (isJson) terminal.writeError(`${plainJson({ error: { code, message, fix } })}\n`);
  else
    terminal.writeError(
      `${terminal.paint.red('reverie:')} ${plainText(message)}\n${fix === '' ? '' : `${plainText(fix)}\n`}`,
    );
  if (!isExpected && environment.REVERIE_DEBUG === '1' && error instanceof Error)
    terminal.writeError(`${error.stack}\n`);
  return code === 'usage' ? 2 : 1;
}
