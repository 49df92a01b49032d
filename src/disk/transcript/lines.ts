/** Lines of a file from its end backwards or from a place on, a chunk at a time, so that a giant costs what is asked of it. */

import * as fs from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf, ReverieError } from '../../errors.ts';
import { storageError } from '../storage-error.ts';

/** A file as the readers see it; a test counts what is read. */
export interface ByteSource {
  readonly size: number;
  readonly modifiedMs: number;
  /** Fewer bytes than asked for at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Line {
  /** Where it begins, in bytes. */
  readonly start: number;
  /** Where the next one begins. */
  readonly end: number;
  /** Null when it is longer than a record can be. */
  readonly text: string | null;
  /** False for a last line without its line break. */
  readonly isWhole: boolean;
}

export interface LineLimits {
  readonly chunkBytes: number;
  readonly recordBytes: number;
}

const NEWLINE = 0x0a;

/** Null when there is no such file. A pipe or a device is refused before it can hold us up. */
export async function openBytes(path: string): Promise<ByteSource | null> {
  const { O_RDONLY } = fs.constants;
  const flags = O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0);
  try {
    const file = await open(path, flags);
    const facts = await file.stat();
    if (!facts.isFile()) {
      await file.close();
      throw new ReverieError({ code: 'refused', message: `${path} is not a regular file` });
    }
    return {
      size: facts.size,
      modifiedMs: facts.mtimeMs,
      async read(position, length) {
        const bytes = Buffer.allocUnsafe(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      },
      close: () => file.close(),
    };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
    throw storageError({ path, doing: 'read', error });
  }
}

/** The last line first. Empty lines are left out. */
export async function* linesBackwards(source: ByteSource, limits: LineLimits): AsyncGenerator<Line> {
  const line = gatherLine(limits.recordBytes);
  let isWhole = false;
  let lineEnd = source.size;
  let start = source.size;
  for (let stop = source.size; stop > 0; stop = start) {
    start = Math.max(0, stop - limits.chunkBytes);
    const chunk = await source.read(start, stop - start);
    let end = chunk.length;
    for (let at = lastBreak(chunk, end); at !== -1; at = lastBreak(chunk, end)) {
      line.before(chunk.subarray(at + 1, end));
      if (!line.isEmpty()) yield { start: start + at + 1, end: lineEnd, text: line.take(), isWhole };
      isWhole = true;
      lineEnd = start + at + 1;
      end = at;
    }
    line.before(chunk.subarray(0, end));
  }
  if (!line.isEmpty()) yield { start: 0, end: lineEnd, text: line.take(), isWhole };
}

/** Lines from a position on, up to another one or the end. Empty lines are left out. */
export async function* linesForward(
  source: ByteSource,
  span: LineLimits & { readonly from?: number; readonly to?: number },
): AsyncGenerator<Line> {
  const line = gatherLine(span.recordBytes);
  const stop = Math.min(span.to ?? source.size, source.size);
  let lineStart = span.from ?? 0;
  for (let position = lineStart; position < stop; ) {
    const chunk = await source.read(position, Math.min(span.chunkBytes, stop - position));
    if (chunk.length === 0) break;
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      line.after(chunk.subarray(from, at));
      from = at + 1;
      const end = position + from;
      if (!line.isEmpty()) yield { start: lineStart, end, text: line.take(), isWhole: true };
      lineStart = end;
    }
    line.after(chunk.subarray(from));
    position += chunk.length;
  }
  if (!line.isEmpty()) yield { start: lineStart, end: stop, text: line.take(), isWhole: false };
}

/** A negative offset would count from the end, so the beginning is a case of its own. */
function lastBreak(chunk: Buffer, end: number): number {
  return end === 0 ? -1 : chunk.lastIndexOf(NEWLINE, end - 1);
}

/** The pieces of one line; they are joined once, however many chunks it spans. */
function gatherLine(recordBytes: number) {
  let pieces: Buffer[] = [];
  let bytes = 0;

  function add(piece: Buffer, where: 'push' | 'unshift'): void {
    bytes += piece.length;
    if (bytes > recordBytes) pieces = [];
    else if (piece.length > 0) pieces[where](piece);
  }

  return {
    before: (piece: Buffer) => add(piece, 'unshift'),
    after: (piece: Buffer) => add(piece, 'push'),
    isEmpty: () => bytes === 0,
    take(): string | null {
      const text = bytes > recordBytes ? null : Buffer.concat(pieces).toString('utf8');
      pieces = [];
      bytes = 0;
      return text;
    },
  };
}
