/** `reverie recall`: the memories relevant to a question, found by words and meaning on this machine. */

import type { Memory, MemoryEntry, Recalled } from '../../memory/memory.ts';
import { defineCommand } from '../command.ts';
import { usageError } from '../options/usage.ts';
import { type Column, fitColumns } from '../terminal/columns.ts';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapPieces, wrapWords } from '../terminal/wrap.ts';

export const command = defineCommand({
  arguments: [{ name: 'QUERY', required: true, takesRest: true, help: 'What you want to know, in your own words' }],
  about: 'Best first. `certain` ones are those an agent would be shown unasked; the others are guesses.',
  options: {
    limit: { kind: 'number', value: 'N', help: 'Show at most this many (default 5)' },
    explain: { kind: 'flag', help: 'Explain each score' },
    text: { kind: 'flag', help: 'Show each memory as an agent would read it' },
  },
  examples: [
    'reverie recall "how do we test against the database?"',
    'reverie recall "who owns billing" --limit 3 --explain',
    'reverie recall "deploy" --json',
  ],
  async run({ arguments: words, options, terminal, openMemory }) {
    const { limit } = options;
    if (limit !== undefined && (!Number.isInteger(limit) || limit < 1)) {
      throw usageError('--limit takes a whole number from 1 on.', 'recall');
    }
    const memory = await openMemory();
    const hits = await memory.recall(words.join(' '), limit === undefined ? {} : { limit });
    return {
      data: hits,
      text: hits.length === 0 ? nothing(memory) : await hitsText(memory, { hits, options, terminal }),
    };
  },
});

interface Shown {
  readonly hits: readonly Recalled[];
  readonly options: { readonly explain: boolean; readonly text: boolean };
  readonly terminal: Terminal;
}

const COLUMNS: readonly Column[] = [
  { fit: 'whole' },
  { fit: 'whole', drop: 1 },
  { fit: 'middle' },
  { fit: 'rest', below: true },
];

async function hitsText(memory: Memory, { hits, options, terminal }: Shown): Promise<string> {
  const { paint, width } = terminal;
  const entries = await Promise.all(hits.map(({ file, scope }) => memory.get(file, { scope })));
  const rows = hits.map((hit, position) => [
    { text: hit.certain ? 'certain' : 'perhaps', paint: hit.certain ? paint.green : paint.dim },
    { text: hit.score.toFixed(2), paint: paint.dim },
    { text: plainLine(hit.file), paint: paint.bold },
    { text: summary(entries[position]!) },
  ]);
  const lines = fitColumns(rows, { columns: COLUMNS, width });
  const room = width ?? Number.POSITIVE_INFINITY;
  const wrapped = (line: string) => wrapPieces(line.trim().split(' '), { width: room - 2, hang: 2 });
  const heading = hits.some(({ certain }) => certain)
    ? []
    : wrapWords('No memory clearly bears on that; the nearest are:', room).map((line) => paint.dim(line));
  return heading
    .concat(
      lines.flatMap((line, position) => {
        const { why, text } = hits[position]!;
        const explained = options.explain ? plainText(why.explain).split('\n').slice(1).flatMap(wrapped) : [];
        const lines = explained.map((each) => paint.dim(`  ${each}`));
        return [line, ...lines, ...(options.text ? ['', plainText(text), ''] : [])];
      }),
    )
    .join('\n');
}

function summary(entry: MemoryEntry): string {
  return plainLine(entry.description) || plainLine(entry.name);
}

function nothing(memory: Memory): string {
  return memory.enabled ? 'No memory bears on that.' : (memory.offReason ?? 'Memory is off.');
}
