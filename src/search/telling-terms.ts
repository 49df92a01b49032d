/** Terms that name one thing: identifiers, ticket numbers, paths, names that no dictionary has. */

import type { Term } from './terms.ts';

const DIGITS = /^\p{N}+$/u;
/** Years are in every second text. */
const TELLING_NUMBER = /^(?!(?:19|20)\d\d$)\p{N}{3,}$/u;
const IDENTIFIER = /_|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
/** Numbers and identifiers: one is enough to recognise a text by. */
export function isCode({ word, known }: Term): boolean {
  if (DIGITS.test(word)) return TELLING_NUMBER.test(word);
  return known === null && IDENTIFIER.test(word);
}

export function isNumber({ word }: Term): boolean {
  return DIGITS.test(word);
}

const RARE_LETTERS = 3;
const ENDINGS = [/s$/, /es$/, /ed$/, /d$/, /ing$/, /ly$/];

/** Whether the dictionary has the word in no form; it has most words in one form only. */
export function isUnheardOf({ word, known }: Term, knows: (word: string) => boolean): boolean {
  const plain = word.toLowerCase();
  if (known !== false || plain.length < RARE_LETTERS) return false;
  return !ENDINGS.some((ending) => ending.test(plain) && knows(plain.replace(ending, '')));
}

/** Shorter ones are in two texts by chance. */
const TELLING_DIGITS = 4;

/** Whether one memory alone having the term says that the memory is meant. */
export function isTelling(term: Term, knows: (word: string) => boolean): boolean {
  if (isNumber(term) && term.word.length < TELLING_DIGITS) return false;
  return isCode(term) || (isUnheardOf(term, knows) && !isCompound(term.word, knows));
}

/** Shorter parts are in every word. */
const PART_LETTERS = 3;

/** Two common words in one, as in "workday": nobody's name, or it would be capitalised. */
function isCompound(word: string, knows: (word: string) => boolean): boolean {
  if (word !== word.toLowerCase()) return false;
  const stem = word.replace(/s$/, '');
  for (let at = PART_LETTERS; at <= stem.length - PART_LETTERS; at++) {
    if (knows(stem.slice(0, at)) && knows(stem.slice(at))) return true;
  }
  return false;
}
