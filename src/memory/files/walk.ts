/** Finds the memory files of a folder: every `.md` below it but the index and the daily logs; dot folders and links are skipped. */

import { type Dir, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import type { Folder } from '../../disk/folder.ts';
import { textProblem } from '../../disk/safe-name.ts';
import { type Stamp, stampOf } from '../../disk/stamp.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import { isInLogs } from '../daily-log/place.ts';

export const INDEX_FILE = 'MEMORY.md';

/** A memory is a page or two; what is larger was put there by mistake or to hold us up. */
const LARGEST_MEMORY_BYTES = 16_777_216;
export const TOO_LARGE = 'larger than 16 MB';

export interface SeenFile {
  readonly file: string;
  readonly stamp: Stamp;
}

export interface Walk {
  readonly files: readonly SeenFile[];
  /** What looks like a memory and is not read, with the reason. */
  readonly passedOver: readonly { readonly file: string; readonly reason: string }[];
}

export function walkMemoryFiles(root: Folder, maxDepth: number): Walk {
  return atOnce(walkingMemoryFiles(root, maxDepth));
}

/** One file a step. */
export function* walkingMemoryFiles(root: Folder, maxDepth: number): Steps<Walk> {
  const files: SeenFile[] = [];
  const passedOver: { file: string; reason: string }[] = [];

  function* visit(folder: Folder, prefix: string, depth: number): Steps<void> {
    for (const entry of yield* folder.listing()) {
      yield;
      const { name } = entry;
      if (name.startsWith('.')) continue;
      const file = prefix + name;
      const passOver = (reason: string) => passedOver.push({ file, reason });
      if (entry.isDirectory()) {
        // Years of logs cost a walk nothing.
        if (isInLogs(file)) continue;
        if (depth >= maxDepth) passOver(`deeper than ${maxDepth} folders`);
        else yield* enter(folder, { name, file, depth });
        continue;
      }
      if (!name.toLowerCase().endsWith('.md') || file === INDEX_FILE) continue;
      if (entry.isSymbolicLink()) passOver('a link');
      else if (!entry.isFile()) passOver('not a regular file');
      else if (!name.endsWith('.md')) passOver('its name must end in .md, in small letters');
      else if (name.toUpperCase() === INDEX_FILE.toUpperCase()) passOver('it could be taken for the index');
      else if (textProblem(file) !== null) passOver(`its name: ${textProblem(file)}`);
      else {
        const stats = folder.stat(name);
        if (stats?.isFile() && stats.size > LARGEST_MEMORY_BYTES) passOver(TOO_LARGE);
        else if (stats?.isFile()) files.push({ file, stamp: stampOf(stats) });
        else if (name.includes('\ufffd')) passOver('its name is not UTF-8');
      }
    }
  }

  function* enter(folder: Folder, place: { name: string; file: string; depth: number }): Steps<void> {
    try {
      const sub = folder.sub(place.name);
      if (sub === null) return;
      try {
        yield* visit(sub, `${place.file}/`, place.depth + 1);
      } finally {
        sub.close();
      }
    } catch (error) {
      // One folder that cannot be read must not hide the others.
      if (!(error instanceof ReverieError)) throw error;
      passedOver.push({ file: place.file, reason: error.message });
    }
  }

  yield* visit(root, '', 0);
  return { files, passedOver };
}

/** Whether a walk could find anything: told by the first name that is met. */
export function hasMemoryFiles(folder: string, maxDepth: number): boolean {
  return meetsMemory(folder, { prefix: '', left: maxDepth });
}

function meetsMemory(path: string, at: { readonly prefix: string; readonly left: number }): boolean {
  let folder: Dir;
  try {
    folder = opendirSync(path);
  } catch (error) {
    // What is wrong with a folder that is there is for whoever reads it to say.
    return errnoOf(error) !== 'ENOENT';
  }
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      const file = at.prefix + entry.name;
      if (entry.name.startsWith('.') || entry.name.toUpperCase() === INDEX_FILE.toUpperCase()) continue;
      if (entry.isFile() && entry.name.endsWith('.md')) return true;
      if (!entry.isDirectory() || isInLogs(file) || at.left === 0) continue;
      if (meetsMemory(join(path, entry.name), { prefix: `${file}/`, left: at.left - 1 })) return true;
    }
    return false;
  } finally {
    folder.closeSync();
  }
}
