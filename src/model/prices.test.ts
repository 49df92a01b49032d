/** What usage costs: public prices, the user's own, and prices by the length of a prompt. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUsage, NO_USAGE, type Usage } from '../conversation/message.ts';
import { KNOWN_MODELS } from './capabilities.ts';
import { costOf, priceOf, readPrices } from './prices.ts';

const MILLION = 1_000_000;
const usage = (changes: Partial<Usage>): Usage => ({ ...NO_USAGE, ...changes });

describe('priceOf', () => {
  it('has a price for every model with a public one', () => {
    expect(KNOWN_MODELS.filter((name) => priceOf(name) === null)).toEqual(['claude-mythos-preview']);
  });

  it('goes by the plain name, and has none for an unknown name', () => {
    expect(priceOf('claude-haiku-4-5-20251001')).toEqual(priceOf('claude-haiku-4-5'));
    expect(priceOf('claude-sonnet-4-5[1m]')).toEqual(priceOf('claude-sonnet-4-5'));
    expect(priceOf('claude-opus-9')).toBeNull();
    expect(priceOf('ollama/qwen3')).toBeNull();
    expect(priceOf('constructor')).toBeNull();
  });

  it("prefers the user's prices, exact names first", () => {
    const { prices } = readPrices({
      'claude-opus-5-5': { input: 1, output: 2 },
      'claude-opus-5-5[1m]': { input: 3, output: 4 },
      'ollama/qwen3': { input: 0, output: 0 },
    });
    expect(priceOf('claude-opus-5-5', prices)).toMatchObject({ input: 1, output: 2 });
    expect(priceOf('claude-opus-5-5[1m]', prices)).toMatchObject({ input: 3 });
    expect(priceOf('claude-opus-5-5-20260922', prices)).toMatchObject({ input: 1 });
    expect(priceOf('ollama/qwen3', prices)).toMatchObject({ input: 0, cacheRead: 0 });
  });
});

describe('costOf', () => {
  const opus = priceOf('claude-opus-4-6')!;

  it.each<[string, Partial<Usage>, number]>([
    ['input', { inputTokens: MILLION }, 5],
    ['output', { outputTokens: MILLION }, 25],
    ['cache reads', { cacheReadTokens: MILLION }, 0.5],
    ['cache writes for five minutes', { cacheWriteTokens: MILLION }, 6.25],
    ['cache writes for an hour', { cacheWriteTokens: MILLION, cacheWriteHourTokens: MILLION }, 10],
    ['both kinds of writes', { cacheWriteTokens: MILLION, cacheWriteHourTokens: MILLION / 2 }, 8.125],
    ['nothing', {}, 0],
  ])('%s', (_, tokens, dollars) => {
    expect(costOf(usage(tokens), opus)).toBeCloseTo(dollars, 10);
  });

  it('charges a long prompt more, all of it, and counts cache reads as prompt', () => {
    const haiku = priceOf('claude-haiku-5-5')!;
    expect(costOf(usage({ inputTokens: 100_000 }), haiku)).toBeCloseTo(0.01, 10);
    expect(costOf(usage({ inputTokens: 100_001 }), haiku)).toBeCloseTo(0.0500005, 10);
    expect(costOf(usage({ cacheReadTokens: 200_000, outputTokens: MILLION }), haiku)).toBeCloseTo(0.01 + 2.5, 10);
  });

  it('adds up when length does not matter', () => {
    const tokens = fc.nat({ max: 10 * MILLION });
    const usages = fc.record({
      inputTokens: tokens,
      outputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWriteTokens: tokens,
      cacheWriteHourTokens: fc.constant(0),
    });
    fc.assert(
      fc.property(usages, usages, (one, other) => {
        const together = costOf(addUsage(one, other), opus);
        expect(together).toBeCloseTo(costOf(one, opus) + costOf(other, opus), 6);
        expect(together).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('readPrices', () => {
  it('derives the cache prices, unless they are given', () => {
    const { prices, problems } = readPrices({
      plain: { input: 10, output: 20 },
      given: { input: 10, output: 20, cacheRead: 7, cacheWrite: 8, cacheWriteHour: 9 },
    });
    expect(problems).toEqual([]);
    expect(prices.plain).toEqual({ input: 10, output: 20, cacheRead: 1, cacheWrite5m: 12.5, cacheWrite1h: 20 });
    expect(prices.given).toEqual({ input: 10, output: 20, cacheRead: 7, cacheWrite5m: 8, cacheWrite1h: 9 });
  });

  it.each([
    ['a list', [], /object of model names/],
    ['a price that is a number', { m: 3 }, /prices\.m: expected an object/],
    ['no output', { m: { input: 1 } }, /prices\.m\.output: missing/],
    ['a negative number', { m: { input: -1, output: 1 } }, /prices\.m\.input: expected a number/],
    ['a number in words', { m: { input: '1', output: 1 } }, /prices\.m\.input/],
    ['an unknown field', { m: { input: 1, output: 1, cache: 1 } }, /prices\.m\.cache: unknown/],
  ])('says what is wrong with %s', (_, raw, words) => {
    const { prices, problems } = readPrices(raw);
    expect(prices).toEqual({});
    expect(problems.join('\n')).toMatch(words);
  });

  it('keeps what is right next to what is wrong, and takes nothing for nothing', () => {
    const { prices, problems } = readPrices({ bad: 1, good: { input: 1, output: 2 } });
    expect(Object.keys(prices)).toEqual(['good']);
    expect(problems).toHaveLength(1);
    expect(readPrices(undefined)).toEqual({ prices: {}, problems: [] });
  });

  it('takes any JSON without failing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        const { prices } = readPrices(raw);
        for (const price of Object.values(prices)) expect(price.input).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
