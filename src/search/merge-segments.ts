/** Merges several segments into one without their forgotten memories, in steps, so that nobody waits for a large one. */

import type { Segment } from './segment.ts';
import { turnOverTokens } from './token-holders.ts';

export interface LiveSegment {
  readonly segment: Segment;
  /** 1 for a memory that is still there, by its number in the segment. */
  readonly alive: Uint8Array;
}

/** Entries copied between two chances to pause: well under a millisecond. */
const ENTRIES_PER_STEP = 4_000;
const NAMES_PER_STEP = 500;
const GONE = 0xffffffff;

export function* mergeSegments(parts: readonly LiveSegment[]): Generator<void, Segment> {
  const documents: Array<readonly [string, string]> = [];
  const sumLengths: number[] = [];
  const termLengths: number[] = [];
  const tokenStart: number[] = [0];
  const numbers: Uint32Array[] = [];
  for (const { segment, alive } of parts) {
    const renumbered = new Uint32Array(alive.length).fill(GONE);
    for (let at = 0; at < alive.length; at++) {
      if (at % NAMES_PER_STEP === 0) yield;
      if (alive[at] === 0) continue;
      renumbered[at] = documents.length;
      documents.push(segment.documents.at(at)!);
      sumLengths.push(segment.sumLengths[at]!);
      termLengths.push(segment.termLengths[at]!);
      tokenStart.push(tokenStart.at(-1)! + segment.tokenStart[at + 1]! - segment.tokenStart[at]!);
    }
    numbers.push(renumbered);
  }
  const tokens = new Uint32Array(tokenStart.at(-1)!);
  for (const [part, { segment, alive }] of parts.entries()) {
    for (let at = 0; at < alive.length; at++) {
      if (at % NAMES_PER_STEP === 0) yield;
      if (alive[at] === 0) continue;
      const own = segment.tokens.subarray(segment.tokenStart[at], segment.tokenStart[at + 1]);
      tokens.set(own, tokenStart[numbers[part]![at]!]!);
    }
  }
  const starts = Uint32Array.from(tokenStart);
  return {
    documents,
    tokenStart: starts,
    tokens,
    holders: yield* turnOverTokens({ tokens, tokenStart: starts }),
    sumLengths: Float32Array.from(sumLengths),
    termLengths: Float32Array.from(termLengths),
    ...(yield* mergeTerms(parts, numbers)),
  };
}

type TermLists = Pick<Segment, 'terms' | 'termStart' | 'termDocuments' | 'termFrequencies'>;

function* mergeTerms(parts: readonly LiveSegment[], numbers: readonly Uint32Array[]): Generator<void, TermLists> {
  const most = parts.reduce((sum, { segment }) => sum + segment.termDocuments.length, 0);
  const termDocuments = new Uint32Array(most);
  const termFrequencies = new Uint8Array(most);
  const terms = new Uint32Array(parts.reduce((sum, { segment }) => sum + segment.terms.length, 0));
  const termStart = new Uint32Array(terms.length + 1);
  let termCount = 0;
  const cursors = parts.map(() => 0);
  let filled = 0;
  let steps = 0;
  for (;;) {
    let lowest = Number.POSITIVE_INFINITY;
    for (const [part, { segment }] of parts.entries())
      lowest = Math.min(lowest, segment.terms[cursors[part]!] ?? lowest);
    if (lowest === Number.POSITIVE_INFINITY) break;
    for (const [part, { segment }] of parts.entries()) {
      const cursor = cursors[part]!;
      if (segment.terms[cursor] !== lowest) continue;
      cursors[part] = cursor + 1;
      const renumbered = numbers[part]!;
      for (let at = segment.termStart[cursor]!; at < segment.termStart[cursor + 1]!; at++) {
        const number = renumbered[segment.termDocuments[at]!]!;
        if (++steps % ENTRIES_PER_STEP === 0) yield;
        if (number === GONE) continue;
        termDocuments[filled] = number;
        termFrequencies[filled++] = segment.termFrequencies[at]!;
      }
    }
    if (++steps % ENTRIES_PER_STEP === 0) yield;
    if (filled === termStart[termCount]) continue;
    terms[termCount++] = lowest;
    termStart[termCount] = filled;
  }
  return {
    terms: terms.slice(0, termCount),
    termStart: termStart.slice(0, termCount + 1),
    termDocuments: termDocuments.slice(0, filled),
    termFrequencies: termFrequencies.slice(0, filled),
  };
}
