/** Whether an edit says nothing that the memory did not say before: a slip mended, a sentence taken out, a day written as its date. */

import { withAbsoluteDates } from '../../lib/relative-dates.ts';
import { normalise } from './normalise.ts';
import { partsOf } from './parts.ts';

export interface MemoryText {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

export interface CarriedFacts {
  readonly before: MemoryText;
  /** The day from which relative dates of the old text count; null when it is not known. */
  readonly day: Date | null;
}

/** Sentence by sentence: words alone would carry "push to main" by "never push to main". */
export function isCarried(after: MemoryText, { before, day }: CarriedFacts): boolean {
  const old = sentencesOf(before);
  const dated = day === null ? [] : old.map((sentence) => withAbsoluteDates(sentence, day));
  const known = [...new Set([...old, ...dated])].map(wordsOf);
  const joined = new Set(known.map((words) => words.join(' ')));
  return sentencesOf(after).every((sentence) => {
    const words = wordsOf(sentence);
    return joined.has(words.join(' ')) || known.some((each) => isMended(words, each));
  });
}

function sentencesOf(memory: MemoryText): string[] {
  return partsOf({ ...memory, type: '' }).map(({ text }) => text);
}

const EDGES = /^[.,;:!?'"()*_\u2026]+|[.,;:!?'"()*_\u2026]+$/g;

function wordsOf(sentence: string): readonly string[] {
  return normalise(sentence)
    .split(' ')
    .map((word) => word.replace(EDGES, ''))
    .filter((word) => word !== '');
}

/** More than these are no slips. */
const MOST_SLIPS = 3;
/** In a short word one letter makes another word of it: `now` and `not`. */
const SHORT_WORD = 5;

function isMended(words: readonly string[], old: readonly string[]): boolean {
  if (words.length !== old.length) return false;
  let slips = 0;
  for (const [at, word] of words.entries()) {
    if (word === old[at]) continue;
    slips += 1;
    if (slips > MOST_SLIPS || !isSlip(word, old[at]!)) return false;
  }
  return true;
}

/** One letter too many, too few, another, or two that changed places; never in a number. */
function isSlip(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < SHORT_WORD || /\d/.test(one + other)) return false;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const rest = { short: short.slice(start), long: long.slice(start) };
  if (short.length < long.length) return rest.short === rest.long.slice(1);
  if (rest.short.slice(1) === rest.long.slice(1)) return true;
  const [first = '', second = ''] = rest.short;
  return rest.long === second + first + rest.short.slice(2);
}
