/** Text to the terms that are looked up: words of any language, stems, identifiers and their parts. */

import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Scripts that put no space between words; a dictionary has to find them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const WRITTEN_WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}_]*/gu;
const IDENTIFIER_PART = /\p{Lu}+(?![\p{Ll}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}\p{M}]+|\p{N}+/gu;
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
/** Inflected languages change the end of a word: what has this many letters in common is taken for one word. */
const COMMON_BEGINNING = 5;

export interface Term {
  /** 32 bits stand for the word: no dictionary has to be kept, and two words in 100,000 share a number at most. */
  readonly hash: number;
  /** As written in the text, for explanations. */
  readonly word: string;
  /** Whether the encoder has a word for it; null where that says nothing about the language: numbers, identifiers. */
  readonly known: boolean | null;
}

/** `isEnglish` tells the words of the encoder's language, for which stems are better than common beginnings. */
export function termsOf(text: string, isEnglish: (word: string) => boolean): readonly Term[] {
  const terms: Term[] = [];
  const spaced = text.normalize('NFKC').replace(UNSPACED, (run) => {
    addUnspaced(run, terms);
    return ' ';
  });
  for (const [written] of spaced.replace(/['\u2019](s\b)?/g, '').matchAll(WRITTEN_WORD)) {
    const parts = written.match(IDENTIFIER_PART) ?? [];
    for (const part of parts) addWord(part, terms, isEnglish);
    if (parts.length > 1) terms.push(termOf(plain(written.replaceAll('_', '')), written, null));
  }
  return terms;
}

/** Share of a query's words that the encoder knows; 1 when it has none to judge by. */
export function knownShare(terms: readonly Term[]): number {
  const judged = terms.filter(({ known }) => known !== null);
  return judged.length === 0 ? 1 : judged.filter(({ known }) => known).length / judged.length;
}

/** More than one word, in any language: a single word is no question. */
export function hasSeveralWords(text: string): boolean {
  let count = 0;
  for (const { isWordLike } of SEGMENTER.segment(text.slice(0, 200))) if (isWordLike && ++count > 1) return true;
  return false;
}

function addWord(written: string, terms: Term[], isEnglish: (word: string) => boolean): void {
  const word = plain(written);
  if (STOP_WORDS.has(word)) return;
  if (/^\p{N}/u.test(word)) {
    terms.push(termOf(word, written, null));
    return;
  }
  const known = isEnglish(word);
  terms.push(termOf(stem(word), written, known));
  if (word.length > COMMON_BEGINNING && !known) {
    terms.push(termOf(`${word.slice(0, COMMON_BEGINNING)}-`, written, null));
  }
}

/** Words by dictionary, and pairs of neighbours, since query and memory may be cut differently. */
function addUnspaced(run: string, terms: Term[]): void {
  let previous = '';
  for (const { segment } of SEGMENTER.segment(run)) {
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

function plain(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

function termOf(spelling: string, word: string, known: boolean | null): Term {
  return { hash: hashOf(spelling), word, known };
}

/** FNV-1a with a last stir, so that short words spread over all 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
