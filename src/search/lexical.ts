/** How well the words of a query are found in each memory: BM25 over lists by term. */

import type { Corpus } from './corpus.ts';
import { findSorted } from './find-sorted.ts';
import { memoryKeyOf } from './passages/passages.ts';
import { FREQUENCY_UNIT, type Segment } from './segment.ts';
import type { Term } from './terms.ts';

/** The usual constants: how soon a repeated word stops counting, and how much a long text is penalised. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** How many of a query's rarest words are looked up; a pasted page has hundreds. */
const TERMS_SCORED = 64;

/** By part of the corpus, by document: 0 … 1, the share of the best possible score. */
export function scoreWords(corpus: Corpus, terms: readonly Term[]): readonly Float32Array[] {
  const byPart = corpus.parts.map(({ segment }) => new Float32Array(segment.documents.length));
  const size = corpus.size;
  const averageLength = corpus.termTotal / Math.max(1, size) || 1;
  const weights = new Map<number, number>();
  const found: number[] = [];
  let best = 0;
  for (const { hash } of terms) {
    if (weights.has(hash)) continue;
    const holders = countHolders(corpus, hash);
    const weight = Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
    weights.set(hash, weight);
    best += weight;
    if (holders > 0) found.push(hash);
  }
  found.sort((left, right) => weights.get(right)! - weights.get(left)!);
  for (const hash of found.slice(0, TERMS_SCORED)) {
    const share = weights.get(hash)! / best;
    for (const [at, { segment }] of corpus.parts.entries()) {
      addTerm({ scores: byPart[at]!, segment, hash, share, averageLength });
    }
  }
  return byPart;
}

export function holdsTerm(segment: Segment, number: number, hash: number): boolean {
  const at = findSorted(segment.terms, hash);
  if (at === -1) return false;
  return segment.termDocuments.subarray(segment.termStart[at], segment.termStart[at + 1]).includes(number);
}

/** The key of the one memory that holds a term, itself or in its parts; null when none or several do. */
export function soleHolder(corpus: Corpus, hash: number): string | null {
  let found: string | null = null;
  for (const { segment, alive } of corpus.parts) {
    const at = findSorted(segment.terms, hash);
    if (at === -1) continue;
    for (let entry = segment.termStart[at]!; entry < segment.termStart[at + 1]!; entry++) {
      const number = segment.termDocuments[entry]!;
      if (alive[number] === 0) continue;
      const key = memoryKeyOf(segment.documents.at(number)![0]);
      if (found !== null && found !== key) return null;
      found = key;
    }
  }
  return found;
}

function countHolders(corpus: Corpus, hash: number): number {
  let holders = 0;
  for (const { segment, alive, aliveCount } of corpus.parts) {
    const at = findSorted(segment.terms, hash);
    if (at === -1) continue;
    const [from, to] = [segment.termStart[at]!, segment.termStart[at + 1]!];
    if (aliveCount === alive.length) holders += to - from;
    else for (let entry = from; entry < to; entry++) holders += alive[segment.termDocuments[entry]!]!;
  }
  return holders;
}

function addTerm(parts: {
  readonly scores: Float32Array;
  readonly segment: Segment;
  readonly hash: number;
  /** Of the best possible score. */
  readonly share: number;
  readonly averageLength: number;
}): void {
  const { scores, segment, share, averageLength } = parts;
  const at = findSorted(segment.terms, parts.hash);
  if (at === -1) return;
  const to = segment.termStart[at + 1]!;
  for (let entry = segment.termStart[at]!; entry < to; entry++) {
    const number = segment.termDocuments[entry]!;
    const frequency = segment.termFrequencies[entry]! * FREQUENCY_UNIT;
    const length = segment.termLengths[number]! / averageLength;
    const damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
    scores[number]! += (share * frequency) / (frequency + damping);
  }
}
