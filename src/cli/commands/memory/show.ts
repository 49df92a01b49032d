/** `reverie memory show`: one memory in full. */

import { readFile } from 'node:fs/promises';
import { parseMemoryFile } from '../../../memory/files/memory-file.ts';
import { FILE_HELP, findMemory } from '../../../memory/find-memory.ts';
import type { MemoryEntry } from '../../../memory/memory.ts';
import { defineCommand } from '../../command.ts';
import { entryData, marks, warningLines } from '../../memory-text.ts';
import { dateOf, timeAgo } from '../../relative-time.ts';
import { alignColumns } from '../../terminal/columns.ts';
import type { Paint } from '../../terminal/paint.ts';
import { plainLine, plainText } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE', required: true, help: FILE_HELP }],
  options: { raw: { kind: 'flag', help: 'Print the file as it is on disk' } },
  examples: ['reverie memory show feedback_real-databases', 'reverie memory show global:user_who-i-am.md --raw'],
  async run({ arguments: [file], options, terminal, now, openMemory }) {
    const memory = await openMemory();
    const { file: found, scope } = await findMemory(memory, file!);
    const entry = await memory.get(found, { scope });
    if (options.raw) {
      const raw = await readFile(entry.path, 'utf8');
      return { data: { ...entryData(entry), raw }, text: plainText(raw), exact: raw };
    }
    const aliases = await aliasesOf(entry);
    const data = { ...entryData(entry), ...(aliases.length === 0 ? {} : { aliases }) };
    return { data, text: entryText({ entry, aliases }, terminal.paint, now) };
  },
});

const DAY = '2026-01-07'.length;

/** Only the file has them; one that went away meanwhile has none. */
async function aliasesOf({ path }: MemoryEntry): Promise<readonly string[]> {
  const bytes = await readFile(path).catch(() => null);
  return bytes === null ? [] : parseMemoryFile(bytes).aliases;
}

interface ShownEntry {
  readonly entry: MemoryEntry;
  readonly aliases: readonly string[];
}

function entryText({ entry, aliases }: ShownEntry, paint: Paint, now: Date): string {
  const facts: [string, string][] = [
    ['file', `${entry.path} (${entry.scope})`],
    ['type', [entry.type ?? 'untyped', ...marks(entry).filter((mark) => mark !== entry.source)].join(', ')],
    ...(aliases.length === 0 ? [] : [['also called', aliases.join(', ')] as [string, string]]),
    ['source', entry.source],
    ...entry.quote.map(({ text, at }): [string, string] => [
      'quote',
      at === null ? `“${text}”` : `“${text}” (${at.slice(0, DAY)})`,
    ]),
    ...Object.entries(entry.origin ?? {}).map(([key, value]): [string, string] => [`origin ${key}`, value]),
    ...(entry.created === null
      ? []
      : [['created', `${dateOf(entry.created)}, ${timeAgo(entry.created, now)}`] as [string, string]]),
    ['modified', `${dateOf(entry.modified)}, ${timeAgo(entry.modified, now)}`],
    ...(entry.supersededBy === null ? [] : [['superseded by', entry.supersededBy] as [string, string]]),
    ...(entry.refuted === null ? [] : [['refuted', entry.refuted] as [string, string]]),
  ];
  const rows = facts.map(([label, value]) => [
    { text: plainLine(label), paint: paint.dim },
    { text: plainLine(value) },
  ]);
  return [
    paint.bold(plainLine(entry.name)),
    ...(entry.description === '' ? [] : [plainLine(entry.description)]),
    '',
    ...alignColumns(rows, { indent: '  ' }),
    ...warningLines(entry.warnings, paint),
    '',
    plainText(entry.body).trim(),
  ].join('\n');
}
