/** The memories listed for an extraction: those nearest to what the user said, which it may have to update, then the newest. */

import { setImmediate } from 'node:timers/promises';
import { inTurns, type Steps } from '../../base/async/in-turns.ts';
import { keyOf } from '../../memory/key.ts';
import type { Memory, MemoryEntry } from '../../memory/memory.ts';
import { manifestLine } from '../../memory/shown/manifest.ts';
import type { ExtractionManifest, Span } from './index.ts';

/** Memories listed for a run, and characters of each description: the newest, and first those nearest to what the user said,
 * compared by this many characters of this many messages. */
const LISTED_MEMORIES = 20;
const DESCRIPTION_CHARACTERS = 120;
const NEAREST_MEMORIES = 5;
const NEAREST_CHARACTERS = 2_000;

export interface ManifestFacts {
  readonly memory: Pick<Memory, 'list' | 'rank'>;
}

type Said = Pick<Span, 'said' | 'wishes'>;

export async function extractionManifest(said: Said, facts: ManifestFacts): Promise<ExtractionManifest> {
  const nearest = await nearestTo(said, facts);
  const shown = new Set(nearest.map(keyOf));
  const isOther = (entry: MemoryEntry) => isFact(entry) && !shown.has(keyOf(entry));
  const room = Math.max(0, LISTED_MEMORIES - nearest.length);
  const { newest, count } = await inTurns(findingNewest(await facts.memory.list(), { isOther, room }));
  // The full path: an update begins with reading it.
  const lineOf = (entry: MemoryEntry) =>
    manifestLine({ ...entry, file: entry.path }, { descriptionCharacters: DESCRIPTION_CHARACTERS });
  return { nearest: nearest.map(lineOf), newest: newest.map(lineOf), more: count - newest.length };
}

const ENTRIES_PER_STEP = 1_000;

/** In steps, since there may be a hundred thousand. */
function* findingNewest(
  entries: readonly MemoryEntry[],
  { isOther, room }: { readonly isOther: (entry: MemoryEntry) => boolean; readonly room: number },
): Steps<{ newest: readonly MemoryEntry[]; count: number }> {
  let [newest, count]: [readonly MemoryEntry[], number] = [[], 0];
  for (let from = 0; from < entries.length; from += ENTRIES_PER_STEP) {
    const others = entries.slice(from, from + ENTRIES_PER_STEP).filter(isOther);
    count += others.length;
    const byAge = [...newest, ...others].toSorted((one, other) => (one.modified < other.modified ? 1 : -1));
    newest = byAge.slice(0, room);
    yield;
  }
  return { newest, count };
}

/** Each message counts, requests first and the newest first among them; the best match of each comes before the second best of any. */
async function nearestTo({ said, wishes }: Said, { memory }: ManifestFacts): Promise<readonly MemoryEntry[]> {
  const others = said.filter((each) => !wishes.includes(each));
  const asked = [...wishes.toReversed(), ...others.toReversed()].slice(0, NEAREST_MEMORIES);
  const ranked: (readonly MemoryEntry[])[] = [];
  for (const { text } of asked) {
    // If nothing can be ranked, the newest are still listed.
    ranked.push(await memory.rank(text.slice(0, NEAREST_CHARACTERS), { limit: NEAREST_MEMORIES }).catch(() => []));
    await setImmediate();
  }
  const found = new Map<string, MemoryEntry>();
  for (let place = 0; place < NEAREST_MEMORIES; place++) {
    for (const entry of ranked.flatMap((each) => each.filter(isFact)[place] ?? [])) {
      if (found.size < NEAREST_MEMORIES) found.set(keyOf(entry), entry);
    }
  }
  return [...found.values()];
}

/** A refuted or superseded memory is not updated any more. */
function isFact({ refuted, supersededBy }: Pick<MemoryEntry, 'refuted' | 'supersededBy'>): boolean {
  return refuted === null && supersededBy === null;
}
