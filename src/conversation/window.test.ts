import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { budgetWithin, windowOf } from './window.ts';

const limits = LIMITS.window;

describe('a window', () => {
  it.each([
    // window, most output, effective, compact, warn, stop
    [200_000, 64_000, 180_000, 167_000, 147_000, 177_000],
    [1_000_000, 128_000, 980_000, 967_000, 947_000, 977_000],
    [200_000, 4_096, 195_904, 182_904, 162_904, 192_904],
    [32_000, 32_000, 25_600, 23_467, 20_267, 25_067],
    [16_000, 8_000, 12_800, 11_734, 10_134, 12_534],
  ])('of %i tokens with %i for the answer', (modelWindowTokens, maxOutputTokens, ...points) => {
    const { effective, compactAt, warnAt, hardStopAt } = windowOf({ modelWindowTokens, maxOutputTokens, limits });
    expect([effective, compactAt, warnAt, hardStopAt]).toEqual(points);
  });

  it.each([
    [64_000, 64_000],
    [900_000, 200_000],
    [undefined, 200_000],
  ])('is lowered by the user, never raised: %j', (mostTokens, expected) => {
    const found = windowOf({ modelWindowTokens: 200_000, maxOutputTokens: 8_000, mostTokens, limits });
    expect(found.window).toBe(expected);
  });

  it('has its points in order, whatever its size', () => {
    const sizes = {
      tokens: fc.integer({ min: 4_000, max: 2_000_000 }),
      output: fc.integer({ min: 1, max: 2_000_000 }),
    };
    fc.assert(
      fc.property(fc.record(sizes), ({ tokens, output }) => {
        const found = windowOf({ modelWindowTokens: tokens, maxOutputTokens: output, limits });
        const order = [0, found.warnAt, found.compactAt, found.hardStopAt, found.effective, found.window];
        expect(order).toEqual([...new Set(order)].sort((one, other) => one - other));
        // Most of the window is for the conversation.
        expect(found.warnAt).toBeGreaterThan(tokens / 2);
      }),
    );
  });
});

describe('a budget', () => {
  it.each([
    [180_000, 50_000],
    [980_000, 50_000],
    [90_000, 25_000],
    [12_800, 3_555],
  ])('in %i effective tokens', (effective, expected) => {
    expect(budgetWithin({ budgetTokens: 50_000, effective, limits })).toBe(expected);
  });
});
