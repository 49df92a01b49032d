/** Whether a hit is good enough to show to the model unasked. */

export interface CertaintyFacts {
  /** Share of the query's weight that the memory's tokens answer. */
  readonly match: number;
  readonly cosine: number;
  /** Share of the best possible score by words. */
  readonly words: number;
  /** How well the encoder knows the query's language. */
  readonly trust: number;
}

export interface Certainty {
  readonly certain: boolean;
  readonly evidence: number;
  /** The evidence required. */
  readonly threshold: number;
}

/** The order of hits and their worth are separate questions. The best hit for an unrelated question still has similar
 * tokens; it lacks similarity of the texts as a whole, so here the cosine leads. Weights by logistic regression of
 * relevant hits against the hits of foreign questions, rounded. */
const MATCH_WEIGHT = 0.4;
const WORDS_WEIGHT = 0.6;
/** Without the encoder about two thirds of the query's weight must be there word for word. */
const WORDS_ALONE_WEIGHT = 2.7;
/** In a folder of a hundred memories one unrelated question in a hundred reaches it, in one of a thousand about five;
 * of questions about a neighbouring subject, one in three. */
const ENOUGH = 0.97;
/** A hit this much weaker than the best is there by chance. */
const BEHIND_THE_BEST = 0.2;

export function evidenceFor({ match, cosine, words, trust }: CertaintyFacts): number {
  const wordsWeight = trust * WORDS_WEIGHT + (1 - trust) * WORDS_ALONE_WEIGHT;
  return trust * (cosine + MATCH_WEIGHT * match) + wordsWeight * words;
}

export function judgeCertain(evidence: number, best: number): Certainty {
  const threshold = Math.max(ENOUGH, best - BEHIND_THE_BEST);
  return { certain: evidence >= threshold, evidence, threshold };
}
