/** Long work in small steps: at once if nobody waits, or in turns with everything else that this process does. */

import { TURN_LIMITS } from '../../limits.ts';

/** Work that can pause wherever it yields. */
export type Steps<Result> = Generator<void, Result, void>;

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const waiting: (() => void)[] = [];

/** Resolves when everything else had its turn; one waiter a round, so that many who work like this take no more of it than one. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    // After a read the first immediate comes before any timer; after an immediate the next one comes behind everything.
    if (waiting.length === 1) setImmediate(() => setImmediate(giveTurn));
  });
}

function giveTurn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(giveTurn);
  next?.();
}

/** Loads a large module when it is first asked for; what is done with it then waits for the next turn. */
export function loadedOnUse<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let isLoaded = false;
  return async () => {
    const loaded = await load();
    if (!isLoaded) await nextTurn();
    isLoaded = true;
    return loaded;
  };
}

/** Somebody typing meanwhile waits for at most one slice, and for the longest single step. */
export async function inTurns<Result>(steps: Steps<Result>, sliceMs: number = TURN_LIMITS.sliceMs): Promise<Result> {
  for (;;) {
    const untilMs = performance.now() + sliceMs;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < untilMs);
    await nextTurn();
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
