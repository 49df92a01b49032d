/** Words of the encoder's vocabulary that share a stem. */

import type { Encoder } from '../model/encoder/encoder.ts';
import { stem } from './stem.ts';

/** Shorter words have no stem but themselves. */
const SHORTEST = 4;
const LETTERS = 27;

/** Tokens with the stem of the given one. Stemming all words at the start would cost more than a hundred queries save, so
 *  they are only sorted by their first three letters, which no stem touches. */
export function createWordFamilies(encoder: Encoder): (token: number) => readonly number[] {
  let lists: { readonly first: Int32Array; readonly next: Int32Array } | undefined;

  function sortByBeginning() {
    const first = new Int32Array(LETTERS ** 3).fill(-1);
    const next = new Int32Array(encoder.rows).fill(-1);
    for (let token = encoder.rows - 1; token >= 0; token--) {
      const at = beginning(encoder.word(token));
      if (at === -1) continue;
      next[token] = first[at]!;
      first[at] = token;
    }
    return { first, next };
  }

  return (token) => {
    const word = encoder.word(token);
    const at = beginning(word);
    if (at === -1) return [];
    lists ??= sortByBeginning();
    const own = stem(word);
    const family: number[] = [];
    for (let other = lists.first[at]!; other !== -1; other = lists.next[other]!) {
      if (stem(encoder.word(other)) === own) family.push(other);
    }
    return family;
  };
}

/** The first three letters as one number; -1 for short words, numbers and pieces of words. */
function beginning(word: string): number {
  if (word.length < SHORTEST) return -1;
  let code = 0;
  for (let at = 0; at < 3; at++) {
    const letter = word.charCodeAt(at) - 96;
    if (letter < 1 || letter >= LETTERS) return -1;
    code = code * LETTERS + letter;
  }
  return code;
}
