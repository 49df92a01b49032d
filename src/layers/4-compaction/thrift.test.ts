import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ECONOMY_LIMITS, LIMITS } from '../../limits.ts';
import { decideThrift, NOTHING_PAID, type ThriftFacts, thriftyCompaction } from './thrift.ts';

const RATES = { unit: 'dollars', repeated: 0.3, rewritten: 3.45 } as const;
const KEPT = ECONOMY_LIMITS.maxKeptTokens;
const FACTS: ThriftFacts = {
  ...{ economy: 'max', state: NOTHING_PAID, windowTokens: 60_001, prefixTokens: 20_000, summaryTokens: 6_000 },
  ...{ tailTokens: () => KEPT, isCacheCold: false, rates: RATES, limits: LIMITS },
  window: { effective: 180_000 },
};
const BALANCED: Partial<ThriftFacts> = { economy: 'balanced', windowTokens: 90_000 };
const STAYS = 20_000 + 6_000 + KEPT;
/** How much more it costs to write the short conversation than to read it. */
const BREAK = (STAYS - 20_000) * RATES.rewritten;

describe('early compaction from notes', () => {
  it.each<[string, Partial<ThriftFacts>, unknown]>([
    ['switched off', { economy: 'off', state: { paid: 1e12 } }, { kind: 'wait', reason: 'economy-off' }],
    [
      'a window that would hardly shrink',
      { windowTokens: STAYS * 1.2, state: { paid: 1e12 } },
      { kind: 'wait', reason: 'little-to-gain' },
    ],
    ['old context that has not cost enough yet', { state: { paid: BREAK / 2 } }, { kind: 'wait', reason: 'not-yet' }],
    ['old context that has', { state: { paid: BREAK } }, { kind: 'compact', reason: 'pays' }],
    ['no notes', { state: { paid: BREAK }, tailTokens: () => null }, { kind: 'write-notes', reason: 'no-notes' }],
    [
      'notes that lag',
      { state: { paid: BREAK }, tailTokens: () => 20_000 },
      { kind: 'write-notes', reason: 'tail-too-long' },
    ],
    [
      'notes that lag for long',
      { state: { paid: BREAK * 20 }, tailTokens: () => 20_000 },
      { kind: 'compact', reason: 'pays' },
    ],
    ['more patience', { ...BALANCED, state: { paid: BREAK } }, { kind: 'wait', reason: 'not-yet' }],
    [
      'balanced, from half of the window on',
      { ...BALANCED, state: { paid: 1e12 } },
      { kind: 'compact', reason: 'pays' },
    ],
    [
      'balanced, below half of the window',
      { ...BALANCED, windowTokens: 89_999, state: { paid: 1e12 } },
      { kind: 'wait', reason: 'enough-room' },
    ],
    [
      'balanced, a window of a million, from 200,000 on',
      { ...BALANCED, windowTokens: 200_000, window: { effective: 980_000 }, state: { paid: 1e12 } },
      { kind: 'compact', reason: 'pays' },
    ],
    [
      'balanced, a window of a million, below 200,000',
      { ...BALANCED, windowTokens: 199_999, window: { effective: 980_000 }, state: { paid: 1e12 } },
      { kind: 'wait', reason: 'enough-room' },
    ],
    ['a cold cache', { isCacheCold: true }, { kind: 'compact', reason: 'cache-cold' }],
    [
      'a cold cache and little to clear',
      { isCacheCold: true, windowTokens: 60_000 },
      { kind: 'wait', reason: 'little-to-gain' },
    ],
    [
      'a cold cache, balanced, below half of the window',
      { ...BALANCED, isCacheCold: true, windowTokens: 89_999 },
      { kind: 'wait', reason: 'enough-room' },
    ],
    [
      'a cold cache, balanced, from half of the window on',
      { ...BALANCED, isCacheCold: true },
      { kind: 'compact', reason: 'cache-cold' },
    ],
    [
      'a cold cache without notes',
      { isCacheCold: true, tailTokens: () => null },
      { kind: 'wait', reason: 'little-to-gain' },
    ],
  ])('with %s', (_, facts, expected) => {
    expect(decideThrift({ ...FACTS, ...facts }).decision).toEqual(expected);
  });

  it('comes when reading has cost what breaking costs: not before, and at most one request after', () => {
    const cost = fc.record({
      growth: fc.integer({ min: 200, max: 5_000 }),
      summaryTokens: fc.integer({ min: 1_000, max: 20_000 }),
      rewritten: fc.double({ min: 1, max: 6, noNaN: true }),
    });
    fc.assert(
      fc.property(cost, ({ growth, summaryTokens, rewritten }) => {
        const rates = { ...RATES, rewritten };
        const stays = 20_000 + summaryTokens + KEPT;
        let state = NOTHING_PAID;
        let paid = 0;
        for (let windowTokens = stays; ; windowTokens += growth) {
          const before = paid;
          paid += (windowTokens - stays) * rates.repeated;
          const looked = decideThrift({ ...FACTS, state, windowTokens, summaryTokens, rates });
          state = looked.state;
          if (looked.decision.kind !== 'compact') {
            expect(looked.decision.kind).toBe('wait');
            continue;
          }
          const price = (stays - 20_000) * rewritten;
          const isLarge = (tokens: number) => tokens > stays * LIMITS.economy.leastShrink;
          expect(paid).toBeGreaterThanOrEqual(price * (1 - 1e-9));
          expect(before < price || !isLarge(windowTokens - growth)).toBe(true);
          return;
        }
      }),
    );
  });

  it('keeps what a necessary one keeps, and less at max', () => {
    expect(thriftyCompaction('off', LIMITS)).toEqual(LIMITS.compaction);
    expect(thriftyCompaction('balanced', LIMITS)).toEqual(LIMITS.compaction);
    expect(thriftyCompaction('max', LIMITS).keptMessages).toBe(1);
    const small = { ...LIMITS, compaction: { ...LIMITS.compaction, keptTokens: 500, keptMessages: 0.5 } };
    expect(thriftyCompaction('max', small)).toMatchObject({ keptTokens: 500, keptMessages: 0.5 });
  });
});
