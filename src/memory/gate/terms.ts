/** What a text is about, as terms that two texts can share. */

import { eachWord, type Word } from './words.ts';

export type Terms = readonly Word[];

/** Each term once. */
export function termsOf(text: string): Terms {
  const terms = new Map<string, Word>();
  eachWord(text, new Map(), (word) => void terms.set(word.keys[0]!, terms.get(word.keys[0]!) ?? word));
  return [...terms.values()];
}

/** Everything that a term may be met by. */
export function keysOf(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).flatMap(({ keys }) => keys));
}

export interface Overlap {
  /** How many terms are shared. */
  readonly count: number;
  /** Their share of what all terms weigh. */
  readonly share: number;
}

export function overlap(terms: Terms, keys: ReadonlySet<string>): Overlap {
  let [total, met, count] = [0, 0, 0];
  for (const word of terms) {
    total += word.weight;
    if (!word.keys.some((key) => keys.has(key))) continue;
    met += word.weight;
    count += 1;
  }
  return { count, share: total === 0 ? 0 : met / total };
}
