/** The order in which memories answer a query: meaning and words, combined on one scale, with the parts of every score. */

import type { Encoder } from '../model/encoder/encoder.ts';
import { pickCandidates } from './candidates.ts';
import { evidenceFor, judgeCertain } from './certain.ts';
import type { Corpus } from './corpus.ts';
import type { RecallHit } from './explain.ts';
import { holdsTerm, scoreWords } from './lexical.ts';
import { createMeaningReader, type MeaningScores, metTokens, type QueryMeaning } from './meaning.ts';
import { englishWords, type Segment } from './segment.ts';
import { knownShare, termsOf } from './terms.ts';

/** The token match leads; the cosine of the whole texts and the words themselves correct it. */
const COSINE_WEIGHT = 0.15;
const WORDS_WEIGHT = 0.4;
/** What the words count for when the encoder knows none of them. */
const WORDS_ALONE_WEIGHT = 1;

/** A pasted log is not a question; its beginning has to do. */
const QUERY_CHARACTERS = 4_000;
/** Minimum likeness for a pair of words to explain something. */
const WORTH_NAMING = 0.2;
/** Share of known words below which a query counts as foreign, and above which as English. */
const FOREIGN_SHARE = 0.3;
const ENGLISH_SHARE = 0.6;

/** Weight of the likeness by the user's own model: such a model is stronger than ours, or they would not bring one. */
const VECTOR_WEIGHT = 0.6;
/** Hits among which the best evidence is looked for, however many are requested. */
const BEST_AMONG = 5;

export interface RankOptions {
  readonly limit: number;
  readonly exclude?: ReadonlySet<string>;
}

export interface RankFacts extends RankOptions {
  readonly corpus: Corpus;
  readonly query: string;
  /** Likeness by the user's own embedding model, by part and document. */
  readonly vectors: readonly Float32Array[] | null;
}

export interface Ranker {
  rank(facts: RankFacts): RecallHit[];
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
  return {
    rank({ corpus, query: asked, vectors, limit, exclude }) {
      const query = asked.slice(0, QUERY_CHARACTERS);
      const size = corpus.size;
      if (size === 0 || limit <= 0) return [];
      const terms = termsOf(query, isEnglish);
      const lexical = scoreWords(corpus, terms);
      const meaning = reader?.readQuery(corpus, query) ?? null;
      const trust = meaning === null ? 0 : trustInMeaning(knownShare(terms));
      const lexicalWeight = trust * WORDS_WEIGHT + (1 - trust) * WORDS_ALONE_WEIGHT;
      const averageLength = corpus.tokenTotal / size || 1;
      const addition = vectors === null ? null : { scores: vectors, weight: VECTOR_WEIGHT };
      const picked = pickCandidates({ corpus, lexical, lexicalWeight, meaning, addition });
      const groups = picked.map(({ part, numbers }): ScoredGroup => {
        const { segment } = corpus.parts[part]!;
        const found = meaning === null ? null : reader!.score(meaning, { segment, numbers, averageLength });
        const parts = { segment, numbers, found, words: lexical[part]!, vector: vectors?.[part] ?? null };
        return { ...parts, scores: fuse(parts, { trust, lexicalWeight }) };
      });
      const keyOf = (one: Scored) => one.segment.documents.at(one.number)![0];
      const wanted = Math.max(limit, BEST_AMONG);
      const enough = scoreOfPlace(groups, wanted + (exclude?.size ?? 0));
      const scored = groups.flatMap((group) => scoredFrom(group, enough));
      scored.sort((left, right) => right.score - left.score || (keyOf(left) < keyOf(right) ? -1 : 1));
      const shown: Scored[] = [];
      for (const one of scored) {
        if (shown.length >= wanted) break;
        if (!exclude?.has(keyOf(one))) shown.push(one);
      }
      const evidence = (one: Scored) => evidenceFor({ ...one, trust });
      const best = Math.max(...shown.slice(0, BEST_AMONG).map(evidence));
      return shown.slice(0, limit).map((one) => {
        const certainty = judgeCertain(evidence(one), best);
        const shared = terms.filter(({ hash }) => holdsTerm(one.segment, one.number, hash)).map(({ word }) => word);
        return {
          key: keyOf(one),
          score: one.score,
          certain: certainty.certain,
          why: {
            meaning: one.match,
            cosine: one.cosine,
            lexical: one.words,
            vector: one.vector,
            trust,
            wordsShared: [...new Set(shared)],
            matched: meaning === null || encoder === null ? [] : matchedWords(meaning, encoder, one),
            evidence: certainty.evidence,
            threshold: certainty.threshold,
          },
        };
      });
    },
  };
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

/** A question in English has most of its words in the vocabulary; one in another language matches it by chance. */
function trustInMeaning(known: number): number {
  return Math.min(1, Math.max(0, (known - FOREIGN_SHARE) / (ENGLISH_SHARE - FOREIGN_SHARE)));
}

function matchedWords(meaning: QueryMeaning, encoder: Encoder, { segment, number }: Scored) {
  return metTokens(meaning, segment, number)
    .filter(({ met, likeness }) => met !== -1 && likeness > WORTH_NAMING)
    .map(({ token, met, likeness, weight }) => ({
      word: encoder.word(token),
      met: encoder.word(met),
      likeness,
      weight,
    }))
    .sort((left, right) => right.weight * right.likeness - left.weight * left.likeness);
}
