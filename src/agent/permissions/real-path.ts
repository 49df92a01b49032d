/** Where a path really leads: links followed, also dangling ones, and also when the end of it does not exist yet. */

import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';

/** Links that lead to links that are followed; systems themselves stop at forty or so. */
const MOST_LINKS = 64;
/** No system opens a longer path. */
const LONGEST_PATH = process.platform === 'win32' ? 32_767 : 4_096;

export function realPathOf(path: string, followed = 0): string {
  if (normalize(path).length > LONGEST_PATH) return path;
  try {
    return realpathSync.native(path);
  } catch {
    // Nothing is there, or a link that leads nowhere: a write would make what it names.
  }
  const parent = dirname(path);
  // More links than any system follows: nothing can be opened there.
  if (parent === path || followed > MOST_LINKS) return path;
  const place = join(realPathOf(parent, followed), basename(path));
  const target = linkAt(place);
  return target === null ? place : realPathOf(resolve(dirname(place), target), followed + 1);
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
