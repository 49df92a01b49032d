/** Sorts a long list in steps. */

import type { Steps } from './in-turns.ts';

const ITEMS_PER_STEP = 512;

/** By the text that each item has; items with the same text stay in their order. */
export function* sorting<Item>(items: readonly Item[], textOf: (item: Item) => string): Steps<Item[]> {
  const compare = (one: Item, other: Item) => (textOf(one) < textOf(other) ? -1 : textOf(one) > textOf(other) ? 1 : 0);
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += ITEMS_PER_STEP) {
    runs.push(items.slice(from, from + ITEMS_PER_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left, right] = [runs[at]!, runs[at + 1]];
      merged.push(right === undefined ? left : yield* merging(left, right, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merging<Item>(left: Item[], right: Item[], compare: (one: Item, other: Item) => number): Steps<Item[]> {
  const merged: Item[] = [];
  for (let [at, to] = [0, 0]; at < left.length || to < right.length; ) {
    if (merged.length % ITEMS_PER_STEP === 0) yield;
    const takesLeft = to >= right.length || (at < left.length && compare(left[at]!, right[to]!) <= 0);
    merged.push(takesLeft ? left[at++]! : right[to++]!);
  }
  return merged;
}
