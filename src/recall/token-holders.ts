/** A segment's tokens turned over: for each token the memories that hold it. */

import type { Segment } from './segment.ts';

export interface TokenHolders {
  /** Memories that hold token `t`: `numbers[start[t]] … numbers[start[t + 1] - 1]`. */
  readonly start: Uint32Array;
  readonly numbers: Uint32Array;
}

const ENTRIES_PER_STEP = 50_000;

export function* turnOverTokens(segment: Segment, tokenNumbers: number): Generator<void, TokenHolders> {
  const start = new Uint32Array(tokenNumbers + 1);
  const { tokens, tokenStart } = segment;
  for (let at = 0; at < tokens.length; at++) {
    if (at % ENTRIES_PER_STEP === 0) yield;
    start[tokens[at]! + 1]!++;
  }
  for (let token = 0; token < tokenNumbers; token++) start[token + 1]! += start[token]!;
  const next = start.slice(0, tokenNumbers);
  const numbers = new Uint32Array(tokens.length);
  for (let number = 0; number + 1 < tokenStart.length; number++) {
    if (number % 2_000 === 0) yield;
    for (let at = tokenStart[number]!; at < tokenStart[number + 1]!; at++) numbers[next[tokens[at]!]!++] = number;
  }
  return { start, numbers };
}

/** Without pauses, for who must have the answer now. */
export function drain<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
