/** What the disk says about a path, for the checks: a value for every answer, and nothing is followed unless asked. */

import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '../errors.ts';

export type DiskEntry =
  | { readonly kind: 'missing' }
  | { readonly kind: 'folder' | 'file' | 'link' | 'other'; readonly ownerId: number; readonly hardLinks: number }
  /** It cannot be examined: no permission, a loop, a failing disk. */
  | { readonly kind: 'unknown'; readonly errno: string };

export interface Disk {
  /** The entry itself, links not followed. */
  look(path: string): DiskEntry;
  real(path: string): string | null;
  names(folder: string): readonly string[];
}

const THIS_DISK: Disk = { look: lookAt, real: realPath, names: namesIn };

/** Paths of another kind of system can only be judged by their text. */
const NO_DISK: Disk = { look: () => ({ kind: 'missing' }), real: () => null, names: () => [] };

export function diskFor(platform: NodeJS.Platform): Disk {
  return (platform === 'win32') === (process.platform === 'win32') ? THIS_DISK : NO_DISK;
}

function lookAt(path: string): DiskEntry {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return { kind: 'missing' };
    const kind = facts.isSymbolicLink() ? 'link' : facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'other';
    return { kind, ownerId: facts.uid, hardLinks: facts.nlink };
  } catch (error) {
    return { kind: 'unknown', errno: errnoOf(error) };
  }
}

/** The path with every link resolved; null when it does not exist or cannot be followed. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export interface Reached {
  /** The real path that `path` has, or would have once it is made. */
  readonly real: string;
  /** The deepest part that exists, as a real path; null on a disk that is not ours to see. */
  readonly existing: string | null;
}

/** Where an absolute path leads when its end may not exist yet; null when a link on the way leads nowhere. */
export function reach(disk: Disk, path: string): Reached | null {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = disk.real(at);
    if (real !== null) return { real: join(real, ...missing), existing: real };
    if (disk.look(at).kind !== 'missing') return null;
    if (dirname(at) === at) return { real: path, existing: null };
    missing.unshift(basename(at));
  }
}
