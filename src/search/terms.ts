/** Turns text into the terms that are looked up: words of any language, stems, identifiers and their parts. */

import { madeOnce } from '../base/made-once.ts';
import { stem } from '../base/text/stem.ts';
import { datesIn, type WrittenDate } from './dates.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Scripts without spaces between words; a dictionary has to find them. */
const unspaced = madeOnce(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu,
);
/** How words, and the parts of an identifier, look in any language. Made when a text needs it: sets of characters this large take milliseconds. */
const written = madeOnce(() => ({
  word: /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}_]*/gu,
  part: /\p{Lu}+(?![\p{Ll}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}\p{M}]+|\p{N}+/gu,
  number: /^\p{N}/u,
}));
/** The same for ASCII: patterns over all of Unicode take milliseconds to compile. */
const WRITTEN_ASCII: ReturnType<typeof written> = {
  word: /[a-z0-9][a-z0-9_]*/gi,
  part: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g,
  number: /^[0-9]/,
};
const ASCII = /^[\0-\x7f]*$/;
/** Created when a text needs it, because that takes ten milliseconds. */
const segmenter = madeOnce(() => new Intl.Segmenter('en', { granularity: 'word' }));
/** Inflected languages change the end of a word: words with this many letters in common count as one. */
const COMMON_BEGINNING = 5;

export interface Term {
  /** 32 bits represent the word: no dictionary is needed, and at most two words in 100,000 share a number. */
  readonly hash: number;
  /** As written in the text, for explanations. */
  readonly word: string;
  /** Whether the encoder has a word for it; null when that says nothing about the language: numbers, identifiers. */
  readonly known: boolean | null;
}

/** `isEnglish` identifies words of the encoder's language, for which stems are better than common beginnings. */
export function termsOf(text: string, isEnglish: (word: string) => boolean): readonly Term[] {
  const terms: Term[] = [];
  const ascii = ASCII.test(text);
  const patterns = ascii ? WRITTEN_ASCII : written();
  const spaced = ascii ? text : withoutUnspaced(text, terms);
  for (const [word] of spaced.replace(/['\u2019](s\b)?/g, '').matchAll(patterns.word)) {
    const parts = word.match(patterns.part) ?? [];
    for (const part of parts) addWord(part, terms, { isEnglish, number: patterns.number });
    if (parts.length > 1) terms.push(termOf(plain(word.replaceAll('_', '')), word, null));
  }
  return terms;
}

/** Dates that a text names, as terms of their own: they meet however they are written. */
export function dateTermsOf(text: string): readonly Term[] {
  return datesIn(text).dates.map(dateTerm);
}

/** The terms of a question: a date in it is one thing, not three numbers and words. */
export function queryTermsOf(query: string, isEnglish: (word: string) => boolean): readonly Term[] {
  const { dates, rest } = datesIn(query);
  return [...termsOf(rest, isEnglish), ...dates.map(dateTerm)];
}

function dateTerm({ spelling, name }: WrittenDate): Term {
  return termOf(spelling, name, null);
}

/** Share of a query's words that the encoder knows; 1 when it has none to judge by. */
export function knownShare(terms: readonly Term[]): number {
  const judged = terms.filter(({ known }) => known !== null);
  return judged.length === 0 ? 1 : judged.filter(({ known }) => known).length / judged.length;
}

/** More than one word, in any language: a single word is not a question. */
export function hasSeveralWords(text: string): boolean {
  const beginning = text.slice(0, 200);
  if (/[a-z0-9][ \t\r\n]+[a-z0-9]/i.test(beginning)) return true;
  if (/^[ \t\r\n.,!?]*[a-z]*[ \t\r\n.,!?]*$/i.test(beginning)) return false;
  let count = 0;
  for (const { isWordLike } of segmenter().segment(beginning)) if (isWordLike && ++count > 1) return true;
  return false;
}

function addWord(
  written: string,
  terms: Term[],
  facts: { readonly isEnglish: (word: string) => boolean; readonly number: RegExp },
): void {
  const word = plain(written);
  if (STOP_WORDS.has(word)) return;
  if (facts.number.test(word)) {
    terms.push(termOf(word, written, null));
    return;
  }
  const known = facts.isEnglish(word);
  terms.push(termOf(stem(word), written, known));
  if (word.length > COMMON_BEGINNING && !known) {
    terms.push(termOf(`${word.slice(0, COMMON_BEGINNING)}-`, written, null));
  }
}

function withoutUnspaced(text: string, terms: Term[]): string {
  return text.normalize('NFKC').replace(unspaced(), (run) => {
    addUnspaced(run, terms);
    return ' ';
  });
}

/** Words by dictionary, and pairs of neighbours, since query and memory may be split differently. */
function addUnspaced(run: string, terms: Term[]): void {
  let previous = '';
  for (const segment of segmentsOf(run)) {
    if (STOP_WORDS.has(segment)) {
      previous = '';
      continue;
    }
    terms.push(termOf(segment, segment, false));
    for (const character of segment) {
      if (previous !== '') terms.push(termOf(`${previous}${character}-`, previous + character, null));
      previous = character;
    }
  }
}

/** No sentence is as long as a piece; the time that the segmenter takes grows with more than the length. */
const SEGMENTED_CHARACTERS = 256;

function* segmentsOf(run: string): Generator<string> {
  for (let at = 0; at < run.length; at += SEGMENTED_CHARACTERS) {
    for (const { segment } of segmenter().segment(run.slice(at, at + SEGMENTED_CHARACTERS))) yield segment;
  }
}

function plain(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

function termOf(spelling: string, word: string, known: boolean | null): Term {
  return { hash: hashOf(spelling), word, known };
}

/** FNV-1a with a final mix, so that short words spread over all 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
