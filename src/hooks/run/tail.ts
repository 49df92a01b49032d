/** Reads the end of a file of lines that others write, so that no pipe, device or giant can hold a hook up. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

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

/** What a line of JSON holds; null for a torn or damaged one. */
export function parseLine(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
