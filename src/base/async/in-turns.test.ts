import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { atOnce, inTurns, nextTurn, type Steps } from './in-turns.ts';

function* counting(to: number, step: () => void = () => {}): Steps<number> {
  let sum = 0;
  for (let at = 1; at <= to; at++) {
    step();
    sum += at;
    yield;
  }
  return sum;
}

it.each([0, 1, 1_000])('gives the same result at once and in turns: %d steps', async (to) => {
  expect(atOnce(counting(to))).toBe((to * (to + 1)) / 2);
  expect(await inTurns(counting(to))).toBe((to * (to + 1)) / 2);
});

it('lets others have their turn in the middle', async () => {
  const seen: string[] = [];
  const busy = () => {
    const untilMs = performance.now() + 10;
    while (performance.now() < untilMs);
  };
  setImmediate(() => seen.push('somebody else'));
  await inTurns(counting(3, busy)).then(() => seen.push('done'));
  expect(seen).toEqual(['somebody else', 'done']);
});

it('lets timers that are due come first, also after a read', async () => {
  const seen: string[] = [];
  await readFile(import.meta.filename);
  setTimeout(() => seen.push('timer'), 1);
  const untilMs = performance.now() + 5;
  while (performance.now() < untilMs);
  await nextTurn();
  expect(seen).toEqual(['timer']);
});

it('fails as its work does', async () => {
  const fails = () => {
    throw new Error('no more');
  };
  await expect(inTurns(counting(1, fails))).rejects.toThrow('no more');
});

it('gives several works one slice a round', async () => {
  const rounds: number[] = [];
  let round = 0;
  let isOver = false;
  const next = () => {
    round += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  const step = () => {
    rounds.push(round);
    const untilMs = performance.now() + 3;
    while (performance.now() < untilMs);
  };
  const works = [1, 2, 3, 4].map(() => inTurns(counting(4, step), 1));
  await Promise.all(works);
  isOver = true;
  // The first slice of each is its caller's.
  const later = rounds.filter((each) => each > 0);
  expect(later.length).toBe(12);
  expect(new Set(later).size).toBe(12);
});
