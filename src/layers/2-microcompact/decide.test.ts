import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { type Candidate, type ClearingFacts, clearFrom, decideByTime, decideClearing, isCacheLost } from './decide.ts';
import { leastFreedTokens, ratesOf, sumsOf } from './price.ts';

const limits = LIMITS.microcompact;
const MINUTE = 60_000;

function candidate(id: string, freedTokens: number, more: Partial<Candidate> = {}): Candidate {
  return { id, freedTokens, tokensFromHere: 0, isSuperseded: false, ...more };
}

describe('by time', () => {
  it.each([
    [null, '5m', 'no-answer-yet'],
    [5 * MINUTE, '5m', 'not-idle'],
    [5 * MINUTE + 1, '5m', 'idle'],
    [5 * MINUTE + 1, '1h', 'not-idle'],
    [60 * MINUTE, '1h', 'not-idle'],
    [60 * MINUTE + 1, '1h', 'idle'],
  ] as const)('idle for %s ms with a cache of %s: %s', (idleMs, cacheTtl, reason) => {
    const candidates = () => [candidate('t1', 100)];
    expect(decideByTime({ idleMs, cacheTtl, candidates, limits }).reason).toBe(reason);
    expect(isCacheLost(idleMs, { cacheTtl, limits })).toBe(reason === 'idle');
  });

  it('clears all candidates that free anything', () => {
    const candidates = () => [candidate('t1', 100), candidate('t2', 0), candidate('t3', 5)];
    const decision = decideByTime({ idleMs: 6 * MINUTE, cacheTtl: '5m', candidates, limits });
    expect(decision).toMatchObject({ kind: 'clear', toolUseIds: ['t1', 't3'], freedTokens: 105 });
  });

  it('does nothing when there is nothing', () => {
    const candidates = () => [candidate('t2', 0)];
    const decision = decideByTime({ idleMs: 6 * MINUTE, cacheTtl: '5m', candidates, limits });
    expect(decision).toEqual({ kind: 'wait', reason: 'nothing-to-clear', sums: null });
  });
});

describe('economy', () => {
  it.each([
    ['off', 167_000],
    ['balanced', 41_750],
    ['max', 41_750],
  ] as const)('%s: from %s tokens on', (economy, from) => {
    expect(clearFrom(economy, { compactAt: 167_000 })).toBe(from);
  });
});

describe('by need', () => {
  /** Reading costs 1, writing again 11 more: close to public prices. */
  const rates = { unit: 'dollars', repeated: 1, rewritten: 11 } as const;
  const facts = (more: Partial<ClearingFacts> & { list?: readonly Candidate[] } = {}): ClearingFacts => ({
    windowTokens: 100_000,
    clearFromTokens: 100_000,
    compactAt: 100_000,
    hasJustCleared: false,
    candidates: () => more.list ?? [],
    promptCache: 'automatic',
    isCacheLost: false,
    rates,
    expectedRequests: 20,
    ...more,
  });
  const ten = Array.from({ length: 10 }, (_, at) =>
    candidate(`t${at}`, 5_000, { tokensFromHere: 90_000 - at * 8_000 }),
  );

  it.each([
    ['the window has room', { windowTokens: 99_999, list: ten }, 'enough-room'],
    [
      'it has just cleared',
      { clearFromTokens: 0, windowTokens: 99_999, hasJustCleared: true, list: ten },
      'enough-room',
    ],
    ['there is nothing', {}, 'nothing-to-clear'],
    ['all of it would not be enough', { list: ten.slice(0, 3) }, 'too-little'],
    ['few requests are to come', { list: ten, expectedRequests: 5 }, 'does-not-pay'],
  ] as const)('waits when %s', (_, more, reason) => {
    expect(decideClearing(facts(more))).toMatchObject({ kind: 'wait', reason });
  });

  it('clears the smallest batch that pays: 20 × freed against 11 × the rest', () => {
    // 5 results: 25,000 × 20 = 500,000 against (90,000 − 25,000) × 11 = 715,000. 6: 600,000 against 660,000. 7: 700,000 against 605,000.
    const decision = decideClearing(facts({ list: ten }));
    expect(decision).toMatchObject({ kind: 'clear', reason: 'pays', freedTokens: 35_000 });
    expect(decision.kind === 'clear' && decision.toolUseIds).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
    expect(decision.sums).toMatchObject({ rewrittenTokens: 55_000, gain: 0.7, cost: 0.605 });
  });

  it('counts the whole prompt as written again if the cache has breakpoints', () => {
    // 50,000 × 20 = 1,000,000 against 50,000 × 11 = 550,000; with 8 results 800,000 against 660,000; with 7 700,000 against 715,000.
    const decision = decideClearing(facts({ list: ten, promptCache: 'breakpoints' }));
    expect(decision.kind === 'clear' && decision.toolUseIds).toHaveLength(8);
  });

  it('breaks nothing when there is no cache, or none any more', () => {
    for (const more of [{ promptCache: 'none' }, { isCacheLost: true }] as const) {
      const decision = decideClearing(facts({ list: ten, expectedRequests: 1, ...more }));
      // 20,000 freed is the room needed.
      expect(decision.kind === 'clear' && decision.toolUseIds).toEqual(['t0', 't1', 't2', 't3']);
      expect(decision.sums).toMatchObject({ rewrittenTokens: 0, cost: 0 });
    }
  });

  it('takes what a later result repeats first', () => {
    const list = ten.map((each, at) => ({ ...each, isSuperseded: at === 3 || at === 8 }));
    const decision = decideClearing(facts({ list, promptCache: 'none' }));
    expect(decision.kind === 'clear' && decision.toolUseIds).toEqual(['t3', 't8', 't0', 't1']);
  });

  it('never loses, whatever the prices and the conversation', () => {
    const lists = fc.array(
      fc.record({
        freed: fc.integer({ min: 0, max: 30_000 }),
        gap: fc.integer({ min: 0, max: 5_000 }),
        old: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    // Nothing, or a price that multiplication does not round to nothing.
    const price = (max: number) => fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max, noNaN: true }));
    const drawnRates = fc.record({
      unit: fc.constantFrom('dollars' as const, 'input' as const),
      repeated: price(10),
      rewritten: price(100),
    });
    fc.assert(
      fc.property(
        fc.record({
          lists,
          rates: drawnRates,
          windowTokens: fc.integer({ min: 0, max: 250_000 }),
          expectedRequests: fc.integer({ min: 0, max: 100 }),
          promptCache: fc.constantFrom('none', 'automatic', 'breakpoints'),
        }),
        ({ lists: drawn, ...more }) => {
          let tokensFromHere = 0;
          const list = drawn
            .map(({ freed, gap, old }, at) => {
              tokensFromHere += freed + gap;
              return candidate(`t${at}`, freed, { tokensFromHere, isSuperseded: old });
            })
            .reverse();
          const decision = decideClearing(facts({ ...more, list, clearFromTokens: 100_000 }));
          if (decision.kind === 'wait') return;
          const chosen = list.filter(({ id }) => decision.toolUseIds.includes(id));
          const freed = chosen.reduce((sum, { freedTokens }) => sum + freedTokens, 0);
          const rest = {
            none: 0,
            automatic: Math.max(...chosen.map((each) => each.tokensFromHere)) - freed,
            breakpoints: Math.max(0, more.windowTokens - freed),
          }[more.promptCache];
          expect(freed * more.expectedRequests * more.rates.repeated).toBeGreaterThanOrEqual(
            rest * more.rates.rewritten * (1 - 1e-9),
          );
          expect(more.windowTokens - freed).toBeLessThanOrEqual(80_000);
          expect(decision.freedTokens).toBe(freed);
        },
      ),
    );
  });
});

describe('rates', () => {
  const price = { input: 4, output: 20, cacheRead: 0.4, cacheWrite5m: 5, cacheWrite1h: 8 };
  const long = { overTokens: 100_000, rates: { ...price, input: 8, cacheRead: 0.8, cacheWrite5m: 10 } };
  const asked = { price, promptTokens: 50_000, promptCache: 'breakpoints', cacheTtl: '5m', limits } as const;

  it.each([
    ['five minutes', asked, { unit: 'dollars', repeated: 0.4, rewritten: 4.6 }],
    ['an hour', { ...asked, cacheTtl: '1h' }, { unit: 'dollars', repeated: 0.4, rewritten: 7.6 }],
    [
      'a cache that is not paid for',
      { ...asked, promptCache: 'automatic' },
      { unit: 'dollars', repeated: 0.4, rewritten: 3.6 },
    ],
    ['no cache', { ...asked, promptCache: 'none' }, { unit: 'dollars', repeated: 4, rewritten: 0 }],
    [
      'a long prompt',
      { ...asked, price: { ...price, longPrompt: long }, promptTokens: 100_001 },
      { unit: 'dollars', repeated: 0.8, rewritten: 9.2 },
    ],
    ['no price', { ...asked, price: null }, { unit: 'input', repeated: 0.1, rewritten: 1.15 }],
    [
      'a price of nothing',
      { ...asked, price: { ...price, input: 0, cacheRead: 0 }, promptCache: 'automatic' },
      { unit: 'input', repeated: 0.1, rewritten: 0.9 },
    ],
  ] as const)('%s', (_, facts, expected) => {
    const found = ratesOf(facts);
    expect(found.unit).toBe(expected.unit);
    expect(found.repeated).toBeCloseTo(expected.repeated, 10);
    expect(found.rewritten).toBeCloseTo(expected.rewritten, 10);
  });

  it('say the minimum to free: that pays, and one token less would not', () => {
    const numbers = fc.record({
      promptTokens: fc.integer({ min: 10, max: 1_000_000 }),
      expectedRequests: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(
        numbers,
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 100 }),
        (drawn, repeated, rewritten) => {
          const rates = { unit: 'dollars', repeated, rewritten } as const;
          const least = leastFreedTokens({ ...drawn, rates });
          const pays = (freedTokens: number) => {
            const rewrittenTokens = drawn.promptTokens - freedTokens;
            const { gain, cost } = sumsOf({ ...drawn, freedTokens, rewrittenTokens, rates });
            return gain >= cost * (1 - 1e-9);
          };
          expect(pays(least)).toBe(true);
          expect(pays(least - 1)).toBe(false);
        },
      ),
    );
  });
});
