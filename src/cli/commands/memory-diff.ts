/** `reverie memory diff`: the lines that a change added and removed. */

import type { FileDiff, LogEntry, Memory } from '../../session/memory.ts';
import { defineCommand } from '../command.ts';
import { filesText } from '../memory-text.ts';
import type { Paint } from '../paint.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { timeAgo } from '../relative-time.ts';

export const command = defineCommand({
  arguments: [
    { name: 'CHANGE', required: false, help: 'The id that `reverie memory log` shows; the newest change without one' },
  ],
  options: {},
  examples: ['reverie memory diff', 'reverie memory diff CHANGE'],
  async run({ arguments: [change], terminal, now, openMemory }) {
    const memory = await openMemory();
    const [diffs, entry] = [await memory.diff(change), await findChange(memory, change)];
    if (diffs.length === 0) return { data: diffs, text: 'Nothing has changed yet.' };
    const { paint } = terminal;
    const heading = entry ? [paint.dim(headingText(entry, now)), ''] : [];
    const patches = await Promise.all(diffs.map((diff) => diffText(diff, paint)));
    return { data: diffs, text: [...heading, patches.join('\n\n')].join('\n') };
  },
});

async function findChange(memory: Memory, change: string | undefined): Promise<LogEntry | undefined> {
  if (change === undefined) return (await memory.log({ limit: 1 }))[0];
  return (await memory.log()).find(({ id }) => id === change);
}

function headingText(entry: LogEntry, now: Date): string {
  const why = entry.why === '' ? '' : `: ${plainLine(entry.why)}`;
  return `${entry.id}  ${entry.kind} of ${filesText(entry)} by ${entry.who}, ${timeAgo(entry.at, now)}${why}`;
}

async function diffText(diff: FileDiff, paint: Paint): Promise<string> {
  const file = plainLine(diff.file);
  if (diff.withheld) return `${paint.bold(file)}: the text held a secret and was not kept.`;
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(
    diff.before === null ? '/dev/null' : `a/${file}`,
    diff.after === null ? '/dev/null' : `b/${file}`,
    plainText(diff.before ?? ''),
    plainText(diff.after ?? ''),
  );
  return patch
    .split('\n')
    .filter((line, at) => !(at === 0 && /^=+$/.test(line)))
    .map((line) => paintLine(line, paint))
    .join('\n')
    .trimEnd();
}

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith('---') || line.startsWith('+++')) return paint.bold(line);
  if (line.startsWith('@@')) return paint.cyan(line);
  if (line.startsWith('+')) return paint.green(line);
  if (line.startsWith('-')) return paint.red(line);
  return line;
}
