/** Numbers of a write that nobody said: a guess, whatever the words around them. */

import { eachWord, type Word } from './words.ts';

export interface NumberFacts {
  /** Numbers that were said, as digits. */
  readonly said: ReadonlySet<string>;
  /** The user spoke of a day that only the writer can have counted: "tomorrow", said on a day that is not known here. */
  readonly hasUnknownDay: () => boolean;
}

const DATE = /\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}[./]\d{1,2}[./](?:\d{2}|\d{4})\b/g;
const YEAR = /^(?:19|20)\d\d$/;

/** The first number in the text that was in no way said; null when there is none. */
export function inventedNumber(text: string, facts: NumberFacts): string | null {
  const undated = text.replace(DATE, ' ');
  const numbers = numbersOf(undated !== text && facts.hasUnknownDay() ? undated : text);
  const isSaid = (keys: readonly string[]) => keys.some((key) => facts.said.has(key));
  const hasOther = numbers.some((keys) => !YEAR.test(keys[0]!) && isSaid(keys));
  const invented = numbers.find((keys) => {
    if (isSaid(keys)) return false;
    // Who says "4 October" means the one of this year.
    return !(YEAR.test(keys[0]!) && hasOther);
  });
  return invented?.[0] ?? null;
}

function numbersOf(text: string): (readonly string[])[] {
  const numbers: (readonly string[])[] = [];
  eachWord(text, new Map<string, Word | null>(), ({ keys }) => {
    if (/^\d/.test(keys[0]!)) numbers.push(keys);
  });
  return numbers;
}
