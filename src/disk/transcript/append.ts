/**
 * A file that only grows, a line at a time: one `write` on an O_APPEND descriptor each, so that lines of several processes
 * never interleave. What the disk refuses waits in memory, within bounds, and goes in first when it takes some again.
 */

import * as fs from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ReverieError } from '../../errors.ts';
import { createFolder } from '../folder.ts';
import { storageError } from '../storage-error.ts';

export interface AppendFile {
  readonly file: string;
  /** The line comes with its line break. Never throws. */
  append(line: string): void;
  /** Everything appended so far is on the disk, or the problem was told. */
  flush(): Promise<void>;
  close(): void;
}

export interface AppendOptions {
  /** Told once for each time that the disk stops taking lines. */
  readonly onProblem: (problem: ReverieError) => void;
  readonly waitingBytes: number;
  /** `new` must not be there yet. */
  readonly mode: 'new' | 'append';
  /** For tests: what writes. */
  readonly write?: Write;
}

const FILE_MODE = 0o600;
const NEWLINE = 0x0a;

export function openAppendFile(file: string, options: AppendOptions): AppendFile {
  const write = options.write ?? writeOnce;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let descriptor: number | null = null;
  let hasBeenMade = false;
  let isClosed = false;
  let isToldOf = false;

  function drain(): void {
    try {
      if (descriptor !== null && isRemoved(descriptor)) {
        fs.closeSync(descriptor);
        descriptor = null;
      }
      descriptor ??= openForAppend(file, hasBeenMade ? 'append' : options.mode);
      hasBeenMade = true;
      while (waiting.length > 0) {
        const line = waiting[0]!;
        writeWhole(descriptor, line, write);
        waiting.shift();
        waitingBytes -= line.length;
      }
      isToldOf = false;
    } catch (error) {
      if (!isToldOf) options.onProblem(storageError({ path: file, doing: 'append to', error }));
      isToldOf = true;
      dropOldest();
    }
  }

  function dropOldest(): void {
    while (waitingBytes > options.waitingBytes && waiting.length > 0) waitingBytes -= waiting.shift()!.length;
  }

  drain();
  return {
    file,
    append(line) {
      if (isClosed) return;
      const bytes = Buffer.from(line);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      drain();
    },
    async flush() {
      if (isClosed) return;
      drain();
      const synced = descriptor;
      if (synced === null) return;
      await new Promise<void>((resolve) => {
        fs.fsync(synced, (error) => {
          if (error) options.onProblem(storageError({ path: file, doing: 'sync', error }));
          resolve();
        });
      });
    },
    close() {
      if (isClosed) return;
      if (waiting.length > 0) drain();
      isClosed = true;
      waiting = [];
      if (descriptor !== null) fs.closeSync(descriptor);
    },
  };
}

/** One line at once, for whoever must know that it is in the file. Throws what the disk says. */
export function appendLine(file: string, line: string): void {
  const descriptor = openForAppend(file, 'append');
  try {
    writeWhole(descriptor, Buffer.from(line), writeOnce);
  } finally {
    fs.closeSync(descriptor);
  }
}

type Write = (descriptor: number, bytes: Uint8Array) => number;

function writeOnce(descriptor: number, bytes: Uint8Array): number {
  return fs.writeSync(descriptor, bytes);
}

function writeWhole(descriptor: number, line: Buffer, write: Write): void {
  // Whoever wrote last may have been killed in the middle: a torn tail must not swallow this line too.
  const bytes = endsWithNewline(descriptor) ? line : Buffer.concat([Buffer.of(NEWLINE), line]);
  if (write(descriptor, bytes) < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
}

function openForAppend(file: string, mode: AppendOptions['mode']): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL } = fs.constants;
  const flags = O_RDWR | O_APPEND | O_CREAT | (fs.constants.O_NOFOLLOW ?? 0) | (mode === 'new' ? O_EXCL : 0);
  const folder = createFolder(dirname(file));
  try {
    const descriptor = fs.openSync(folder.at(basename(file)), flags, FILE_MODE);
    // Whatever the umask says, and without touching what a user chose for a file that has content.
    if (fs.fstatSync(descriptor).size === 0) fs.fchmodSync(descriptor, FILE_MODE);
    return descriptor;
  } finally {
    folder.close();
  }
}

/** Lines would go on into a file that nobody can open any more. */
function isRemoved(descriptor: number): boolean {
  return fs.fstatSync(descriptor).nlink === 0;
}

function endsWithNewline(descriptor: number): boolean {
  const { size } = fs.fstatSync(descriptor);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  fs.readSync(descriptor, last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}
