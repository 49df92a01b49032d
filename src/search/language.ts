/** How far the encoder can be trusted with a text: it knows one language, and finds likeness by chance in any other. */

import type { Encoder } from '../model/encoder/encoder.ts';
import type { Segment } from './segment.ts';

/** Share of known words below which a query counts as foreign, and above which as English. */
const FOREIGN_SHARE = 0.3;
const ENGLISH_SHARE = 0.6;
/** Share of a memory's words that the vocabulary has only in pieces: up to the first an English text has them, from the second on none does. */
const BROKEN_IN_ENGLISH = 0.2;
const BROKEN_IN_OTHERS = 0.32;
/** With fewer tokens two names are enough to look foreign. */
const TOKENS_TO_JUDGE_BY = 8;

/** A question in English has most of its words in the vocabulary; one in another language matches it by chance. */
export function trustInQuery(known: number): number {
  return between(known, FOREIGN_SHARE, ENGLISH_SHARE);
}

/** Short words of other languages are in the vocabulary too, but a memory has longer ones, which fall into pieces. One long name counts once, a number never. */
export function trustInMemory(encoder: Encoder, segment: Segment, number: number): number {
  const tokens = segment.tokens.subarray(segment.tokenStart[number]!, segment.tokenStart[number + 1]!);
  if (tokens.length < TOKENS_TO_JUDGE_BY) return 1;
  let [words, broken] = [0, 0];
  let piece: 'whole' | 'broken' | 'number' = 'number';
  for (const token of tokens) {
    const word = encoder.word(token);
    if (!word.startsWith('##')) {
      piece = /^\d/.test(word) ? 'number' : 'whole';
      if (piece === 'whole') words++;
    } else if (piece === 'whole') {
      piece = 'broken';
      broken++;
    }
  }
  return 1 - between(broken / Math.max(1, words), BROKEN_IN_ENGLISH, BROKEN_IN_OTHERS);
}

function between(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}
