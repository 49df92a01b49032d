/** `reverie memory edit`: change a memory by flags, or in the user's editor. */

import { hasAgentMark } from '../../../base/agent-mark.ts';
import { MEMORY_SOURCES, MEMORY_TYPES } from '../../../base/taxonomy.ts';
import { factsOf } from '../../../memory/files/header.ts';
import { parseMemoryFile } from '../../../memory/files/memory-file.ts';
import { FILE_HELP, findMemory, parseReference } from '../../../memory/find-memory.ts';
import type { Memory, MemoryChanges, MemoryEntry } from '../../../memory/memory.ts';
import { BODY_OPTION, readBody, requireBody } from '../../body-input.ts';
import { defineCommand } from '../../command.ts';
import { changeText } from '../../memory-text.ts';
import { usageError } from '../../options/usage.ts';
import { editInEditor } from '../../terminal/edit-in-editor.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE', required: true, help: FILE_HELP }],
  about:
    'Without flags it opens the file in $VISUAL or $EDITOR. An agent can change --name, --description, --type and --body, through the gate.',
  options: {
    name: { kind: 'text', value: 'NAME', help: 'New title; the file keeps its name' },
    description: { kind: 'text', value: 'TEXT', help: 'New description' },
    type: { kind: 'text', value: 'TYPE', choices: MEMORY_TYPES, help: 'New type' },
    body: BODY_OPTION,
    source: { kind: 'text', value: 'SOURCE', choices: MEMORY_SOURCES, help: 'Whose word it is' },
    alias: { kind: 'text', value: 'NAMES', help: 'What else its subject is called: "k8s, kube"; empty to clear' },
    pinned: { kind: 'flag', help: 'Pin it' },
    unpinned: { kind: 'flag', help: 'Unpin it' },
    'superseded-by': { kind: 'text', value: 'FILE', help: 'The memory that replaces it; empty to clear' },
    refuted: { kind: 'text', value: 'TEXT', help: 'What proved it wrong; empty to clear' },
    reason: { kind: 'text', value: 'TEXT', help: 'Reason, recorded in the log' },
  },
  examples: [
    'reverie memory edit feedback_real-databases',
    'reverie memory edit feedback_real-databases --description "Integration tests use no mocks"',
  ],
  isForPeople: ({ options }) =>
    AGENTS_OPTIONS.every((name) => options[name] === undefined) ||
    PEOPLES_OPTIONS.some((name) => isGiven(options[name])),
  async run({ arguments: [file], options, terminal, place, environment, now, openMemory }) {
    if (options.pinned && options.unpinned)
      throw usageError('--pinned and --unpinned cannot both be meant.', 'memory edit');
    if (options.name?.trim() === '')
      throw usageError('--name is empty.', 'memory edit', 'Leave it out to keep the name.');
    if (options.description?.trim() === '')
      throw usageError('--description is empty.', 'memory edit', 'Leave it out to keep the description.');
    const hint = 'Leave --body out to keep the text. To remove the memory: reverie memory forget FILE';
    const body =
      options.body === undefined
        ? undefined
        : requireBody(await readBody(options.body, terminal), { topic: 'memory edit', hint });
    const flags: MemoryChanges = {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.description === undefined ? {} : { description: options.description }),
      ...(options.type === undefined ? {} : { type: options.type }),
      ...(body === undefined ? {} : { body }),
      ...(options.source === undefined ? {} : { source: options.source }),
      ...(options.alias === undefined
        ? {}
        : {
            aliases: options.alias
              .split(',')
              .map((alias) => alias.trim())
              .filter(Boolean),
          }),
      ...(options.pinned || options.unpinned ? { pinned: options.pinned } : {}),
      ...(options.refuted === undefined ? {} : { refuted: options.refuted || null }),
    };
    const memory = await openMemory();
    const entry = await findMemory(memory, file!);
    if (hasAgentMark(environment)) {
      const { name, description, type } = flags;
      const wanted = Object.fromEntries(
        Object.entries({ name, description, type, body }).filter(([, value]) => value !== undefined),
      );
      const { editForAgent } = await import('./for-agents.ts');
      return editForAgent(entry, wanted, { memory, terminal, place, environment, now });
    }
    const changes = { ...flags, ...(await successor(memory, { entry, named: options['superseded-by'] })) };
    const change = {
      scope: entry.scope,
      who: 'user',
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    } as const;
    if (Object.keys(changes).length > 0) {
      const saved = await memory.update(entry.file, changes, change);
      return { data: saved, text: changeText('Changed', saved, { paint: terminal.paint, place }) };
    }
    const edited = await editInEditor({ path: entry.path, file: entry.file, terminal, environment });
    if (edited.kind === 'unchanged') {
      const why = edited.reason === 'file-removed' ? 'The editor left no file: ' : '';
      return { data: null, text: `${why}${plainLine(entry.file)} is as it was.` };
    }
    const stored = await edited.store((text) => memory.replace(entry.file, text, change));
    const saved = { ...stored, warnings: [...stored.warnings, ...warningsOf(stored.file, edited.text)] };
    return { data: saved, text: changeText('Changed', saved, { paint: terminal.paint, place }) };
  },
});

const AGENTS_OPTIONS = ['name', 'description', 'type', 'body'] as const;
/** Standing, pins and what holds no more are a person's to decide. */
const PEOPLES_OPTIONS = ['source', 'alias', 'pinned', 'unpinned', 'superseded-by', 'refuted'] as const;

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** What is superseded is recalled no more: by something that is not there, neither would be. */
async function successor(
  memory: Memory,
  { entry, named }: { readonly entry: MemoryEntry; readonly named: string | undefined },
): Promise<Pick<MemoryChanges, 'supersededBy'>> {
  if (named === undefined) return {};
  if (named === '') return { supersededBy: null };
  const found = await findMemory(memory, named);
  if (found.file === entry.file && found.scope === entry.scope)
    throw usageError(`${plainLine(entry.file)} cannot supersede itself.`, 'memory edit');
  const { scope } = parseReference(named);
  return { supersededBy: scope === undefined ? found.file : `${scope}:${found.file}` };
}

/** The user has just written the file by hand, so this is the moment to say what is odd about it. */
function warningsOf(file: string, text: string): readonly string[] {
  return factsOf(file, parseMemoryFile(Buffer.from(text))).warnings;
}
