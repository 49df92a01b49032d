/** Whether each sentence of a dreamt text stands in what it rests on. The gate lets a writer add advice and reasons; a dreamer adds nothing. */

import { atOnce, type Steps } from '../../lib/in-turns.ts';
import { normalise } from '../../memory/gate/normalise.ts';
import { partsOf, sentencesOf } from '../../memory/gate/parts.ts';
import { eachWord } from '../../memory/gate/words.ts';
import type { BaseMemory } from './proposal.ts';

export interface FoundedFacts {
  /** What the text rests on. */
  readonly texts: readonly string[];
  /** So much of what a sentence says must stand there. */
  readonly foundedShare: number;
}

export interface Sentence {
  readonly text: string;
  readonly terms: ReadonlyMap<string, readonly string[]>;
  /** Those of all its terms. */
  readonly keys: ReadonlySet<string>;
  readonly isNegated: boolean;
}

type Dreamt = Pick<BaseMemory, 'type' | 'name' | 'description' | 'body'>;

/** As the gate keys every way to say no. */
const NEGATION = '\u00ac';
/** Dates are counted out and numbers are held by the gate: neither says what a sentence is about. */
const NUMBER = /^(?:\d|month-)/;
/** Fewer words are a turn of phrase. */
const LEAST_TERMS = 3;
/** Two sentences that share so much of both are one, but for a no. */
const SAME_SHARE = 0.8;
const ALIKE_SHARE = 0.6;
/** Fewer words are in common by chance. */
const LEAST_SHARED = 2;

/** Null when all of it is founded, else which sentence is not. */
export function unfoundedReason(dreamt: Dreamt, facts: FoundedFacts): string | null {
  return atOnce(lookingForUnfounded(dreamt, facts));
}

/** The same, a sentence a step. */
export function* lookingForUnfounded(
  { type, name, description, body }: Dreamt,
  { texts, foundedShare }: FoundedFacts,
): Steps<string | null> {
  const sources: Sentence[] = [];
  const known = new Set<string>();
  const keys = new Set<string>();
  for (const text of texts.flatMap(sentencesOf)) {
    const source = readSentence(text);
    sources.push(source);
    known.add(normalise(text));
    for (const key of source.keys) keys.add(key);
    yield;
  }
  for (const { text } of partsOf({ type: type ?? '', name, description, body })) {
    yield;
    const sentence = readSentence(text);
    if (sentence.terms.size === 0 || known.has(normalise(text))) continue;
    const isJudged = sentence.terms.size >= LEAST_TERMS;
    if (isJudged && shareIn(sentence, keys) < foundedShare)
      return `“${shortened(text)}” stands in nothing that it rests on.`;
    const particular = newParticular(text, keys);
    if (particular !== null) return `“${particular}” in “${shortened(text)}” stands in nothing that it rests on.`;
    if (isTurned(sentence, sources)) return `“${shortened(text)}” turns around what it rests on.`;
  }
  return null;
}

/** A name, a day or a number in words that nobody gave: one such word put in another's place makes a true sentence false. */
function newParticular(text: string, keys: ReadonlySet<string>): string | null {
  for (const [token] of text.matchAll(TOKEN)) {
    let isNew = false;
    eachWord(token, new Map(), (word) => {
      const isParticular = CAPITAL.test(token) || word.keys.some((key) => NUMBER.test(key));
      const isWord = !NUMBER.test(word.keys[0]!) && word.keys[0] !== NEGATION;
      isNew ||= isParticular && isWord && !word.keys.some((key) => keys.has(key));
    });
    if (isNew) return token;
  }
  return null;
}

const TOKEN = /[\p{L}\p{N}\p{M}_]+/gu;
const CAPITAL = /^\p{Lu}/u;

/**
 * Whoever says the same says it with a no, or without one, and never the other way round. Where the two are only alike,
 * something else that it rests on may have brought the no along, as when two memories become one sentence.
 */
function isTurned(sentence: Sentence, sources: readonly Sentence[]): boolean {
  const own = sentence.keys;
  const isOther = ({ isNegated }: Sentence) => isNegated !== sentence.isNegated;
  const areTurned = (leastShare: number) => {
    const alike = sources.filter(
      (source) => source.terms.size > 0 && Math.min(shareIn(sentence, source.keys), shareIn(source, own)) >= leastShare,
    );
    return alike.length > 0 && alike.every(isOther);
  };
  const isBrought = (source: Sentence) => !isOther(source) && sharedTerms(source, own) >= LEAST_SHARED;
  return areTurned(SAME_SHARE) || (areTurned(ALIKE_SHARE) && !sources.some(isBrought));
}

/** Which sentence of a text that goes is found again only turned around; null where none is. */
export function turnedIn(gone: string, remaining: readonly string[]): string | null {
  const sources = remaining.flatMap(sentencesOf).map(readSentence);
  const turned = sentencesOf(gone).find((text) => {
    const sentence = readSentence(text);
    return sentence.terms.size > 0 && isTurned(sentence, sources);
  });
  return turned === undefined ? null : shortened(turned);
}

function isAmong(keys: ReadonlySet<string>): (own: readonly string[]) => boolean {
  return (own) => own.some((key) => keys.has(key));
}

export function sharedTerms({ terms }: Sentence, keys: ReadonlySet<string>): number {
  return [...terms.values()].filter(isAmong(keys)).length;
}

function shareIn(sentence: Sentence, keys: ReadonlySet<string>): number {
  return sharedTerms(sentence, keys) / sentence.terms.size;
}

export function readSentence(text: string): Sentence {
  const terms = new Map<string, readonly string[]>();
  let isNegated = false;
  eachWord(text, new Map(), ({ keys }) => {
    const first = keys[0]!;
    if (first === NEGATION) isNegated = true;
    else if (!NUMBER.test(first)) terms.set(first, keys);
  });
  return { text, terms, keys: new Set([...terms.values()].flat()), isNegated };
}

function shortened(text: string): string {
  return text.length <= SHORT ? text : `${text.slice(0, SHORT).replace(/[\ud800-\udbff]$/, '')}…`;
}

const SHORT = 120;
