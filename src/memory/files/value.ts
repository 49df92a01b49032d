/** A value of a memory's header on its way to the file: cleaned, shortened, and written on one line. */

import { singleLine, writeMapping, writeQuoted, writeScalar } from '../../base/front-matter/scalar.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { HEADER_LIMITS } from '../../limits.ts';
import type { Quote } from './quote.ts';

/** Characters of each quote of a memory when it is written. */
const QUOTE_CHARACTERS = 500;

export type HeaderValue = string | boolean | Readonly<Record<string, string>> | readonly Quote[];

export function writeValue(value: HeaderValue, context: 'block' | 'flow'): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeScalar(cleanValue(value), context);
  if (isQuoteList(value)) return writeQuotes(quotesToWrite(value));
  const pairs = Object.entries(value).map(([key, text]) => [cleanValue(key), cleanValue(text)] as const);
  return writeMapping(Object.fromEntries(pairs));
}

/** A header's values have one line and nothing invisible in it. */
export function cleanValue(text: string): string {
  return singleLine(stripInvisible(text.replace(/\p{Surrogate}/gu, '\ufffd')).text);
}

export function isQuoteList(value: HeaderValue): value is readonly Quote[] {
  return Array.isArray(value);
}

/** One line each, without those that say nothing; of too many the last ones, which are the newest. */
export function cleanQuotes(quotes: readonly Quote[]): Quote[] {
  return quotes
    .map(({ text, at }) => ({ text: cleanLine(text), at: at === null ? null : cleanLine(at) || null }))
    .filter(({ text }) => text !== '')
    .slice(-HEADER_LIMITS.quotes);
}

/** What stands in the file after these were written. */
export function quotesToWrite(quotes: readonly Quote[]): Quote[] {
  return cleanQuotes(quotes).map(({ text, at }) => ({ text: shortened(text, QUOTE_CHARACTERS), at }));
}

/** A tab would need an escape, which only YAML reads. */
function cleanLine(text: string): string {
  return cleanValue(text).replaceAll('\t', ' ').trim();
}

/** Ends with a word, unless the last one is very long. */
function shortened(text: string, most: number): string {
  const characters = text.length <= most ? [] : [...text];
  if (characters.length <= most) return text;
  const head = characters.slice(0, most - 1).join('');
  const wordEnd = /^\s/.test(characters[most - 1]!) ? head.length : head.search(/\s+\S*$/);
  // The cut may leave a joiner with nothing to join.
  const kept = cleanLine(wordEnd < head.length / 2 ? head : head.slice(0, wordEnd));
  return `${kept}…`;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** In quotation marks whatever it says, so that the header is read without YAML; a day can be misread by nobody. */
function writeQuotes(quotes: readonly Quote[]): string {
  const written = quotes.map(({ text, at }) => {
    const time = at === null ? '' : `, at: ${DAY.test(at) ? at : writeQuoted(at)}`;
    return `{text: ${writeQuoted(text)}${time}}`;
  });
  return `[${written.join(', ')}]`;
}
