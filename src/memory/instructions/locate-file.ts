/** Finds out what a path leads to before anything is read, and reads exactly that: no pipe, no device, no giant. */

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { decodeText } from '../../base/front-matter/bytes.ts';
import { realPath } from '../../disk/disk.ts';
import { errnoOf } from '../../errors.ts';

export type Located =
  | {
      readonly kind: 'file';
      /** Every link resolved. */
      readonly real: string;
      /** The same for every name of one file. */
      readonly identity: string;
      readonly ownerId: number;
      readonly bytes: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable'; readonly reason: string };

export function locateFile(path: string): Located {
  if (path.includes('\0')) return { kind: 'absent' };
  try {
    const real = realPath(path);
    const facts = real === null ? undefined : statSync(real, { throwIfNoEntry: false, bigint: true });
    if (real === null || facts === undefined) return { kind: 'absent' };
    if (!facts.isFile()) return { kind: 'unusable', reason: 'it is not a regular file' };
    return { kind: 'file', real, identity: identityOf(facts), ownerId: Number(facts.uid), bytes: Number(facts.size) };
  } catch (error) {
    return { kind: 'unusable', reason: `it cannot be examined (${errnoOf(error)})` };
  }
}

export type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unusable'; readonly reason: string };

export function readLocated(file: Extract<Located, { kind: 'file' }>, maxBytes: number): ReadText {
  const unusable = (reason: string): ReadText => ({ kind: 'unusable', reason });
  let descriptor: number;
  try {
    // A pipe that took the file's place must not make us wait. Windows has neither flag.
    descriptor = openSync(file.real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    return unusable(`it cannot be opened (${errnoOf(error)})`);
  }
  try {
    const facts = fstatSync(descriptor, { bigint: true });
    // What was judged is what is read.
    if (!facts.isFile() || identityOf(facts) !== file.identity) return unusable('it was replaced while it was read');
    const size = Number(facts.size);
    if (size > maxBytes) return unusable(`it is larger than ${maxBytes.toLocaleString('en-US')} bytes`);
    const bytes = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const count = readSync(descriptor, bytes, filled, size - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return textOf(bytes.subarray(0, filled));
  } catch (error) {
    return unusable(`it cannot be read (${errnoOf(error)})`);
  } finally {
    closeSync(descriptor);
  }
}

function textOf(bytes: Buffer): ReadText {
  const { text, encoding, validUtf8 } = decodeText(bytes);
  const isText = (validUtf8 || encoding !== 'utf-8') && !text.includes('\0');
  return isText ? { kind: 'text', text } : { kind: 'unusable', reason: 'it is not a text in UTF-8' };
}

function identityOf(facts: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${facts.dev}:${facts.ino}`;
}
