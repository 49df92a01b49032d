/** Paths by the time of their last change, newest first: what is being worked on is what is looked for. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** Files that are looked at before the conversation gets its turn. */
const SLICE_FILES = 500;

export async function newestFirst(paths: readonly string[], folder: string): Promise<readonly string[]> {
  const dated: { path: string; modifiedMs: number }[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % SLICE_FILES === SLICE_FILES - 1) await setImmediate();
    dated.push({ path, modifiedMs: modifiedAt(resolve(folder, path)) });
  }
  return dated
    .toSorted((one, other) => other.modifiedMs - one.modifiedMs || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
