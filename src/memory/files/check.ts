/** Reads an edited memory file back: exactly what was asked for has changed, and nothing else. */

import { decodeText } from '../../base/front-matter/bytes.ts';
import type { Field } from '../../base/front-matter/field.ts';
import { locateFrontMatter } from '../../base/front-matter/locate.ts';
import { readHeader } from '../../base/front-matter/read-header.ts';
import { isMemoryType } from '../../base/taxonomy.ts';
import { aliasesIn, KNOWN_KEYS, readQuotes, visibleValue } from './metadata.ts';
import { bodyText, headerText, type ParsedMemory, parseMemoryFile } from './parse.ts';
import type { Quote } from './quote.ts';
import { cleanQuotes, cleanValue, type HeaderValue, isQuoteList, quotesToWrite } from './value.ts';

export interface MemoryFileChanges {
  readonly set?: Readonly<Record<string, HeaderValue>>;
  readonly remove?: readonly string[];
  readonly body?: string;
}

type Pairs = Readonly<Record<string, string>>;
type Reading = string | Pairs | readonly Quote[] | null | undefined;

/** Null when all is as it should be, else what is not, to follow "the file was left as it is". */
export function differenceAfterEdit(edit: {
  before: Uint8Array;
  after: Uint8Array;
  changes: MemoryFileChanges;
}): string | null {
  const before = parseMemoryFile(edit.before);
  const after = parseMemoryFile(edit.after);
  const { changes } = edit;
  const expectedBody = changes.body === undefined ? before.body : bodyText(changes.body);
  if (after.body !== expectedBody) return 'the text would not come out as it should';

  const set = new Map(Object.entries(changes.set ?? {}).map(([key, value]) => [key.toLowerCase(), value]));
  const removed = new Set((changes.remove ?? []).map((key) => key.toLowerCase()));
  for (const key of KNOWN_KEYS) {
    const value = set.get(key);
    const kept = removed.has(key) ? undefined : readingOf(before, key);
    const expected = value === undefined ? kept : expectedReading(key, value);
    if (!isSameReading(expected, readingOf(after, key))) return `\`${key}\` would not come out as it should`;
  }
  const isNamed = (key: string) => set.has(key) || removed.has(key);
  const others = (bytes: Uint8Array) =>
    otherKeys(bytes)
      .filter((key) => !isNamed(key))
      .join('\n');
  if (before.hasFrontMatter && others(edit.before) !== others(edit.after)) return 'another key would change';
  const unknownSet = [...set.keys()].filter((key) => !KNOWN_KEYS.has(key));
  const missing = unknownSet.find((key) => !otherKeys(edit.after).includes(key));
  return missing === undefined ? null : `\`${missing}\` would not come out as it should`;
}

/** Whether the field says this already, so that it need not be touched. */
export function fieldHolds(field: Field, value: HeaderValue): boolean {
  if (field.recovered) return false;
  if (typeof value !== 'object') return field.value.kind === 'text' && field.value.text === cleanValue(String(value));
  if (isQuoteList(value)) return isSameQuotes(readQuotes(field), quotesToWrite(value));
  if (field.value.kind !== 'mapping') return false;
  const held = Object.fromEntries(field.value.pairs);
  return isSamePairs(held, cleanPairs(value));
}

function readingOf(memory: ParsedMemory, key: string): Reading {
  if (key === 'origin') return memory.origin;
  if (key === 'aliases') return memory.aliases.join(', ') || undefined;
  return key === 'quote' ? memory.quotes : memory.meta[key];
}

function expectedReading(key: string, value: HeaderValue): Reading {
  if (isQuoteList(value)) return key === 'quote' ? quotesToWrite(value) : undefined;
  if (typeof value === 'object') return key === 'origin' ? cleanPairs(value) : undefined;
  const text = visibleValue(cleanValue(String(value)));
  if (text.trim() === '') return undefined;
  if (key === 'aliases') return aliasesIn(text).join(', ') || undefined;
  if (key === 'origin') return { from: text };
  if (key === 'quote') return cleanQuotes([{ text, at: null }]);
  const word = text.trim().toLowerCase();
  return key === 'type' && isMemoryType(word) ? word : text;
}

function cleanPairs(value: Pairs): Pairs {
  const pairs = Object.entries(value).map(([key, text]) => [cleanValue(key).trim(), cleanValue(text)] as const);
  return Object.fromEntries(pairs.filter(([key, text]) => key !== '' && text.trim() !== ''));
}

function isSameReading(expected: Reading, found: Reading): boolean {
  if (typeof expected !== 'object' || expected === null || typeof found !== 'object' || found === null) {
    const isNothing = (reading: Reading) =>
      reading === undefined || reading === null || (typeof reading === 'object' && Object.keys(reading).length === 0);
    return expected === found || (isNothing(expected) && isNothing(found));
  }
  if (isQuoteList(expected) || isQuoteList(found)) {
    return isQuoteList(expected) && isQuoteList(found) && isSameQuotes(expected, found);
  }
  return isSamePairs(expected, found);
}

function isSameQuotes(left: readonly Quote[], right: readonly Quote[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ text, at }, position) => text === right[position]?.text && at === right[position].at)
  );
}

function isSamePairs(left: Pairs, right: Pairs): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

/** Keys that are not a memory's own; none of a header that is read in part only, where the part shifts with the edit. */
function otherKeys(bytes: Uint8Array): string[] {
  const { text } = decodeText(bytes);
  const located = locateFrontMatter(text, { partial: false });
  if (located.kind !== 'found') return [];
  const { header, isCut } = headerText(text, located);
  const reading = isCut ? null : readHeader(header, { known: KNOWN_KEYS, withPlaces: true });
  if (reading?.kind !== 'mapping') return [];
  return reading.fields.filter((field) => !KNOWN_KEYS.has(field.key)).map((field) => field.key);
}
