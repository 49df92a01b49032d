/** Which memories may contradict one another: about the same thing by words and by meaning, and not saying the same. A person or a model decides. */

import { keysOf, overlap, type Terms, termsOf } from '../memory/gate/terms.ts';
import { packagedEncoder } from '../model/encoder/encoder.ts';

export interface Statement {
  /** Another one once its text changes: `scope:id@hash`. */
  readonly key: string;
  /** Name, description and the beginning of the body. */
  readonly text: string;
}

export interface CandidatePair {
  readonly one: string;
  readonly other: string;
  readonly score: number;
}

/** A person looks at no more than this many; what is ranked lower waits for the next time. */
export const MOST_PAIRS = 150;
/** Below this two memories share a word or two and no subject. */
const LEAST_SCORE = 0.45;
/** Of these pairs the likeliest, best first. */
export function findCandidates(facts: {
  readonly pairs: Iterable<readonly [Statement, Statement]>;
  readonly asked: ReadonlySet<string>;
}): readonly CandidatePair[] {
  const compare = createComparison();
  const found = new Map<string, CandidatePair>();
  for (const [one, other] of facts.pairs) {
    const key = pairKey(one.key, other.key);
    if (one.key === other.key || facts.asked.has(key) || found.has(key)) continue;
    const score = compare(one, other);
    if (score >= LEAST_SCORE) found.set(key, { one: one.key, other: other.key, score });
  }
  return rankPairs([...found.values()]).slice(0, MOST_PAIRS);
}

/** Best first, each against the nearest that its newcomer has: of many that share a subject, the one that says the other thing about it. */
export function rankPairs<Pair extends CandidatePair>(pairs: readonly Pair[]): readonly Pair[] {
  const best = new Map<string, number>();
  for (const { one, score } of pairs) best.set(one, Math.max(best.get(one) ?? 0, score));
  const rank = ({ one, score }: Pair) => (score * score) / (best.get(one) || 1);
  return pairs.toSorted((first, second) => rank(second) - rank(first));
}

export function pairKey(one: string, other: string): string {
  return [one, other].sort().join(' ');
}

/** Meaning tells more than shared words; the rest is theirs. */
const MEANING_SHARE = 0.7;

interface Read {
  readonly vector: Float32Array;
  readonly terms: Terms;
  readonly keys: ReadonlySet<string>;
  readonly plain: string;
}

/** How near two statements are; nothing where they say the same words. */
export function createComparison(): (one: Statement, other: Statement) => number {
  const encoder = packagedEncoder();
  const known = new Map<string, Read>();
  const read = ({ key, text }: Statement): Read => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = {
      vector: encoder.embed(text),
      terms: termsOf(text),
      keys: keysOf(text),
      plain: text.replace(/\s+/g, ' ').trim().toLowerCase(),
    };
    known.set(key, made);
    return made;
  };
  return (one, other) => {
    const [first, second] = [read(one), read(other)];
    if (first.plain === second.plain) return 0;
    const shared = (overlap(first.terms, second.keys).share + overlap(second.terms, first.keys).share) / 2;
    return MEANING_SHARE * cosine(first.vector, second.vector) + (1 - MEANING_SHARE) * shared;
  };
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * other[at]!, 0);
}
