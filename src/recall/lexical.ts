/** How well the words of a query are found in each memory: BM25 over lists by term. */

import type { Corpus } from './corpus.ts';
import { FREQUENCY_UNIT, type Segment } from './segment.ts';
import type { Term } from './terms.ts';

/** The usual constants: how soon a repeated word stops counting, and how much a long text is held against itself. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

export interface LexicalScores {
  /** By part of the corpus, by document: 0 … 1, the share of the best possible score. */
  readonly byPart: readonly Float32Array[];
  /** Hash of each term with its share of the best possible score. */
  readonly shares: ReadonlyMap<number, number>;
}

export function scoreWords(corpus: Corpus, terms: readonly Term[]): LexicalScores {
  const byPart = corpus.parts.map(({ segment }) => new Float32Array(segment.documents.length));
  const size = corpus.size;
  const averageLength = corpus.termTotal / Math.max(1, size) || 1;
  const rarity = new Map<number, number>();
  let best = 0;
  for (const { hash } of terms) {
    if (rarity.has(hash)) continue;
    const holders = countHolders(corpus, hash);
    const weight = Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
    rarity.set(hash, weight);
    best += weight * (SATURATION + 1);
  }
  for (const [hash, weight] of rarity) {
    for (const [at, { segment }] of corpus.parts.entries()) {
      addTerm({ scores: byPart[at]!, segment, hash, weight: weight / best, averageLength });
    }
  }
  for (const [hash, weight] of rarity) rarity.set(hash, (weight * (SATURATION + 1)) / best);
  return { byPart, shares: rarity };
}

export function holdsTerm(segment: Segment, number: number, hash: number): boolean {
  const at = findTerm(segment.terms, hash);
  if (at === -1) return false;
  return segment.termDocuments.subarray(segment.termStart[at], segment.termStart[at + 1]).includes(number);
}

function countHolders(corpus: Corpus, hash: number): number {
  let holders = 0;
  for (const { segment, alive, aliveCount } of corpus.parts) {
    const at = findTerm(segment.terms, hash);
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
  readonly weight: number;
  readonly averageLength: number;
}): void {
  const { scores, segment, weight, averageLength } = parts;
  const at = findTerm(segment.terms, parts.hash);
  if (at === -1) return;
  const to = segment.termStart[at + 1]!;
  for (let entry = segment.termStart[at]!; entry < to; entry++) {
    const number = segment.termDocuments[entry]!;
    const frequency = segment.termFrequencies[entry]! * FREQUENCY_UNIT;
    const length = segment.termLengths[number]! / averageLength;
    const damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
    scores[number]! += (weight * frequency * (SATURATION + 1)) / (frequency + damping);
  }
}

function findTerm(terms: Uint32Array, hash: number): number {
  let [low, high] = [0, terms.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = terms[middle]!;
    if (found === hash) return middle;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
