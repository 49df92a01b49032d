/** Whether a memory can hold some words at all, by the lists of terms alone: no encoder is loaded for what no memory names. */

import { findSorted } from './find-sorted.ts';
import type { StoredIndex } from './index-files.ts';
import { termsOf } from './terms.ts';

/** Whether one entry has every word. True also where the words have no terms to look for. */
export function holdsWords(segments: StoredIndex['segments'], words: string): boolean {
  // The stem of a word is a term of every text that has it, whatever language that is taken for.
  const hashes = [...new Set(termsOf(words, () => true).map(({ hash }) => hash))];
  return hashes.length === 0 || segments.some((stored) => holdsAll(stored, hashes));
}

function holdsAll({ segment, entry }: StoredIndex['segments'][number], hashes: readonly number[]): boolean {
  const lists: Uint32Array[] = [];
  for (const hash of hashes) {
    const at = findSorted(segment.terms, hash);
    if (at === -1) return false;
    lists.push(segment.termDocuments.subarray(segment.termStart[at], segment.termStart[at + 1]));
  }
  const [fewest, ...others] = lists.sort((one, other) => one.length - other.length);
  return fewest!.some((number) => others.every((list) => list.includes(number)) && !entry.dead.includes(number));
}
