/** The current memories of the index: segments, which memories in them are alive, and the counts that ranking divides by. */

import type { Steps } from '../base/async/in-turns.ts';
import type { LiveSegment } from './merge-segments.ts';
import type { Noise } from './noise.ts';
import type { Segment } from './segment.ts';
import type { SegmentFile } from './segment-file.ts';

const MOVES_PER_STEP = 250;
const ADDED_PER_STEP = 32;
const COUNTS_PER_STEP = 4_000;

export interface DocumentPlace {
  readonly part: CorpusPart;
  readonly number: number;
  readonly hash: string;
}

export interface CorpusPart extends LiveSegment {
  aliveCount: number;
  /** Its file, once it has one. */
  file?: SegmentFile;
}

export interface Corpus {
  parts: CorpusPart[];
  /** Memories that are alive. */
  size: number;
  /** Where each memory is, by key; empty until the corpus is changed, since a search does not need it. */
  readonly places: Map<string, DocumentPlace>;
  /** Distinct tokens and weighted term frequencies of all memories, for the average length. */
  tokenTotal: number;
  termTotal: number;
  /** Memories that hold a token. */
  readonly tokenCounts: Uint32Array;
  /** Grows when a token comes into use or falls out of it. */
  generation: number;
  /** What unrelated questions reach here; null until it is measured. */
  noise: Noise | null;
}

export function createCorpus(tokenNumbers: number): Corpus {
  return {
    parts: [],
    size: 0,
    places: new Map(),
    tokenTotal: 0,
    termTotal: 0,
    tokenCounts: new Uint32Array(tokenNumbers),
    generation: 0,
    noise: null,
  };
}

/** As it is now, for a search in steps while the index goes on changing. What is counted of tokens may change under it, which moves weights a little. */
export function asOfNow(corpus: Corpus): Corpus {
  return { ...corpus, parts: corpus.parts.map((part) => ({ ...part, alive: part.alive.slice() })) };
}

/** Adds a segment from disk, whose dead memories are known. */
export function* addStoredSegment(corpus: Corpus, segment: Segment, dead: readonly number[]): Steps<CorpusPart> {
  const alive = new Uint8Array(segment.documents.length).fill(1);
  for (const number of dead) alive[number] = 0;
  const part: CorpusPart = { segment, alive, aliveCount: alive.length - dead.length };
  corpus.parts.push(part);
  corpus.size += part.aliveCount;
  yield* countAll(corpus, segment);
  for (const [at, number] of dead.entries()) {
    if (at % MOVES_PER_STEP === 0) yield;
    count(corpus, segment, number, -1);
  }
  return part;
}

export function* findPlaces(corpus: Corpus): Generator<void, void> {
  if (corpus.places.size === corpus.size) return;
  for (const part of corpus.parts) {
    for (let number = 0; number < part.alive.length; number++) {
      if (number % MOVES_PER_STEP === 0) yield;
      if (part.alive[number] === 0) continue;
      const [key, hash] = part.segment.documents.at(number)!;
      corpus.places.set(key, { part, number, hash });
    }
  }
}

/** Adds new memories, replacing any earlier ones with the same key: at every step one of both is alive. Places are known. */
export function* addNewSegment(corpus: Corpus, segment: Segment): Steps<void> {
  const part: CorpusPart = { segment, alive: new Uint8Array(segment.documents.length), aliveCount: 0 };
  corpus.parts.push(part);
  for (let number = 0; number < part.alive.length; number++) {
    if (number % ADDED_PER_STEP === 0) yield;
    const [key, hash] = segment.documents.at(number)!;
    removeDocument(corpus, key);
    part.alive[number] = 1;
    corpus.places.set(key, { part, number, hash });
    part.aliveCount++;
    corpus.size++;
    count(corpus, segment, number, 1);
  }
}

export function removeDocument(corpus: Corpus, key: string): boolean {
  const place = corpus.places.get(key);
  if (place === undefined) return false;
  corpus.places.delete(key);
  place.part.alive[place.number] = 0;
  place.part.aliveCount--;
  corpus.size--;
  count(corpus, place.part.segment, place.number, -1);
  return true;
}

/** Replaces segments with the one they were merged into. A memory is alive in one of them at every step. */
export function* replaceParts(corpus: Corpus, replaced: readonly CorpusPart[], merged: Segment): Generator<void, void> {
  const part: CorpusPart = { segment: merged, alive: new Uint8Array(merged.documents.length), aliveCount: 0 };
  corpus.parts.push(part);
  for (let number = 0; number < part.alive.length; number++) {
    if (number % MOVES_PER_STEP === 0) yield;
    const key = merged.documents.at(number)![0];
    const place = corpus.places.get(key);
    if (place === undefined || !replaced.includes(place.part)) continue;
    place.part.alive[place.number] = 0;
    place.part.aliveCount--;
    part.alive[number] = 1;
    part.aliveCount++;
    corpus.places.set(key, { part, number, hash: place.hash });
  }
  corpus.parts = corpus.parts.filter((one) => !replaced.includes(one));
}

function* countAll(corpus: Corpus, segment: Segment): Steps<void> {
  const { held, start } = segment.holders;
  for (let at = 0; at < held.length; at++) {
    if (at % COUNTS_PER_STEP === 0) yield;
    corpus.tokenCounts[held[at]!]! += start[at + 1]! - start[at]!;
  }
  corpus.tokenTotal += segment.tokens.length;
  for (let number = 0; number < segment.termLengths.length; number++) {
    if (number % COUNTS_PER_STEP === 0) yield;
    corpus.termTotal += segment.termLengths[number]!;
  }
  corpus.generation++;
}

function count(corpus: Corpus, segment: Segment, number: number, change: 1 | -1): void {
  const from = segment.tokenStart[number]!;
  const to = segment.tokenStart[number + 1]!;
  const counts = corpus.tokenCounts;
  corpus.tokenTotal += change * (to - from);
  corpus.termTotal += change * segment.termLengths[number]!;
  for (let at = from; at < to; at++) {
    const token = segment.tokens[at]!;
    const held = counts[token]! + change;
    counts[token] = held;
    if (held === 0 || (held === 1 && change === 1)) corpus.generation++;
  }
}
