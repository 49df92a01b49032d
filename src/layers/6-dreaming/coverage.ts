/** How much of a text that goes still stands in what remains: the share of its rare terms, those that few memories have. */

import { atOnce, type Steps } from '../../lib/in-turns.ts';
import type { Limits } from '../../limits.ts';
import { eachWord, type Word } from '../../memory/gate/words.ts';

/** What all memories together say about how rare a word is. */
export interface Corpus {
  readonly memories: number;
  /** In how many memories a word stands, by its first key. */
  readonly frequency: (key: string) => number;
  /** Words that somebody wrote in small letters: such a word is no name, wherever it stands. */
  readonly small: ReadonlySet<string>;
  readonly limits: Pick<Limits['dreaming'], 'rareShare' | 'rareFew' | 'namedWeight'>;
}

interface Term {
  readonly keys: readonly string[];
  readonly weight: number;
}

const TOKEN = /[\p{L}\p{N}\p{M}_]+/gu;
/** `parseHeader`, `API_KEY`, `v2`, `EU`: nobody writes an ordinary word so. */
const IDENTIFIER = /\p{N}|_|\p{L}\p{Lu}/u;
const CAPITAL = /^\p{Lu}/u;
const SMALL = /^\p{Ll}[\p{Ll}\p{M}]*$/u;
const NUMBER = /^\p{N}/u;

export function corpusOf(texts: readonly string[], limits: Corpus['limits']): Corpus {
  return atOnce(readingCorpus(texts, limits));
}

export function* readingCorpus(texts: readonly string[], limits: Corpus['limits']): Steps<Corpus> {
  const small = new Set<string>();
  for (const text of texts) {
    addSmall(text, small);
    yield;
  }
  const counts = yield* counting(texts);
  return { memories: texts.length, frequency: (key) => counts.get(key) ?? 0, small, limits };
}

export function corpusWithout(texts: readonly string[], corpus: Corpus): Corpus {
  return atOnce(takingOut(texts, corpus));
}

/** What the others say: among memories that are to become one, what they share is not common but their very subject. */
export function* takingOut(texts: readonly string[], corpus: Corpus): Steps<Corpus> {
  const counts = yield* counting(texts);
  const frequency = (key: string) => corpus.frequency(key) - (counts.get(key) ?? 0);
  return { ...corpus, memories: corpus.memories - texts.length, frequency };
}

function* counting(texts: readonly string[]): Steps<ReadonlyMap<string, number>> {
  const known = new Map<string, Word | null>();
  const counts = new Map<string, number>();
  for (const text of texts) {
    const own = new Set<string>();
    eachWord(text, known, ({ keys }) => own.add(keys[0]!));
    for (const key of own) counts.set(key, (counts.get(key) ?? 0) + 1);
    yield;
  }
  return counts;
}

/** From 0 to 1. Nothing to lose is kept whole; a text without words only where it stands as it is. */
export function coverageOf(gone: string, remaining: readonly string[], corpus: Corpus): number {
  const terms = rareTermsOf(gone, corpus);
  if (terms.length === 0) {
    const bare = gone.trim();
    return bare === '' || remaining.some((text) => text.includes(bare)) ? 1 : 0;
  }
  const standing = keysOf(remaining);
  const found = terms.filter(({ keys }) => keys.some((key) => standing.has(key)));
  // By weight a name that is lost counts for more, but names alone do not make up for the rest.
  return Math.min(weightOf(found) / weightOf(terms), found.length / terms.length);
}

function weightOf(terms: readonly Term[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** The keys of every word that stands in the texts. */
export function keysOf(texts: readonly string[]): ReadonlySet<string> {
  const known = new Map<string, Word | null>();
  const keys = new Set<string>();
  for (const text of texts) {
    eachWord(text, known, (word) => {
      for (const key of word.keys) keys.add(key);
    });
  }
  return keys;
}

/** Where every word is common, as in a folder of copies, all of them count. */
function rareTermsOf(text: string, corpus: Corpus): readonly Term[] {
  const { limits, memories, frequency } = corpus;
  const most = Math.max(limits.rareFew, memories * limits.rareShare);
  const named = namedKeys(text, corpus);
  const terms = new Map<string, Term>();
  eachWord(text, new Map(), ({ keys, weight }) => {
    const first = keys[0]!;
    if (terms.has(first)) return;
    const isNamed = NUMBER.test(first) || named.has(first);
    // A name is met by itself alone, not by what begins like it.
    const met = isNamed ? keys.filter((key) => !key.endsWith('-')) : keys;
    terms.set(first, { keys: met, weight: isNamed ? weight * limits.namedWeight : weight });
  });
  const rare = [...terms].flatMap(([key, term]) => (frequency(key) <= most ? [term] : []));
  return rare.length > 0 ? rare : [...terms.values()];
}

function namedKeys(text: string, corpus: Corpus): ReadonlySet<string> {
  const small = new Set<string>();
  addSmall(text, small);
  const named = new Set<string>();
  for (const [token] of text.matchAll(TOKEN)) {
    const plain = token.toLowerCase();
    const isName = CAPITAL.test(token) && !small.has(plain) && !corpus.small.has(plain);
    if (isName || IDENTIFIER.test(token)) eachWord(token, new Map(), ({ keys }) => named.add(keys[0]!));
  }
  return named;
}

function addSmall(text: string, small: Set<string>): void {
  for (const [token] of text.matchAll(TOKEN)) if (SMALL.test(token)) small.add(token);
}
