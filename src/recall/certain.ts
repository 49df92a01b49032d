/** Whether a hit is good enough to be put before the model unasked. */

export interface CertaintyFacts {
  readonly score: number;
  readonly match: number;
  readonly cosine: number;
  readonly words: number;
  readonly trust: number;
  readonly runnerUp: number;
}

export function judgeCertain(facts: CertaintyFacts): { certain: boolean; threshold: number } {
  const threshold = 0.55;
  return { certain: facts.score >= threshold, threshold };
}
