import { expect, it } from 'vitest';
import { atOnce, inTurns, type Steps } from './in-turns.ts';

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

it('fails as its work does', async () => {
  const fails = () => {
    throw new Error('no more');
  };
  await expect(inTurns(counting(1, fails))).rejects.toThrow('no more');
});
