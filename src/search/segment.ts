/** A part of the local index that never changes: the words and tokens of some memories, in flat arrays. */

import type { Encoder } from '../model/encoder/encoder.ts';
import { commonAliasesIn } from './aliases/common-aliases.ts';
import { dateTermsOf, termsOf } from './terms.ts';
import { type TokenHolders, turnOverTokens } from './token-holders.ts';

export interface RecallDocument {
  /** Scope and file. */
  readonly key: string;
  readonly hash: string;
  readonly name: string;
  readonly description: string;
  /** Other names for what it is about. */
  readonly aliases?: string;
  /** When it was written, in words or as an ISO date. */
  readonly date?: string;
  readonly body: string;
}

/** An array, or a reader that gets a name from a file on demand: a search needs five of a hundred thousand. */
export interface DocumentNames {
  readonly length: number;
  at(number: number): readonly [key: string, hash: string] | undefined;
}

export interface Segment {
  readonly documents: DocumentNames;
  /** Distinct tokens of document `d`: `tokens[tokenStart[d]] … tokens[tokenStart[d + 1] - 1]`. */
  readonly tokenStart: Uint32Array;
  readonly tokens: Uint32Array;
  readonly holders: TokenHolders;
  /** Length of the sum of a document's token rows; without its name, which is often just a number. */
  readonly sumLengths: Float32Array;
  /** Sorted; term `t` is in the documents `termDocuments[termStart[t]] … termDocuments[termStart[t + 1] - 1]`. */
  readonly terms: Uint32Array;
  readonly termStart: Uint32Array;
  readonly termDocuments: Uint32Array;
  /** How often, weighted by field, in units of `FREQUENCY_UNIT`. */
  readonly termFrequencies: Uint8Array;
  /** Sum of a document's weighted frequencies, in the same units. */
  readonly termLengths: Float32Array;
}

export const FREQUENCY_UNIT = 0.5;
/** A word in the name says more than one in the body. The largest field counts, not the sum: a description that repeats
 * the body adds nothing. */
const FIELD_WEIGHTS = [
  ['name', 2],
  ['aliases', 2],
  ['description', 1.5],
  ['body', 1],
] as const;

/** A memory is a note. Pasted text is read only this far, so that no file holds up the others. */
const READ_CHARACTERS = 20_000;

/** Terms of one document, before they are inverted into lists by term. */
interface Forward {
  readonly tokens: Uint32Array;
  readonly sumLength: number;
  readonly frequencies: ReadonlyMap<number, number>;
  readonly termLength: number;
}

/** In steps of one memory each. */
export function* buildSegment(documents: readonly RecallDocument[], encoder: Encoder | null): Generator<void, Segment> {
  const forwards: Forward[] = [];
  for (const document of documents) {
    forwards.push(readDocument(document, encoder));
    yield;
  }
  const byTerm = new Map<number, number[]>();
  for (const [at, { frequencies }] of forwards.entries()) {
    yield;
    for (const [term, frequency] of frequencies) {
      const list = byTerm.get(term);
      const units = Math.min(255, Math.round(frequency / FREQUENCY_UNIT));
      if (list === undefined) byTerm.set(term, [at, units]);
      else list.push(at, units);
    }
  }
  const terms = Uint32Array.from(byTerm.keys()).sort();
  const termStart = new Uint32Array(terms.length + 1);
  for (let at = 0; at < terms.length; at++) termStart[at + 1] = termStart[at]! + byTerm.get(terms[at]!)!.length / 2;
  const termDocuments = new Uint32Array(termStart[terms.length]!);
  const termFrequencies = new Uint8Array(termDocuments.length);
  for (let at = 0; at < terms.length; at++) {
    const list = byTerm.get(terms[at]!)!;
    let to = termStart[at]!;
    for (let from = 0; from < list.length; from += 2) {
      termDocuments[to] = list[from]!;
      termFrequencies[to++] = list[from + 1]!;
    }
  }
  const tokenStart = new Uint32Array(forwards.length + 1);
  for (const [at, { tokens }] of forwards.entries()) tokenStart[at + 1] = tokenStart[at]! + tokens.length;
  const tokens = new Uint32Array(tokenStart[forwards.length]!);
  for (const [at, forward] of forwards.entries()) tokens.set(forward.tokens, tokenStart[at]!);
  return {
    documents: documents.map(({ key, hash }) => [key, hash] as const),
    tokenStart,
    tokens,
    holders: yield* turnOverTokens({ tokens, tokenStart }),
    sumLengths: Float32Array.from(forwards, ({ sumLength }) => sumLength),
    terms,
    termStart,
    termDocuments,
    termFrequencies,
    termLengths: Float32Array.from(forwards, ({ termLength }) => termLength),
  };
}

/** Words the encoder knows as a whole. */
export function englishWords(encoder: Encoder | null): (word: string) => boolean {
  return encoder === null ? () => true : encoder.knows;
}

/** Its own, and those that everybody uses for what it names. */
function aliasesOf({ name, aliases = '', description, body }: RecallDocument): string {
  const common = commonAliasesIn(`${name}\n${aliases}\n${description}\n${body}`.slice(0, READ_CHARACTERS));
  return [aliases, ...common].join('\n');
}

function readDocument(given: RecallDocument, encoder: Encoder | null): Forward {
  const document = { ...given, aliases: aliasesOf(given) };
  const isEnglish = englishWords(encoder);
  const frequencies = new Map<number, number>();
  for (const [field, weight] of FIELD_WEIGHTS) {
    const counts = new Map<number, number>();
    for (const { hash } of termsOf(document[field].slice(0, READ_CHARACTERS), isEnglish))
      counts.set(hash, (counts.get(hash) ?? 0) + weight);
    for (const [hash, count] of counts) frequencies.set(hash, Math.max(count, frequencies.get(hash) ?? 0));
  }
  // A question's date is looked up as a date alone, so each field is read for dates; the day it was written first, which no long text may cut off.
  const dated = [given.date, given.name, given.aliases, given.description, given.body].join('\n');
  for (const { hash } of dateTermsOf(dated.slice(0, READ_CHARACTERS))) frequencies.set(hash, 1);
  let termLength = 0;
  for (const frequency of frequencies.values()) termLength += frequency;
  if (encoder === null) return { tokens: new Uint32Array(0), sumLength: 0, frequencies, termLength };
  // Common ones count as words alone: their pieces, single letters, are near everything.
  const { name, aliases = '', description, body } = given;
  const text = new Set(encoder.tokens(`${description}\n${body}`.slice(0, READ_CHARACTERS)));
  const tokens = new Set([...encoder.tokens(`${name}\n${aliases}`.slice(0, READ_CHARACTERS)), ...text]);
  const sum = encoder.sum(text.size === 0 ? tokens : text);
  return { tokens: Uint32Array.from(tokens), sumLength: Math.hypot(...sum), frequencies, termLength };
}
