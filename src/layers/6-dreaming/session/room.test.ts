import { expect, it } from 'vitest';
import { LIMITS } from '../../../limits.ts';
import { dreamRooms } from './join.ts';

const limits = {
  ...LIMITS,
  dreaming: {
    ...LIMITS.dreaming,
    ...{ expectedRounds: 5, expectedNewTokens: 1_000, expectedOutputTokens: 100, equivalentTokens: 8_000 },
  },
  loop: { ...LIMITS.loop, outputTokens: 200 },
};

it('counts the prefix once per round from the cache, and for the day also one call as it is reserved', () => {
  // 5 × 2,000 × 0.1 + 1,000 × 1.25 + 100 × 5, and 3,000 + 200 × 5 for the day.
  expect(dreamRooms({ prefixTokens: 2_000, dayTokensLeft: 9_000, limits })).toEqual([
    { cap: 'dream', needed: 2_750, left: 8_000 },
    { cap: 'day', needed: 2_750 + 4_000, left: 9_000 },
  ]);
});

it('fits an ordinary conversation with the default limits', () => {
  const rooms = dreamRooms({ prefixTokens: 100_000, dayTokensLeft: LIMITS.caps.dayTokens, limits: LIMITS });
  expect(rooms.every(({ needed, left }) => needed < left)).toBe(true);
});
