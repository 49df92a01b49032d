/** Words of the encoder's vocabulary that share a stem. */

import { stem } from '../base/text/stem.ts';
import type { Encoder } from '../model/encoder/encoder.ts';

/** Shorter words have no stem but themselves. */
const SHORTEST = 4;

/** Tokens with the stem of the given one, among those that count. No stem touches the first three letters, so that only
 *  words with the same are stemmed. */
export function familyOf(
  token: number,
  facts: { readonly encoder: Encoder; readonly counts: (token: number) => boolean },
): readonly number[] {
  const { encoder, counts } = facts;
  const word = encoder.word(token);
  if (word.length < SHORTEST || !/^[a-z]{3}/.test(word)) return [];
  const own = stem(word);
  return encoder.beginningLike(word).filter((other) => counts(other) && stem(encoder.word(other)) === own);
}
