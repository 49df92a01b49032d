import { expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { dreamRooms } from './dream-room.ts';

const PRICE = { input: 10, output: 50, cacheRead: 1, cacheWrite5m: 12.5, cacheWrite1h: 20 };
const limits = {
  ...LIMITS,
  dreaming: { ...LIMITS.dreaming, expectedRounds: 5, expectedNewTokens: 1_000, expectedOutputTokens: 100 },
  loop: { ...LIMITS.loop, outputTokens: 200 },
};

it('counts the prefix once a round from the cache, and for the day also one call as it is reserved', () => {
  const left = { dayTokens: 9_000, session: { left: 70, unit: 'tokens' as const } };
  const rooms = dreamRooms({ prefixTokens: 2_000, left, price: PRICE, limits });
  // 5 × 2,000 × 0.1 + 1,000 × 1.25 + 100 × 5, and 3,000 + 200 × 5 for the day.
  expect(rooms).toEqual([
    { cap: 'day', unit: 'tokens', needed: 2_750 + 4_000, left: 9_000 },
    { cap: 'session', unit: 'tokens', needed: 2_750, left: 70 },
  ]);
});

it('is told in dollars where the share is', () => {
  const left = { dayTokens: 0, session: { left: 0.5, unit: 'dollars' as const } };
  const session = dreamRooms({ prefixTokens: 2_000, left, price: PRICE, limits })[1]!;
  expect(session.needed).toBeCloseTo((10_000 * 1 + 1_000 * 12.5 + 100 * 50) / 1_000_000, 10);
});

it('has no share to keep to without a conversation', () => {
  const rooms = dreamRooms({ prefixTokens: 0, left: { dayTokens: 1, session: null }, price: null, limits });
  expect(rooms.map(({ cap }) => cap)).toEqual(['day']);
});
