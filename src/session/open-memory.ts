/** Joins store, memory files and scopes into the one object that programs use. */

import type { Memory } from './memory.ts';
import { describeOff } from './memory-off.ts';
import { memoryReads } from './memory-reads.ts';
import { memoryWrites } from './memory-writes.ts';
import { findPlace, type PlaceOptions } from './place.ts';
import { openScopes } from './scopes.ts';

export type OpenMemoryOptions = PlaceOptions;

/**
 * Opens the memory of a project together with the user's global one, or a folder that stands alone. What a killed
 * process left half done is finished first; edits made with an editor are journalled in the background.
 */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  const place = findPlace(options);
  if (place.offReason !== null) return describeOff(place.offReason);
  const scopes = await openScopes(place);
  return {
    enabled: true,
    offReason: null,
    folders: Object.fromEntries(scopes.folders.map((folder) => [folder.scope, folder.path])),
    ...memoryReads(scopes),
    ...memoryWrites(scopes),
    problems: () => [...scopes.problems, ...scopes.offers],
    async close() {
      await scopes.settled();
      await Promise.all(scopes.folders.map((folder) => folder.close()));
    },
  };
}
