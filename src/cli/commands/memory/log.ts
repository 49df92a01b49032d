/** `reverie memory log`: what changed, when, by whom and why. */

import { TERMINAL_LIMITS } from '../../../limits.ts';
import { type FileReference, parseReference } from '../../../memory/find-memory.ts';
import type { LogEntry, Memory } from '../../../memory/memory.ts';
import { defineCommand } from '../../command.ts';
import { filesText, referenceText } from '../../memory-text.ts';
import { timeAgo } from '../../relative-time.ts';
import { type Column, fitColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const command = defineCommand({
  arguments: [],
  options: {
    limit: {
      kind: 'number',
      value: 'N',
      help: `At most this many changes, newest first (${TERMINAL_LIMITS.logEntries})`,
    },
    file: { kind: 'text', value: 'FILE', help: 'Only changes to this memory' },
  },
  examples: ['reverie memory log', 'reverie memory log --file feedback_real-databases --limit 3'],
  async run({ options, terminal, now, openMemory }) {
    const memory = await openMemory();
    const limit = options.limit ?? TERMINAL_LIMITS.logEntries;
    const wanted = options.file === undefined ? undefined : parseReference(options.file);
    const all = await memory.log({
      ...(wanted ? { file: wanted.file } : {}),
      ...(wanted?.scope ? {} : { limit }),
    });
    const entries = all.filter(({ scope }) => scope === (wanted?.scope ?? scope)).slice(0, limit);
    return { data: entries, text: entries.length > 0 ? logText(entries, terminal, now) : emptyText(memory, wanted) };
  },
});

const COLUMNS: readonly Column[] = [
  { fit: 'whole' },
  { fit: 'whole', drop: 2 },
  { fit: 'whole' },
  { fit: 'whole', drop: 1 },
  { fit: 'middle', below: true },
  { fit: 'rest', least: 12, below: true },
];

function logText(entries: readonly LogEntry[], terminal: Terminal, now: Date): string {
  const { paint, isTerminal, width } = terminal;
  const rows = entries.map((entry) => {
    const undone = entry.undoneBy === undefined ? '' : '(undone) ';
    const isTold = entry.undoes === undefined || entry.why.includes(entry.undoes);
    const undoes = isTold ? '' : `(undoes ${entry.undoes}) `;
    return [
      { text: entry.id, paint: paint.yellow },
      { text: isTerminal ? timeAgo(entry.at, now) : entry.at, paint: paint.dim },
      { text: entry.kind, paint: paint.cyan },
      { text: entry.who },
      { text: filesText(entry), paint: paint.bold },
      { text: undone + undoes + plainLine(entry.why) },
    ];
  });
  return fitColumns(rows, { columns: COLUMNS, width }).join('\n');
}

function emptyText(memory: Memory, wanted: FileReference | undefined): string {
  if (!memory.enabled) return memory.offReason ?? 'Memory is off.';
  return wanted === undefined ? 'Nothing has changed yet.' : `No change of ${referenceText(wanted)} is recorded.`;
}
