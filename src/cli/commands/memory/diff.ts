/** `reverie memory diff`: the lines that a change added and removed. */

import type { FileDiff, LogEntry, Memory } from '../../../memory/memory.ts';
import { defineCommand } from '../../command.ts';
import { filesText } from '../../memory-text.ts';
import { patchText } from '../../patch-text.ts';
import { timeAgo } from '../../relative-time.ts';
import type { Paint } from '../../terminal/paint.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'CHANGE', required: false, help: 'A change id from `reverie memory log` (default: the newest)' }],
  options: {},
  examples: ['reverie memory diff', 'reverie memory diff CHANGE'],
  async run({ arguments: [change], terminal, now, openMemory }) {
    const memory = await openMemory();
    const [diffs, entry] = [await memory.diff(change), await findChange(memory, change)];
    const { paint } = terminal;
    const heading = entry ? [paint.dim(headingText(entry, now)), ''] : [];
    if (diffs.length === 0) return { data: diffs, text: [...heading, nothingText(entry)].join('\n') };
    const later = diffs.some(({ withheld }) => withheld) ? await memory.log() : [];
    const isPurged = later.some(({ kind, at }) => kind === 'purge' && at >= (entry?.at ?? ''));
    const patches = await Promise.all(diffs.map((diff) => diffText(diff, { paint, isPurged })));
    return { data: diffs, text: [...heading, patches.join('\n\n')].join('\n') };
  },
});

async function findChange(memory: Memory, change: string | undefined): Promise<LogEntry | undefined> {
  if (change === undefined) return (await memory.log({ limit: 1 }))[0];
  return (await memory.log()).find(({ id }) => id === change);
}

function headingText(entry: LogEntry, now: Date): string {
  const why = entry.why === '' ? '' : `: ${plainLine(entry.why)}`;
  const files = entry.files.length === 0 ? '' : ` of ${filesText(entry)}`;
  return `${entry.id}  ${entry.kind}${files} by ${entry.who}, ${timeAgo(entry.at, now)}${why}`;
}

function nothingText(entry: LogEntry | undefined): string {
  if (entry === undefined) return 'Nothing has changed yet.';
  return entry.kind === 'purge'
    ? 'A memory was removed for good, with its history: its text is not kept.'
    : 'The change touched no file.';
}

async function diffText(diff: FileDiff, facts: { paint: Paint; isPurged: boolean }): Promise<string> {
  const { paint, isPurged } = facts;
  const file = plainLine(diff.file);
  if (diff.withheld) {
    const why = isPurged
      ? 'the text held a secret or was purged since, and is not kept.'
      : 'the text held a secret and was not kept.';
    return `${paint.bold(file)}: ${why}`;
  }
  return patchText(diff, paint);
}
