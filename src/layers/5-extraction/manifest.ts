/** The memories that an extraction is told of: those nearest to what the user said, which it may have to update, then the newest. */

import { setImmediate } from 'node:timers/promises';
import type { Limits } from '../../limits.ts';
import { keyOf } from '../../memory/key.ts';
import type { Memory, MemoryEntry } from '../../memory/memory.ts';
import { manifestLine } from '../../memory/shown/manifest.ts';
import type { ExtractionManifest, Span } from './index.ts';

export interface ManifestFacts {
  readonly memory: Pick<Memory, 'list' | 'rank'>;
  readonly limits: Limits['extraction'];
}

type Said = Pick<Span, 'said' | 'wishes'>;

export async function extractionManifest(said: Said, facts: ManifestFacts): Promise<ExtractionManifest> {
  const { listedMemories, descriptionCharacters } = facts.limits;
  const nearest = await nearestTo(said, facts);
  const shown = new Set(nearest.map(keyOf));
  const others = (await facts.memory.list()).filter((entry) => isFact(entry) && !shown.has(keyOf(entry)));
  const byAge = others.toSorted((one, other) => (one.modified < other.modified ? 1 : -1));
  const newest = byAge.slice(0, Math.max(0, listedMemories - nearest.length));
  // The whole path: an update begins with reading it.
  const lineOf = (entry: MemoryEntry) => manifestLine({ ...entry, file: entry.path }, { descriptionCharacters });
  return { nearest: nearest.map(lineOf), newest: newest.map(lineOf), more: others.length - newest.length };
}

/** Each message has its say, wishes first and the newest first among them; the best of each comes before the second best of any. */
async function nearestTo({ said, wishes }: Said, { memory, limits }: ManifestFacts): Promise<readonly MemoryEntry[]> {
  const { nearestMemories: limit, nearestCharacters } = limits;
  const others = said.filter((each) => !wishes.includes(each));
  const asked = [...wishes.toReversed(), ...others.toReversed()].slice(0, limit);
  const ranked: (readonly MemoryEntry[])[] = [];
  for (const { text } of asked) {
    // Where nothing can be ranked, the newest are still told of.
    ranked.push(await memory.rank(text.slice(0, nearestCharacters), { limit }).catch(() => []));
    await setImmediate();
  }
  const found = new Map<string, MemoryEntry>();
  for (let place = 0; place < limit; place++) {
    for (const entry of ranked.flatMap((each) => each.filter(isFact)[place] ?? [])) {
      if (found.size < limit) found.set(keyOf(entry), entry);
    }
  }
  return [...found.values()];
}

/** What was refuted or superseded is not to be updated any more. */
function isFact({ refuted, supersededBy }: Pick<MemoryEntry, 'refuted' | 'supersededBy'>): boolean {
  return refuted === null && supersededBy === null;
}
