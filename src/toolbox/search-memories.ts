/** A search in memory: what recall finds, each hit with the memory itself. */

import type { Memory, MemoryEntry, Recalled } from '../memory/memory.ts';

export interface Hit {
  readonly recalled: Recalled;
  readonly entry: MemoryEntry;
}

/** Certain ones first; otherwise best first, as recall has them. */
export async function findHits(memory: Memory, search: { query: string; limit: number }): Promise<readonly Hit[]> {
  const recalled = await memory.recall(search.query, { limit: search.limit });
  const found = await Promise.all(
    recalled.map(async (each) => {
      // What vanished since it was ranked is simply not among the results.
      const entry = await memory.get(each.file, { scope: each.scope }).catch(() => null);
      return entry === null ? [] : [{ recalled: each, entry }];
    }),
  );
  const hits = found.flat();
  return [...hits.filter(({ recalled: { certain } }) => certain), ...hits.filter(({ recalled }) => !recalled.certain)];
}
