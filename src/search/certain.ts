/** Whether a hit is good enough to be put before the model unasked. */

export interface CertaintyFacts {
  /** Share of the query's weight that the memory's tokens answer. */
  readonly match: number;
  readonly cosine: number;
  /** Share of the best possible score by words. */
  readonly words: number;
  /** How far the encoder knows the query's language. */
  readonly trust: number;
}

export interface Certainty {
  readonly certain: boolean;
  readonly evidence: number;
  /** The evidence it takes. */
  readonly threshold: number;
}

/** The order of hits and their worth are two questions. The best hit for a question about something else still has near
 *  tokens; what it lacks is a text that is alike as a whole, so here the cosine leads. Weights by logistic regression of
 *  relevant hits against the hits of foreign questions, rounded. */
const MATCH_WEIGHT = 0.4;
const WORDS_WEIGHT = 0.6;
/** Without the encoder about two thirds of the query's weight have to be there word by word. */
const WORDS_ALONE_WEIGHT = 2.2;
/** One question in a hundred about another subject reaches it in a folder of a hundred memories, about five in one of a
 *  thousand; of questions about a neighbouring subject, one in three. */
const ENOUGH = 0.78;
/** What is this much weaker than the best hit is mentioned by chance beside it. */
const BEHIND_THE_BEST = 0.2;

export function evidenceFor({ match, cosine, words, trust }: CertaintyFacts): number {
  const wordsWeight = trust * WORDS_WEIGHT + (1 - trust) * WORDS_ALONE_WEIGHT;
  return trust * (cosine + MATCH_WEIGHT * match) + wordsWeight * words;
}

export function judgeCertain(evidence: number, best: number): Certainty {
  const threshold = Math.max(ENOUGH, best - BEHIND_THE_BEST);
  return { certain: evidence >= threshold, evidence, threshold };
}
