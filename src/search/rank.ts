/** The order in which memories answer a query: meaning and words, combined on one scale, with the parts of every score. */

import { atOnce, type Steps } from '../base/async/in-turns.ts';
import type { Encoder } from '../model/encoder/encoder.ts';
import { pickCandidates } from './candidates.ts';
import { evidenceFor, judgeCertain } from './certain.ts';
import type { Corpus } from './corpus.ts';
import type { RecallHit } from './explain.ts';
import { trustInMemory, trustInQuery } from './language.ts';
import { holdsTerm, scoreWords, soleHolder } from './lexical.ts';
import { createMeaningReader, type MeaningScores, matchByItself, metTokens, type QueryMeaning } from './meaning.ts';
import { partsOfMessage } from './message-parts.ts';
import { noiseLevel } from './noise.ts';
import { memoryKeyOf, passageNumberOf } from './passages/passages.ts';
import { englishWords, type Segment } from './segment.ts';
import { isCode, isNumber, isTelling } from './telling-terms.ts';
import { knownShare, queryTermsOf, type Term } from './terms.ts';

/** The token match leads; the cosine of the whole texts and the words themselves correct it. */
const COSINE_WEIGHT = 0.15;
const WORDS_WEIGHT = 0.4;
/** What the words count for when the encoder knows none of them. */
const WORDS_ALONE_WEIGHT = 1;

/** A pasted log is not a question; its beginning has to do. */
const QUERY_CHARACTERS = 4_000;
/** Minimum likeness for a pair of words to explain something. */
const WORTH_NAMING = 0.2;
/** Below it the memory does not say what the word of the query says. */
const POOR_MATCH = 0.5;

/** In a language that the encoder hardly knows, any word looks like a name. */
const TRUST_FOR_NAMES = 0.5;
/** Weight of the likeness by the user's own model: such a model is stronger than ours, or they would not bring one. */
const VECTOR_WEIGHT = 0.6;
/** In a larger folder the parts of a message are not looked up: each costs a search. */
const PARTS_UP_TO = 20_000;
/** How many times as many are looked at when parts of the same memories took the places. */
const LOOK_FURTHER = 4;
/** Hits among which the best evidence is looked for, however many are requested. */
const BEST_AMONG = 5;

export interface RankOptions {
  readonly limit: number;
  /** Not ranked at all. */
  readonly exclude?: ReadonlySet<string>;
  /** Not among the hits, but still the measure of what is behind the best: what was shown once makes nothing else more fitting. */
  readonly seen?: ReadonlySet<string>;
}

export interface RankFacts extends RankOptions {
  readonly corpus: Corpus;
  readonly query: string;
  /** Likeness by the user's own embedding model, by part and document. */
  readonly vectors: readonly Float32Array[] | null;
  /** From which likeness on a memory is meant, by that model's own calibration. */
  readonly vectorCertainFrom?: number | null;
}

export interface Ranker {
  rank(facts: RankFacts): RecallHit[];
  /** The same in steps, over a corpus that does not change meanwhile. */
  ranking(facts: RankFacts): Steps<RecallHit[]>;
  /** The most evidence that a question finds. */
  bestEvidence(corpus: Corpus, question: string): Steps<number>;
}

interface Scored {
  readonly segment: Segment;
  readonly number: number;
  readonly score: number;
  readonly match: number;
  readonly cosine: number;
  readonly words: number;
  readonly vector: number | null;
}

/** Memories of one segment; their data is in the order of `numbers`, words and vector by number. */
interface ScoredGroup {
  readonly segment: Segment;
  readonly numbers: Uint32Array;
  readonly scores: Float64Array;
  readonly found: MeaningScores | null;
  readonly words: Float32Array;
  readonly vector: Float32Array | null;
}

export function createRanker(encoder: Encoder | null): Ranker {
  const reader = encoder === null ? null : createMeaningReader(encoder);
  const isEnglish = englishWords(encoder);

  function* rankText(facts: RankFacts, isPart: boolean): Steps<RecallHit[]> {
    const { corpus, vectors, limit, exclude, seen, query, vectorCertainFrom = null } = facts;
    const terms = queryTermsOf(query, isEnglish);
    const lexical = scoreWords(corpus, terms);
    yield;
    const meaning = reader === null ? null : yield* reader.readQuery(corpus, query);
    const trust = meaning === null ? 0 : trustInQuery(knownShare(terms));
    const lexicalWeight = trust * WORDS_WEIGHT + (1 - trust) * WORDS_ALONE_WEIGHT;
    const averageLength = corpus.tokenTotal / corpus.size || 1;
    const addition = vectors === null ? null : { scores: vectors, weight: VECTOR_WEIGHT };
    yield;
    const picked = yield* pickCandidates({ corpus, lexical, lexicalWeight, meaning, addition });
    const groups: ScoredGroup[] = [];
    for (const { part, numbers } of picked) {
      yield;
      const { segment } = corpus.parts[part]!;
      const found = meaning === null ? null : reader!.score(meaning, { segment, numbers, averageLength });
      const parts = { segment, numbers, found, words: lexical[part]!, vector: vectors?.[part] ?? null };
      groups.push({ ...parts, scores: fuse(parts, { trust, lexicalWeight }) });
    }
    yield;
    const wanted = Math.max(limit, BEST_AMONG) + (seen?.size ?? 0);
    const judged = bestOf(groups, { wanted, exclude }).map((one) => {
      const own = trust === 0 ? 0 : trust * trustInMemory(encoder!, one.segment, one.number);
      const match = matchByItself(one.match, { length: tokenCount(one), averageLength });
      return { ...one, trust: own, evidence: evidenceFor({ ...one, match, trust: own }) };
    });
    const best = Math.max(...judged.slice(0, BEST_AMONG).map(({ evidence }) => evidence));
    const noise = noiseLevel(corpus.noise, corpus.size);
    yield;
    const names = namesOfOne(corpus, terms);
    const fittest = judged.find(({ evidence }) => evidence === best);
    const numbers = terms.filter((term) => isNumber(term) && fittest !== undefined && holds(fittest, term));
    const unseen = judged.filter((one) => !seen?.has(memoryKeyOf(keyOf(one))));
    return unseen.slice(0, limit).map((one) => {
      const certainty = judgeCertain({
        ...{ evidence: one.evidence, best, trust: one.trust, noise, isPart },
        lacksNumber: numbers.some((term) => !holds(one, term)),
      });
      const shared = terms.filter((term) => holds(one, term)).map(({ word }) => word);
      const key = keyOf(one);
      const named = names.filter(
        ({ holder, isName }) => holder === memoryKeyOf(key) && (!isName || one.trust >= TRUST_FOR_NAMES),
      );
      return {
        key: memoryKeyOf(key),
        passage: passageNumberOf(key),
        score: one.score,
        certain: certainty.certain || named.length > 0 || isMeantBy(one.vector, vectorCertainFrom),
        why: {
          meaning: one.match,
          cosine: one.cosine,
          lexical: one.words,
          vector: one.vector,
          vectorThreshold: one.vector === null ? null : vectorCertainFrom,
          trust: one.trust,
          wordsShared: [...new Set(shared)],
          named: [...new Set(named.map(({ word }) => word))],
          ...(meaning === null || encoder === null ? NO_WORDS : comparedWords(meaning, encoder, one)),
          evidence: certainty.evidence,
          threshold: certainty.threshold,
          isBehind: certainty.isBehind,
          noise,
        },
      };
    });
  }

  /** A name, number or identifier that stands in one memory alone. */
  function namesOfOne(corpus: Corpus, terms: readonly Term[]) {
    return terms.flatMap((term) => {
      const holder = isTelling(term, isEnglish) ? soleHolder(corpus, term.hash) : null;
      return holder === null ? [] : [{ holder, word: term.word, isName: !isCode(term) }];
    });
  }

  function* ranking(facts: RankFacts): Steps<RecallHit[]> {
    const { corpus, limit } = facts;
    const query = facts.query.slice(0, QUERY_CHARACTERS);
    if (corpus.size === 0 || limit <= 0) return [];
    const whole = yield* rankText({ ...facts, query }, false);
    const certain: RecallHit[] = [];
    for (const part of corpus.size > PARTS_UP_TO ? [] : partsOfMessage(query)) {
      yield;
      const asked = { ...facts, query: part, vectors: null, limit: Math.min(limit, BEST_AMONG) };
      certain.push(...(yield* rankText(asked, true)).filter((hit) => hit.certain));
    }
    return certain.length === 0 ? whole : join(whole, certain).slice(0, limit);
  }

  return {
    rank: (facts) => atOnce(ranking(facts)),
    ranking,
    *bestEvidence(corpus, query) {
      const hits = yield* rankText({ corpus, query, vectors: null, limit: BEST_AMONG }, false);
      return Math.max(0, ...hits.map(({ why }) => why.evidence));
    },
  };
}

function isMeantBy(vector: number | null, certainFrom: number | null): boolean {
  return vector !== null && certainFrom !== null && vector > certainFrom;
}

/** What is certain by a part of the message comes behind what is certain by the whole, before the rest. */
function join(whole: readonly RecallHit[], certain: readonly RecallHit[]): RecallHit[] {
  const byKey = new Map(whole.filter((hit) => hit.certain).map((hit) => [hit.key, hit]));
  const byScore = [...certain].sort((left, right) => right.score - left.score);
  for (const hit of [...byScore, ...whole]) if (!byKey.has(hit.key)) byKey.set(hit.key, hit);
  return [...byKey.values()];
}

function holds({ segment, number }: Pick<Scored, 'segment' | 'number'>, { hash }: Term): boolean {
  return holdsTerm(segment, number, hash);
}

function keyOf({ segment, number }: Pick<Scored, 'segment' | 'number'>): string {
  return segment.documents.at(number)![0];
}

function tokenCount({ segment, number }: Pick<Scored, 'segment' | 'number'>): number {
  return Math.max(1, segment.tokenStart[number + 1]! - segment.tokenStart[number]!);
}

/** A memory is there once, by its best part or as a whole; so more are looked at while that leaves too few. */
function bestOf(
  groups: readonly ScoredGroup[],
  { wanted, exclude }: { readonly wanted: number; readonly exclude: ReadonlySet<string> | undefined },
): readonly Scored[] {
  for (let place = wanted + (exclude?.size ?? 0); ; place *= LOOK_FURTHER) {
    const enough = scoreOfPlace(groups, place);
    const scored = groups.flatMap((group) => scoredFrom(group, enough));
    scored.sort((left, right) => right.score - left.score || (keyOf(left) < keyOf(right) ? -1 : 1));
    const shown = new Map<string, Scored>();
    for (const one of scored) {
      if (shown.size >= wanted) break;
      const key = memoryKeyOf(keyOf(one));
      if (!exclude?.has(key) && !shown.has(key)) shown.set(key, one);
    }
    if (shown.size >= wanted || scored.length < place) return [...shown.values()];
  }
}

function fuse(
  { numbers, found, words, vector }: Omit<ScoredGroup, 'scores'>,
  { trust, lexicalWeight }: { readonly trust: number; readonly lexicalWeight: number },
): Float64Array {
  const scores = new Float64Array(numbers.length);
  for (let at = 0; at < scores.length; at++) {
    const number = numbers[at]!;
    const own = found === null ? 0 : trust * (found.match[at]! + COSINE_WEIGHT * found.cosine[at]!);
    scores[at] = own + lexicalWeight * words[number]! + (vector === null ? 0 : VECTOR_WEIGHT * vector[number]!);
  }
  return scores;
}

/** Those with a score above zero that is high enough. */
function scoredFrom(group: ScoredGroup, enough: number): readonly Scored[] {
  const { segment, numbers, scores, found, words, vector } = group;
  const scored: Scored[] = [];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at]!;
    if (score <= 0 || score < enough) continue;
    const number = numbers[at]!;
    const [match, cosine] = found === null ? [0, 0] : [found.match[at]!, found.cosine[at]!];
    scored.push({ segment, number, score, match, cosine, words: words[number]!, vector: vector?.[number] ?? null });
  }
  return scored;
}

/** The score that at least this many reach; numbers alone sort many times faster than what they belong to. */
function scoreOfPlace(groups: ReadonlyArray<{ readonly scores: Float64Array }>, place: number): number {
  const all = new Float64Array(groups.reduce((sum, { scores }) => sum + scores.length, 0));
  let filled = 0;
  for (const { scores } of groups) {
    all.set(scores, filled);
    filled += scores.length;
  }
  return all.sort()[all.length - place] ?? 0;
}

const NO_WORDS = { matched: [], unmet: [] };

/** Which words of the query met which of the memory, and which met none; the heaviest first. */
function comparedWords(meaning: QueryMeaning, encoder: Encoder, { segment, number }: Scored) {
  const compared = metTokens(meaning, segment, number);
  return {
    matched: compared
      .filter(({ met, likeness }) => met !== -1 && likeness > WORTH_NAMING)
      .map(({ token, met, likeness, weight }) => ({
        word: encoder.word(token),
        met: encoder.word(met),
        likeness,
        weight,
      }))
      .sort((left, right) => right.weight * right.likeness - left.weight * left.likeness),
    unmet: compared.filter(({ likeness }) => likeness < POOR_MATCH).map(({ token }) => encoder.word(token)),
  };
}
