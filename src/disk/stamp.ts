/** What the file system says of a file's state, cheap enough to ask of thousands. */

import type { Stats } from 'node:fs';

export interface Stamp {
  readonly inode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Clock ticks of file systems are coarse: what changed this shortly before a look may change again unseen. */
const RACY_MS = 50;

export function stampOf(stats: Stats): Stamp {
  return { inode: stats.ino, size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs };
}

export function sameStamp(one: Stamp, other: Stamp): boolean {
  return (
    one.inode === other.inode &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs
  );
}

/** Whether a stamp taken at a time proves that later equal stamps mean equal bytes. */
export function isSettled(stamp: Stamp, lookedAtMs: number): boolean {
  return stamp.ctimeMs < lookedAtMs - RACY_MS && stamp.mtimeMs < lookedAtMs - RACY_MS;
}

/** Whether a change is at least as young as a time that our own clock gave: the file system's may be a tick behind. */
export function isSince(ctimeMs: number, sinceMs: number): boolean {
  return ctimeMs >= sinceMs - RACY_MS;
}
