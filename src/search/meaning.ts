/** What a query means to each memory: every query token looks for its nearest token in the memory. */

import type { Steps } from '../base/async/in-turns.ts';
import { stem } from '../base/text/stem.ts';
import type { Encoder } from '../model/encoder/encoder.ts';
import type { Corpus } from './corpus.ts';
import { findSorted } from './find-sorted.ts';
import { createTokenScorer, type TokenScorer } from './score-tokens.ts';
import type { Segment } from './segment.ts';

/** How many of a query's heaviest tokens count; a pasted page would otherwise cost as much as fifty questions. */
export const QUERY_TOKENS = 32;
/** Rows of a vocabulary are never completely unrelated: below this a likeness is chance. */
const CHANCE = 0.1;
/** Long texts have a similar token for everything. */
const LENGTH_EXPONENT = 0.2;
/** Where memories are not compared with each other, their length counts for less, and against that of a sentence or two. */
const LENGTH_EXPONENT_BY_ITSELF = 0.1;
const USUAL_TOKENS = 16;
/** Likeness of two words with one stem: the table does not always know that "baking" is "bake". */
const SAME_STEM = 0.8;
/** A number is near no other one, whatever the table has learnt: 2291 is not 2290. */
const NUMBER = /^(?:##)?[0-9]+$/;
const THE_SAME = 0.99;
/** Queries repeat their words; one list of likenesses takes 120 KB. */
const REMEMBERED_TOKENS = 64;
/** As many as the encoder compares in one go. */
const TOKENS_PER_STEP = 4;
/** Steps needed to look up one token in a list. */
const SEARCH_COST = 16;

export interface QueryToken {
  readonly token: number;
  /** How much it counts: by its row, and by how few memories hold it. */
  readonly weight: number;
  /** Length of its row. */
  readonly length: number;
  /** Above it a likeness counts. */
  readonly from: number;
  /** Its likeness to the tokens of the corpus, by token. */
  readonly likeness: Float32Array;
}

export interface QueryMeaning {
  readonly tokens: readonly QueryToken[];
  readonly totalWeight: number;
  /** Length of the sum of the query's rows. */
  readonly sumLength: number;
  /** Tokens of the corpus. */
  readonly inUse: Uint32Array;
}

export interface MeaningReader {
  /** In steps. */
  readQuery(corpus: Corpus, query: string): Steps<QueryMeaning | null>;
  /** For each of these memories of one segment, in their order. */
  score(meaning: QueryMeaning, place: ScoredPlace): MeaningScores;
}

export function createMeaningReader(encoder: Encoder): MeaningReader {
  const scorer = createTokenScorer(encoder.weights);
  const remembered = new Map<number, Float32Array>();
  let generation = -1;
  let inUse: Uint32Array = new Uint32Array(0);

  /** Which tokens the corpus has: the rest of the vocabulary need not be compared. */
  function refresh(corpus: Corpus): void {
    if (generation === corpus.generation) return;
    generation = corpus.generation;
    remembered.clear();
    inUse = tokensInUse(corpus);
  }

  /** A few tokens a step. Another search may come between two, over another state of the corpus: so what is found here is kept here first. */
  function* likenesses(corpus: Corpus, tokens: readonly number[]): Steps<readonly Float32Array[]> {
    const own = new Map(tokens.flatMap((token) => (remembered.has(token) ? [[token, remembered.get(token)!]] : [])));
    const fresh = tokens.filter((token) => !own.has(token));
    const [others, isStill] = [inUse, generation];
    for (let from = 0; from < fresh.length; from += TOKENS_PER_STEP) {
      yield;
      const group = fresh.slice(from, from + TOKENS_PER_STEP);
      for (const [at, found] of encoder.similarities(group, others).entries()) {
        const token = group[at]!;
        own.set(token, found);
        for (const relative of familyOf(token, { encoder, counts: (other) => corpus.tokenCounts[other] !== 0 })) {
          found[relative] = Math.max(found[relative]!, SAME_STEM);
        }
      }
    }
    const lists = tokens.map((token) => own.get(token)!);
    if (generation !== isStill) return lists;
    for (const [at, token] of tokens.entries()) {
      remembered.delete(token);
      remembered.set(token, lists[at]!);
    }
    for (const token of remembered.keys()) {
      if (remembered.size <= REMEMBERED_TOKENS) break;
      remembered.delete(token);
    }
    return lists;
  }

  return {
    *readQuery(corpus, query) {
      const all = [...new Set(encoder.tokens(query))];
      if (all.length === 0) return null;
      refresh(corpus);
      const size = corpus.size;
      const heaviest = all
        .map((token) => {
          const rarity = Math.sqrt(Math.log(1 + size / (corpus.tokenCounts[token]! + 0.5)));
          const length = encoder.weights[token]!;
          const from = NUMBER.test(encoder.word(token)) ? THE_SAME : CHANCE;
          return { token, length, from, weight: length * rarity };
        })
        .sort((left, right) => right.weight - left.weight)
        .slice(0, QUERY_TOKENS);
      const used = inUse;
      const lists = yield* likenesses(
        corpus,
        heaviest.map(({ token }) => token),
      );
      const tokens = heaviest.map((one, at) => ({ ...one, likeness: lists[at]! }));
      return {
        tokens,
        totalWeight: tokens.reduce((sum, { weight }) => sum + weight, 0),
        sumLength: Math.hypot(...encoder.sum(all)),
        inUse: used,
      };
    },
    score: (meaning, place) => scoreMeaning(scorer, meaning, place),
  };
}

/** Every token that a memory holds, and perhaps some from forgotten memories, in any order. */
function tokensInUse({ parts, tokenCounts }: Corpus): Uint32Array {
  const lists = parts.map(({ segment }) => segment.holders.held).sort((left, right) => right.length - left.length);
  const [most = new Uint32Array(0), ...others] = lists;
  if (others.length === 0) return most;
  const used = new Uint32Array(tokenCounts.length);
  if (others.reduce((sum, { length }) => sum + length, 0) * SEARCH_COST > used.length) {
    let count = 0;
    for (let token = 0; token < tokenCounts.length; token++) if (tokenCounts[token] !== 0) used[count++] = token;
    return used.subarray(0, count);
  }
  used.set(most);
  let count = most.length;
  const added = new Set(others.flatMap((list) => [...list]));
  for (const token of added) if (findSorted(most, token) === -1) used[count++] = token;
  return used.subarray(0, count);
}

export interface MeaningScores {
  /** 0 … about 1: the share of the query's weight that the memory answers, damped for long memories. */
  readonly match: Float64Array;
  readonly cosine: Float64Array;
}

export interface ScoredPlace {
  readonly segment: Segment;
  readonly numbers: Uint32Array;
  readonly averageLength: number;
}

function scoreMeaning(scorer: TokenScorer, meaning: QueryMeaning, place: ScoredPlace): MeaningScores {
  const { tokens, totalWeight, sumLength } = meaning;
  const { segment, numbers, averageLength } = place;
  const [match, cosine] = [new Float64Array(numbers.length), new Float64Array(numbers.length)];
  for (let from = 0; from < numbers.length; ) {
    const to = from + scorer.take(segment, numbers.subarray(from));
    for (const { likeness, weight, length, from: least } of tokens) {
      const { nearest, sums } = scorer.score(likeness);
      for (let at = from; at < to; at++) {
        cosine[at]! += length * sums[at - from]!;
        if (nearest[at - from]! > least) match[at]! += weight * nearest[at - from]!;
      }
    }
    from = to;
  }
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    const size = Math.max(1, segment.tokenStart[number + 1]! - segment.tokenStart[number]!) / averageLength;
    match[at] = match[at]! / (totalWeight || 1) / size ** LENGTH_EXPONENT;
    cosine[at] = cosine[at]! / (sumLength * segment.sumLengths[number]! || 1);
  }
  return { match, cosine };
}

/** What a memory's match is worth by itself. A ranking weighs lengths against each other; two folders have to be comparable. */
export function matchByItself(match: number, { length, averageLength }: { length: number; averageLength: number }) {
  const undamped = match * (length / averageLength) ** LENGTH_EXPONENT;
  return undamped / (length / USUAL_TOKENS) ** LENGTH_EXPONENT_BY_ITSELF;
}

/** For each query token the memory's token it matched, for explanations. */
export function metTokens(meaning: QueryMeaning, segment: Segment, number: number) {
  const [first, to] = [segment.tokenStart[number]!, segment.tokenStart[number + 1]!];
  return meaning.tokens.map(({ token, weight, likeness: list, from: least }) => {
    let [met, likeness] = [-1, 0];
    for (let at = first; at < to; at++) {
      const found = list[segment.tokens[at]!]!;
      if (found > Math.max(likeness, least)) [met, likeness] = [segment.tokens[at]!, found];
    }
    return { token, weight: weight / meaning.totalWeight, met, likeness };
  });
}

// Words of the encoder's vocabulary that share a stem.

/** Shorter words have no stem but themselves. */
const SHORTEST = 4;

/** Tokens with the stem of the given one, among those that count. No stem changes the first three letters, so only words
 * that share them are stemmed. */
function familyOf(
  token: number,
  facts: { readonly encoder: Encoder; readonly counts: (token: number) => boolean },
): readonly number[] {
  const { encoder, counts } = facts;
  const word = encoder.word(token);
  if (word.length < SHORTEST || !/^[a-z]{3}/.test(word)) return [];
  const own = stem(word);
  return encoder.beginningLike(word).filter((other) => counts(other) && stem(encoder.word(other)) === own);
}
