/** Which memories of a large index are worth an exact score: those with the query's words or similar ones. */

import type { Steps } from '../base/async/in-turns.ts';
import type { Corpus } from './corpus.ts';
import { findSorted } from './find-sorted.ts';
import { QUERY_TOKENS, type QueryMeaning } from './meaning.ts';
import type { TokenHolders } from './token-holders.ts';

export interface Candidates {
  readonly part: number;
  /** In the part's segment. */
  readonly numbers: Uint32Array;
}

/** An index up to this size is scored whole. */
const SCORED_WHOLE = 1_000;
/** In a larger one, this many memories get an exact score, and up to twice as many with those that are about as good. */
const EXACT_SCORES = 500;
/** A part this small costs less to score than to search. */
const SMALL_PART = 256;
/** List entries that one query walks; the heaviest pairs of tokens come first. */
const ENTRIES_WALKED = 300_000;
const ENTRIES_PER_STEP = 30_000;
/** Below this likeness a token does not make a memory a candidate, though it counts in the exact score. About 250 of the encoder's 31,000 tokens are nearer than that to one. */
const NEAR = 0.42;
const BUCKETS = 1_024;
/** Room for the number of a pair next to its gain in one number of 53 bits. */
const PAIRS = 2 ** 22;
const GAIN_STEPS = 2 ** 30;

export function* pickCandidates(facts: {
  readonly corpus: Corpus;
  /** By part and document. */
  readonly lexical: readonly Float32Array[];
  readonly lexicalWeight: number;
  readonly meaning: QueryMeaning | null;
  /** An additional score, by part and document. */
  readonly addition: { readonly scores: readonly Float32Array[]; readonly weight: number } | null;
}): Steps<readonly Candidates[]> {
  const { corpus, meaning } = facts;
  const whole = corpus.size <= SCORED_WHOLE;
  const picked: Candidates[] = [];
  const large: LargePart[] = [];
  for (const [part, { alive }] of corpus.parts.entries()) {
    if (!whole && alive.length > SMALL_PART) {
      const scores = new Float32Array(alive.length);
      addScaled(scores, facts.lexical[part]!, facts.lexicalWeight);
      if (facts.addition !== null) addScaled(scores, facts.addition.scores[part]!, facts.addition.weight);
      large.push({ part, scores });
      continue;
    }
    picked.push({ part, numbers: aliveIn(alive) });
  }
  if (large.length === 0) return picked;
  if (meaning !== null) yield* addNearTokens(corpus, meaning, large);
  yield;
  return [...picked, ...highest(corpus, large)];
}

interface LargePart {
  readonly part: number;
  readonly scores: Float32Array;
}

function aliveIn(alive: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(alive.length);
  let count = 0;
  for (let number = 0; number < alive.length; number++) if (alive[number] === 1) numbers[count++] = number;
  return numbers.subarray(0, count);
}

function addScaled(scores: Float32Array, more: Float32Array, weight: number): void {
  for (let number = 0; number < scores.length; number++) scores[number]! += weight * more[number]!;
}

function* addNearTokens(corpus: Corpus, meaning: QueryMeaning, large: readonly LargePart[]): Steps<void> {
  const walks = large.map(({ part, scores }) => {
    const { holders } = corpus.parts[part]!.segment;
    return { holders, scores, marks: new Uint32Array(scores.length) };
  });
  const shares = meaning.tokens.map(({ weight }) => weight / meaning.totalWeight);
  const pairs = yield* nearPairs(meaning, shares);
  let [at, walked] = [pairs.length - 1, 0];
  while (at >= 0 && walked <= ENTRIES_WALKED) {
    yield;
    const most = Math.min(ENTRIES_PER_STEP, ENTRIES_WALKED - walked);
    const step = walkPairs({ walks, meaning, shares, pairs }, { at, most });
    [at, walked] = [step.at, walked + step.walked];
  }
}

interface Walk {
  readonly holders: TokenHolders;
  readonly scores: Float32Array;
  /** Query tokens that a memory has gained by. */
  readonly marks: Uint32Array;
}

/** From the pair at `at` down, until more entries than `most` were walked. No generator: their loops run several times slower. */
function walkPairs(
  facts: {
    readonly walks: readonly Walk[];
    readonly meaning: QueryMeaning;
    readonly shares: readonly number[];
    readonly pairs: Float64Array;
  },
  from: { readonly at: number; readonly most: number },
): { readonly at: number; readonly walked: number } {
  const { walks, meaning, shares, pairs } = facts;
  let [at, walked] = [from.at, 0];
  for (; at >= 0 && walked <= from.most; at--) {
    const pair = PAIRS - 1 - (pairs[at]! % PAIRS);
    const [token, queryToken] = [Math.floor(pair / QUERY_TOKENS), pair % QUERY_TOKENS];
    const gain = shares[queryToken]! * meaning.tokens[queryToken]!.likeness[token]!;
    for (const walk of walks) walked += addToHolders(walk, { token, gain, mark: 1 << queryToken });
  }
  return { at, walked };
}

/** A memory gains only by its nearest token, which comes first. Returns how many hold the token. */
function addToHolders(
  { holders, scores, marks }: Walk,
  { token, gain, mark }: { token: number; gain: number; mark: number },
): number {
  const at = findSorted(holders.held, token);
  if (at === -1) return 0;
  const [from, to] = [holders.start[at]!, holders.start[at + 1]!];
  for (let entry = from; entry < to; entry++) {
    const number = holders.numbers[entry]!;
    if ((marks[number]! & mark) !== 0) continue;
    marks[number]! |= mark;
    scores[number]! += gain;
  }
  return to - from;
}

/** Pairs of a query token and a similar token in the corpus, by what they add to a score, least first. Each is one number,
 * since thousands of numbers sort without calling our code: the gain, then the pair, with earlier pairs larger. */
function* nearPairs(meaning: QueryMeaning, shares: readonly number[]): Steps<Float64Array> {
  const pairs: number[] = [];
  for (const queryToken of meaning.tokens.keys()) {
    yield;
    addNearPairs(pairs, meaning, { queryToken, share: shares[queryToken]! });
  }
  return Float64Array.from(pairs).sort();
}

function addNearPairs(
  pairs: number[],
  { inUse, tokens }: QueryMeaning,
  { queryToken, share }: { readonly queryToken: number; readonly share: number },
): void {
  const { likeness } = tokens[queryToken]!;
  for (let at = 0; at < inUse.length; at++) {
    const found = likeness[inUse[at]!]!;
    if (found < NEAR) continue;
    const gain = Math.floor(share * found * GAIN_STEPS);
    pairs.push(gain * PAIRS + (PAIRS - 1 - (inUse[at]! * QUERY_TOKENS + queryToken)));
  }
}

/** Finds the best by counting into buckets: sorting a hundred thousand scores would cost more than computing them. */
function highest(corpus: Corpus, large: readonly LargePart[]): Candidates[] {
  let top = 0;
  for (const { scores } of large) {
    for (let number = 0; number < scores.length; number++) if (scores[number]! > top) top = scores[number]!;
  }
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
  const found = large.map(({ part, scores }) => {
    const { alive } = corpus.parts[part]!;
    const numbers: number[] = [];
    for (let number = 0; number < scores.length; number++) {
      if (scores[number]! > 0 && alive[number] === 1 && ((scores[number]! * scale) | 0) >= bucket) numbers.push(number);
    }
    return { part, scores, numbers };
  });
  return withoutMostAlike(found);
}

/** Of those that tie for the last places only as many as there is room for: what is clearly better is never lost among many alike. */
function withoutMostAlike(found: ReadonlyArray<LargePart & { readonly numbers: readonly number[] }>): Candidates[] {
  const most = EXACT_SCORES * 2;
  const count = found.reduce((sum, { numbers }) => sum + numbers.length, 0);
  if (count <= most) return found.map(({ part, numbers }) => ({ part, numbers: Uint32Array.from(numbers) }));
  const sorted = Float32Array.from(
    found.flatMap(({ scores, numbers }) => numbers.map((number) => scores[number]!)),
  ).sort();
  const enough = sorted[count - most]!;
  let room = most - sorted.filter((score) => score > enough).length;
  return found.map(({ part, scores, numbers }) => {
    const taken = numbers.filter((number) => scores[number]! > enough || (scores[number] === enough && room-- > 0));
    return { part, numbers: Uint32Array.from(taken) };
  });
}
