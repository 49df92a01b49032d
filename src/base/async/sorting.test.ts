import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce } from './in-turns.ts';
import { sorting } from './sorting.ts';

test('sorts as the built-in does, however long the list', () => {
  fc.assert(
    fc.property(fc.nat({ max: 3_000 }), fc.nat(), (length, seed) => {
      const items = Array.from({ length }, (_, at) => ({ name: String(Math.imul(at + seed, 2_654_435_761) >>> 0) }));
      const sorted = atOnce(sorting(items, ({ name }) => name)).map(({ name }) => name);
      expect(sorted).toEqual(items.map(({ name }) => name).sort());
    }),
    { numRuns: 30 },
  );
});

test('items with the same text stay in their order', () => {
  const items = Array.from({ length: 3_000 }, (_, at) => ({ name: String(at % 7), at }));
  const byName = items.toSorted((one, other) => one.name.localeCompare(other.name));
  expect(atOnce(sorting(items, ({ name }) => name))).toEqual(byName);
});

test('a long list takes many steps', () => {
  const steps = sorting(
    Array.from({ length: 10_000 }, (_, at) => String(at)),
    (text) => text,
  );
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThan(20);
});
