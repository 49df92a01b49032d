/** The order in which memories answer a query: meaning and words, fused on one scale, with the parts of every score. */

import type { Encoder } from '../model/encoder/encoder.ts';
import { pickCandidates } from './candidates.ts';
import { judgeCertain } from './certain.ts';
import type { Corpus } from './corpus.ts';
import type { RecallHit } from './explain.ts';
import { holdsTerm, scoreWords } from './lexical.ts';
import { createMeaningReader, metTokens, type QueryMeaning, scoreMeaning } from './meaning.ts';
import { englishWords } from './segment.ts';
import { knownShare, termsOf } from './terms.ts';

/** The token match leads; the cosine of the whole texts and the words themselves correct it. */
const COSINE_WEIGHT = 0.15;
const WORDS_WEIGHT = 0.4;
/** What the words count for when the encoder knows none of them. */
const WORDS_ALONE_WEIGHT = 1;

/** Share of known words up to which a query is taken for foreign, and from which on for English. */
const FOREIGN_SHARE = 0.3;
const ENGLISH_SHARE = 0.6;

export interface RankOptions {
  readonly limit: number;
  readonly exclude?: ReadonlySet<string>;
}

export interface Ranker {
  rank(corpus: Corpus, query: string, options: RankOptions): RecallHit[];
}

interface Scored {
  readonly part: number;
  readonly number: number;
  readonly key: string;
  readonly score: number;
  readonly match: number;
  readonly cosine: number;
  readonly words: number;
}

export function createRanker(encoder: Encoder | null): Ranker {
  const reader = encoder === null ? null : createMeaningReader(encoder);
  const isEnglish = englishWords(encoder);
  return {
    rank(corpus, query, options) {
      const size = corpus.places.size;
      if (size === 0 || options.limit <= 0) return [];
      const terms = termsOf(query, isEnglish);
      const lexical = scoreWords(corpus, terms);
      const meaning = reader?.readQuery(corpus, query) ?? null;
      const trust = meaning === null ? 0 : trustInMeaning(knownShare(terms));
      const lexicalWeight = trust * WORDS_WEIGHT + (1 - trust) * WORDS_ALONE_WEIGHT;
      const averageLength = corpus.tokenTotal / size || 1;
      const nearest = new Float32Array(meaning?.tokens.length ?? 0);
      const scored: Scored[] = [];
      for (const { part, number } of pickCandidates({ corpus, lexical, lexicalWeight, meaning })) {
        const { segment } = corpus.parts[part]!;
        const key = segment.documents[number]![0];
        if (options.exclude?.has(key)) continue;
        const { match, cosine } =
          meaning === null
            ? { match: 0, cosine: 0 }
            : scoreMeaning(meaning, { segment, number, averageLength }, nearest);
        const words = lexical.byPart[part]![number]!;
        const score = trust * (match + COSINE_WEIGHT * cosine) + lexicalWeight * words;
        if (score > 0) scored.push({ part, number, key, score, match, cosine, words });
      }
      scored.sort((left, right) => right.score - left.score || (left.key < right.key ? -1 : 1));
      const runnerUp = scored[1]?.score ?? 0;
      return scored.slice(0, options.limit).map((one) => {
        const { segment } = corpus.parts[one.part]!;
        const matched = meaning === null || encoder === null ? [] : matchedWords(meaning, encoder, segment, one.number);
        const shared = [...lexical.shares].filter(([hash]) => holdsTerm(segment, one.number, hash));
        const wordsShared = [...new Set(shared.map(([hash]) => terms.find((term) => term.hash === hash)!.word))];
        const facts = { score: one.score, match: one.match, cosine: one.cosine, words: one.words, trust, runnerUp };
        const { certain, threshold } = judgeCertain(facts);
        return {
          key: one.key,
          score: one.score,
          certain,
          why: { meaning: one.match, cosine: one.cosine, lexical: one.words, trust, wordsShared, matched, threshold },
        };
      });
    },
  };
}

/** A question in English has most of its words in the vocabulary; one in another language meets it by chance. */
function trustInMeaning(known: number): number {
  return Math.min(1, Math.max(0, (known - FOREIGN_SHARE) / (ENGLISH_SHARE - FOREIGN_SHARE)));
}

function matchedWords(
  meaning: QueryMeaning,
  encoder: Encoder,
  segment: Parameters<typeof metTokens>[1],
  number: number,
) {
  return metTokens(meaning, segment, number)
    .filter(({ met, likeness }) => met !== -1 && likeness > 0.2)
    .map(({ token, met, likeness, weight }) => ({
      word: encoder.word(token),
      met: encoder.word(met),
      likeness,
      weight,
    }))
    .sort((left, right) => right.weight * right.likeness - left.weight * left.likeness);
}
