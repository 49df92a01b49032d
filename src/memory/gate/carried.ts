/** Whether an edit says nothing that the memory did not say before: a slip corrected, a sentence taken out, a day written as its date. */

import { withAbsoluteDates } from '../../base/dates/relative-dates.ts';
import { normalise } from './normalise.ts';
import { partsOf } from './parts.ts';
import { isSlip } from './spelling.ts';

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
