/** Files of lines that hooks read the end of, or add to: no pipe, device or giant can hold a hook up. */

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Enough of a host's transcript to see what happened last, and that it holds the user's words in a form we know. */
export const TRANSCRIPT_GLANCE_BYTES = 65_536;

/** Whole lines from the last `maxBytes` of a regular file; none when there is no such file. */
export function readTailLines(path: string, maxBytes: number): readonly string[] {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return [];
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return [];
    const from = Math.max(0, facts.size - maxBytes);
    const bytes = Buffer.alloc(facts.size - from);
    const count = readSync(descriptor, bytes, 0, bytes.length, from);
    const lines = bytes.toString('utf8', 0, count).split('\n');
    // The first line may have been cut.
    return (from === 0 ? lines : lines.slice(1)).filter((line) => line !== '');
  } catch {
    return [];
  } finally {
    closeSync(descriptor);
  }
}

/** A host may write all that is left of a conversation into one line. */
const MOST_OF_A_LINE_BYTES = 8 * 1_048_576;

/** The same with the line that `maxBytes` cuts, from its beginning. */
export function readTailWithWholeLine(path: string, maxBytes: number): readonly string[] {
  let bytes = maxBytes;
  let lines = readTailLines(path, bytes);
  const known = lines.length;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  while (lines.length <= known && bytes < Math.min(size, MOST_OF_A_LINE_BYTES)) {
    bytes *= 4;
    lines = readTailLines(path, bytes);
  }
  return lines;
}

/** Adds a line of JSON; the older half of a file longer than `maxBytes` goes first. Makes the folder if it is missing. */
export function appendRecord(path: string, record: object, maxBytes: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) keepNewest(path, maxBytes / 2);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, 0o600);
  try {
    writeSync(descriptor, `\n${JSON.stringify(record)}\n`);
  } finally {
    closeSync(descriptor);
  }
}

function keepNewest(path: string, bytes: number): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${readTailLines(path, bytes).join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}

/** What a line of JSON holds; null for a torn or damaged one. */
export function parseLine(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
