/** Long work in small steps: at once if nobody waits, or in turns with everything else that this process does. */

import { setImmediate } from 'node:timers/promises';
import { TURN_LIMITS } from '../../limits.ts';

/** Work that can pause wherever it yields. */
export type Steps<Result> = Generator<void, Result, void>;

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Somebody typing meanwhile waits for at most one slice, and for the longest single step. */
export async function inTurns<Result>(steps: Steps<Result>, sliceMs: number = TURN_LIMITS.sliceMs): Promise<Result> {
  for (;;) {
    const untilMs = performance.now() + sliceMs;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < untilMs);
    await setImmediate();
  }
}

export function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<readonly Result[]> {
  return inTurns(mapping(items, map));
}

function* mapping<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Steps<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    yield;
  }
  return results;
}
