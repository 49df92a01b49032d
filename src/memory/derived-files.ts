/** The derived recall index of a memory: where it is, and its removal when something was purged. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryScope } from '../base/taxonomy.ts';
import { homeLayout } from '../disk/home.ts';
import { ReverieError } from '../errors.ts';
import type { Place } from '../settings/place.ts';

const RECALL_FOLDER = 'recall';

export function recallDirectory(place: Place): string {
  return join(place.folders[0]!.cacheDirectory, RECALL_FOLDER);
}

/** What was purged must not live on here; the index is made again. The global memories are in every project's. */
export async function removeRecallIndexes(place: Place, scope: MemoryScope): Promise<void> {
  const all = homeLayout(place.home).cacheIndex;
  const names = scope === 'global' ? await readdir(all).catch(() => []) : [];
  for (const directory of [recallDirectory(place), ...names.map((name) => join(all, name, RECALL_FOLDER))]) {
    try {
      await rm(directory, { recursive: true, force: true });
    } catch (error) {
      throw new ReverieError({
        code: 'storage',
        message: `The memory is purged, but its words are still in the derived index ${directory}`,
        fix: `Remove it; it is made again: rm -r ${directory}`,
        cause: error,
      });
    }
  }
}
