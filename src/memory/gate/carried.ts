/** Whether an edit says nothing that the memory did not say before: a slip corrected, a sentence taken out, a day written as its date. */

import { withAbsoluteDates } from '../../base/dates/relative-dates.ts';
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

// Words as people mistype them: "wendsday".

/** In a short word one letter makes another word of it: `now` and `not`. */
const SHORT_WORD = 5;

/** One letter too many, too few, another, or two that changed places; never in a number. */
function isSlip(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= SHORT_WORD && !/\d/.test(one + other) && slipsBetween(one, other) <= 1;
}

/** How many letters are too many, too few, others or swapped; three stands for more. */
function slipsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let slips = Math.min(last[column]! + 1, now[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwapped) slips = Math.min(slips, before[column - 2]! + 1);
      now.push(slips);
    }
    before = last;
    last = now;
  }
  return Math.min(3, last[other.length]!);
}
