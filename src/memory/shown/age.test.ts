import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageInDays, ageText } from './age.ts';

/** Local times: the calendar that counts is the user's. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute);

describe('ageInDays', () => {
  test.each([
    { saved: at(10, 12), now: at(10, 23, 59), days: 0 },
    { saved: at(10, 22, 16), now: at(11, 7), days: 1 },
    { saved: at(10, 0, 1), now: at(11, 23, 59), days: 1 },
    { saved: at(10, 23), now: at(12, 1), days: 2 },
    { saved: at(10, 12), now: at(10, 11), days: 0 },
    { saved: at(10, 12), now: at(1, 12), days: 0 },
  ])('from $saved to $now there are $days midnights', ({ saved, now, days }) => {
    expect(ageInDays(saved.toISOString(), now)).toBe(days);
  });

  test('what cannot be dated counts as old, not as new', () => {
    expect(ageInDays('some day', new Date())).toBe(Number.POSITIVE_INFINITY);
  });

  test('is whole, never negative, and grows by one with every day of the calendar', () => {
    const time = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(time, time, (one, other) => {
        const [saved, now] = one < other ? [one, other] : [other, one];
        const days = ageInDays(saved.toISOString(), now);
        expect(Number.isInteger(days)).toBe(true);
        expect(days).toBeGreaterThanOrEqual(0);
        const nextDay = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 12);
        expect(ageInDays(saved.toISOString(), nextDay)).toBe(days + 1);
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
