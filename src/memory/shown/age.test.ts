import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageInDays, ageText } from './age.ts';

const HOUR_MS = 3_600_000;
const saved = '2026-03-10T12:00:00.000Z';
const after = (hours: number) => new Date(Date.parse(saved) + hours * HOUR_MS);

describe('ageInDays', () => {
  test.each([
    { hours: 0, days: 0 },
    { hours: 23.9, days: 0 },
    { hours: 24, days: 1 },
    { hours: 47.9, days: 1 },
    { hours: 48, days: 2 },
    { hours: 24 * 400, days: 400 },
    { hours: -1, days: 0 },
    { hours: -24 * 30, days: 0 },
  ])('$hours hours are $days days', ({ hours, days }) => {
    expect(ageInDays(saved, after(hours))).toBe(days);
  });

  test('a change of the clocks moves nothing: 23 hours across it are still no day', () => {
    const beforeTheChange = '2026-03-28T20:00:00+01:00';
    expect(ageInDays(beforeTheChange, new Date('2026-03-29T20:00:00+02:00'))).toBe(0);
    expect(ageInDays(beforeTheChange, new Date('2026-03-29T21:00:00+02:00'))).toBe(1);
  });

  test('what cannot be dated counts as old, not as new', () => {
    expect(ageInDays('some day', new Date(saved))).toBe(Number.POSITIVE_INFINITY);
  });

  test('is whole, never negative, and grows by one with every 24 hours', () => {
    const time = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(time, time, (modified, now) => {
        const days = ageInDays(modified.toISOString(), now);
        expect(Number.isInteger(days)).toBe(true);
        expect(days).toBeGreaterThanOrEqual(0);
        const nextDay = new Date(Math.max(modified.getTime(), now.getTime()) + 24 * HOUR_MS);
        expect(ageInDays(modified.toISOString(), nextDay)).toBe(days + 1);
      }),
    );
  });
});

test.each([
  [0, 'today'],
  [1, 'yesterday'],
  [2, '2 days ago'],
  [365, '365 days ago'],
  [Number.POSITIVE_INFINITY, 'at an unknown time'],
])('%d days are said as "%s"', (days, words) => {
  expect(ageText(days)).toBe(words);
});
