/** Which memories of a large index are worth an exact score: those that hold the query's words or near ones. */

import type { Corpus, CorpusPart } from './corpus.ts';
import type { QueryMeaning } from './meaning.ts';
import { drain, turnOverTokens } from './token-holders.ts';

export interface Candidate {
  readonly part: number;
  readonly number: number;
}

/** An index of this size is scored whole. */
const SCORED_WHOLE = 1_000;
/** Of a larger one, this many memories get an exact score. */
const EXACT_SCORES = 500;
/** A part this small costs less to score than to search. */
const SMALL_PART = 256;
/** Entries of lists that one query walks; the heaviest pairs of tokens come first. */
const ENTRIES_WALKED = 300_000;
/** Below this likeness a token does not make a memory a candidate, though it counts in the exact score. */
const NEAR = 0.3;
const BUCKETS = 1_024;

export function pickCandidates(facts: {
  readonly corpus: Corpus;
  /** By part and document. */
  readonly lexical: readonly Float32Array[];
  readonly lexicalWeight: number;
  readonly meaning: QueryMeaning | null;
  /** A further score, by part and document. */
  readonly addition: { readonly scores: readonly Float32Array[]; readonly weight: number } | null;
}): readonly Candidate[] {
  const { corpus, meaning } = facts;
  const whole = corpus.size <= SCORED_WHOLE;
  const picked: Candidate[] = [];
  const large: Array<{ part: number; scores: Float32Array }> = [];
  for (const [part, { alive }] of corpus.parts.entries()) {
    if (!whole && alive.length > SMALL_PART) {
      const scores = facts.lexical[part]!.map((score) => score * facts.lexicalWeight);
      if (facts.addition !== null) addScaled(scores, facts.addition.scores[part]!, facts.addition.weight);
      large.push({ part, scores });
      continue;
    }
    for (let number = 0; number < alive.length; number++) if (alive[number] === 1) picked.push({ part, number });
  }
  if (large.length === 0) return picked;
  if (meaning !== null) addNearTokens(corpus, meaning, large);
  return [...picked, ...highest(corpus, large)];
}

function addScaled(scores: Float32Array, more: Float32Array, weight: number): void {
  for (let number = 0; number < scores.length; number++) scores[number]! += weight * more[number]!;
}

function addNearTokens(
  corpus: Corpus,
  meaning: QueryMeaning,
  large: ReadonlyArray<{ part: number; scores: Float32Array }>,
): void {
  const pairs = nearPairs(corpus, meaning);
  const seen = large.map(({ scores }) => new Uint32Array(scores.length));
  let walked = 0;
  for (const { token, queryToken, gain } of pairs) {
    for (const [at, { part, scores }] of large.entries()) {
      const { start, numbers } = holdersOf(corpus.parts[part]!, corpus.tokenCounts.length);
      const marks = seen[at]!;
      const mark = 1 << queryToken;
      for (let entry = start[token]!; entry < start[token + 1]!; entry++) {
        const number = numbers[entry]!;
        if ((marks[number]! & mark) !== 0) continue;
        marks[number]! |= mark;
        scores[number]! += gain;
      }
      walked += start[token + 1]! - start[token]!;
    }
    if (walked > ENTRIES_WALKED) return;
  }
}

/** Pairs of a query token and a token of the corpus near it, by what they add to a score. */
function nearPairs(corpus: Corpus, meaning: QueryMeaning) {
  const width = meaning.tokens.length;
  const pairs: Array<{ token: number; queryToken: number; gain: number }> = [];
  for (let token = 0; token < meaning.slots.length; token++) {
    const slot = meaning.slots[token]!;
    if (slot === -1 || corpus.tokenCounts[token] === 0) continue;
    for (let queryToken = 0; queryToken < width; queryToken++) {
      const likeness = meaning.likeness[slot * width + queryToken]!;
      if (likeness < NEAR) continue;
      pairs.push({ token, queryToken, gain: (meaning.tokens[queryToken]!.weight / meaning.totalWeight) * likeness });
    }
  }
  return pairs.sort((left, right) => right.gain - left.gain);
}

function holdersOf(part: CorpusPart, tokenNumbers: number) {
  part.holders ??= drain(turnOverTokens(part.segment, tokenNumbers));
  return part.holders;
}

/** The best by counting into buckets: sorting a hundred thousand scores would cost more than making them. */
function highest(corpus: Corpus, large: ReadonlyArray<{ part: number; scores: Float32Array }>): Candidate[] {
  let top = 0;
  for (const { scores } of large)
    for (let number = 0; number < scores.length; number++) top = Math.max(top, scores[number]!);
  if (top === 0) return [];
  const counts = new Uint32Array(BUCKETS + 1);
  const scale = BUCKETS / top;
  for (const { part, scores } of large) {
    const { alive } = corpus.parts[part]!;
    for (let number = 0; number < scores.length; number++) {
      if (scores[number]! > 0 && alive[number] === 1) counts[(scores[number]! * scale) | 0]!++;
    }
  }
  let bucket = BUCKETS;
  for (let total = 0; bucket > 0; bucket--) {
    total += counts[bucket]!;
    if (total >= EXACT_SCORES) break;
  }
  const picked: Candidate[] = [];
  for (const { part, scores } of large) {
    const { alive } = corpus.parts[part]!;
    for (let number = 0; number < scores.length && picked.length < EXACT_SCORES * 2; number++) {
      const score = scores[number]!;
      if (score > 0 && alive[number] === 1 && ((score * scale) | 0) >= bucket) picked.push({ part, number });
    }
  }
  return picked;
}
