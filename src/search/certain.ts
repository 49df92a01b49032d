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

/** All chosen with all questions of the benchmark in sight. `npm run bench:certain` fits `inSilence` alone on some of them and prints what it does to the others.
 * Tried and left: margins over the next hit, the spread of a question's own scores, its length. None gained more than a point. */
const COSINE_WEIGHT = 0.6;
const WORDS_WEIGHT = 0.4;
/** Without the encoder more than a third of the query's weight must be there word for word. */
const WORDS_ALONE_WEIGHT = 2.7;
const WORDS_ALONE_ENOUGH = 0.97;
/** A hit is certain from `inSilence` on, where unrelated questions find nothing at all, and a share of what they find comes on top. Not all of it: what
 * general questions find among general memories says less about particular ones. */
export const CERTAIN_FROM = { inSilence: 0.23, shareOfNoise: 0.85 };
/** In a folder of a few memories unrelated questions reach next to nothing, which is no reason to show anything. */
const LEAST = 0.8;
/** A hit this much weaker than the best is there by chance. */
export const BEHIND_THE_BEST = 0.2;
/** A long message has many parts, and each of them a chance to be near something. */
const PART_OF_MESSAGE = 0.03;

export function evidenceFor({ match, cosine, words, trust }: CertaintyFacts): number {
  const wordsWeight = trust * WORDS_WEIGHT + (1 - trust) * WORDS_ALONE_WEIGHT;
  return trust * (match + COSINE_WEIGHT * cosine) + wordsWeight * words;
}

export function evidenceRequired(noise: number, { inSilence, shareOfNoise } = CERTAIN_FROM): number {
  return Math.max(LEAST, inSilence + shareOfNoise * noise);
}

export function judgeCertain(facts: {
  readonly evidence: number;
  /** Among the hits for the query. */
  readonly best: number;
  readonly trust: number;
  /** The evidence that unrelated questions reach in this folder. */
  readonly noise: number;
  readonly isPart: boolean;
  /** A number of the query that the best hit holds: dock 7 is not dock 8, however alike the rest is. */
  readonly lacksNumber: boolean;
}): Certainty {
  const { evidence, trust } = facts;
  const enough =
    trust * evidenceRequired(facts.noise) + (1 - trust) * WORDS_ALONE_ENOUGH + (facts.isPart ? PART_OF_MESSAGE : 0);
  const threshold = Math.max(enough, facts.lacksNumber ? facts.best : facts.best - BEHIND_THE_BEST);
  const certain = evidence >= threshold && !facts.lacksNumber;
  return { certain, evidence, threshold, isBehind: !certain && evidence >= enough };
}
