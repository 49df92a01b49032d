/** Reads the small text files of start-up (settings, records) so that no pipe, device or giant can hold it up. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../errors.ts';
import { SETTINGS_FILE_LIMITS } from '../limits.ts';

export type SmallFile =
  | { readonly kind: 'text'; readonly text: string; readonly ownerId: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export function readSmallFile(path: string, maxBytes: number = SETTINGS_FILE_LIMITS.fileBytes): SmallFile {
  let descriptor: number;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer for ever. Windows has neither.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return { kind: 'absent' };
    return { kind: 'unreadable', reason: `it cannot be opened (${errno || 'bad path'})` };
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' };
    if (facts.size > maxBytes) return { kind: 'unreadable', reason: `it is larger than ${maxBytes} bytes` };
    return { kind: 'text', text: readText(descriptor, facts.size), ownerId: facts.uid };
  } catch (error) {
    return { kind: 'unreadable', reason: `it cannot be read (${errnoOf(error)})` };
  } finally {
    closeSync(descriptor);
  }
}

function readText(descriptor: number, size: number): string {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  const text = bytes.toString('utf8', 0, filled);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
