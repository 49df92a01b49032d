/**
 * How far a mailbox was read: for each sender the last message that was acknowledged. Kept apart from the messages, as
 * one short line an acknowledgement, so that a kill repeats the one message that was not acknowledged and no other.
 */

import * as fs from 'node:fs';
import type { Folder } from '../disk/folder.ts';
import { storageError } from '../disk/storage-error.ts';

export interface Position {
  readonly stamp: number;
  readonly index: number;
}

export interface Cursor {
  of(sender: string): Position | null;
  /** Survives a kill at once, and a power cut in the end: then a few messages come again. */
  advance(sender: string, position: Position): void;
  close(): void;
}

const FILE = 'cursor';
/** A log of this many bytes is written again as one line a sender. */
const LONGEST_LOG_BYTES = 1_000_000;
const { O_WRONLY, O_APPEND, O_CREAT } = fs.constants;
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;

export function openCursor(box: Folder): Cursor {
  const positions = readCursor(box);
  if ((box.stat(FILE)?.size ?? 0) > LONGEST_LOG_BYTES) rewrite(box, positions);
  let fd = openLog(box);
  let bytes = fs.fstatSync(fd).size;
  return {
    of: (sender) => positions.get(sender) ?? null,
    advance(sender, position) {
      const line = Buffer.from(lineOf(sender, position));
      try {
        const written = fs.writeSync(fd, line);
        if (written < line.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
      } catch (error) {
        throw storageError({ path: `${box.path}/${FILE}`, doing: 'write to', error });
      }
      bytes += line.length;
      positions.set(sender, position);
      if (bytes > 2 * LONGEST_LOG_BYTES) {
        bytes = rewrite(box, positions);
        fs.closeSync(fd);
        fd = openLog(box);
      }
    },
    close: () => fs.closeSync(fd),
  };
}

/** The positions on disk, for whoever only asks what was read. */
export function readCursor(box: Folder): Map<string, Position> {
  const positions = new Map<string, Position>();
  for (const line of (box.read(FILE)?.toString('utf8') ?? '').split('\n')) {
    const [, stamp, index, sender] = /^(\d+) (\d+) (.+);$/u.exec(line) ?? [];
    if (sender === undefined) continue;
    const position = { stamp: Number(stamp), index: Number(index) };
    if (comparePositions(position, positions.get(sender) ?? null) > 0) positions.set(sender, position);
  }
  return positions;
}

/** Below zero when the first comes before the second; nothing comes before everything. */
export function comparePositions(one: Position, other: Position | null): number {
  if (other === null) return 1;
  return one.stamp - other.stamp || one.index - other.index;
}

function lineOf(sender: string, { stamp, index }: Position): string {
  // Begins a line of its own and says where it ends, so that what was cut short spoils no other and counts for nothing.
  return `\n${stamp} ${index} ${sender};`;
}

function openLog(box: Folder): number {
  try {
    return fs.openSync(box.at(FILE), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw storageError({ path: `${box.path}/${FILE}`, doing: 'open', error });
  }
}

function textOf(positions: ReadonlyMap<string, Position>): Buffer {
  return Buffer.from([...positions].map(([sender, position]) => lineOf(sender, position)).join(''));
}

/** One line a sender; the answer is the new size. Nothing is waited for while a message is being acknowledged. */
function rewrite(box: Folder, positions: ReadonlyMap<string, Position>): number {
  const text = textOf(positions);
  const next = `${FILE}.next`;
  fs.rmSync(box.at(next), { force: true });
  fs.writeFileSync(box.at(next), text, { flag: 'wx', mode: 0o600, flush: true });
  fs.renameSync(box.at(next), box.at(FILE));
  return text.length;
}
