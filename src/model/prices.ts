/** What a model's tokens cost: the public prices, or the user's own from the setting `prices`. */

import { isObject } from '../base/values.ts';
import type { Usage } from '../conversation/message.ts';
import { baseNameOf, wireNameOf } from './capabilities.ts';

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

export interface Price extends Rates {
  /** The price of every token in a request whose prompt is longer than this. */
  readonly longPrompt?: { readonly overTokens: number; readonly rates: Rates };
}

export type Prices = Readonly<Record<string, Price>>;

const TOKENS_PER_PRICE = 1_000_000;
const CACHE_FACTORS = { read: 0.1, write5m: 1.25, write1h: 2 };

const OPUS = rates(5, 25);
const SONNET_4 = rates(3, 15);

/**
 * From platform.claude.com/docs/en/about-claude/pricing and the pages of the models, looked up on 2026-11-15.
 * A model that is missing here has no public price.
 */
const PUBLIC_PRICES: Prices = {
  'claude-fable-5-2': rates(8, 40, 0.2),
  'claude-mythos-5-2': rates(8, 40, 0.2),
  'claude-fable-5-1': rates(10, 50, 0.25),
  'claude-mythos-5-1': rates(10, 50, 0.25),
  'claude-fable-5': rates(10, 50),
  'claude-mythos-5': rates(10, 50),
  'claude-opus-5-5': rates(4, 20, 0.2),
  'claude-opus-5': OPUS,
  'claude-opus-4-8': OPUS,
  'claude-opus-4-7': OPUS,
  'claude-opus-4-6': OPUS,
  'claude-opus-4-5': OPUS,
  'claude-opus-4-1': rates(15, 75),
  'claude-opus-4': rates(15, 75),
  'claude-sonnet-5-5': rates(2, 10, 0.1),
  'claude-sonnet-5': rates(2, 10),
  'claude-sonnet-4-6': SONNET_4,
  'claude-sonnet-4-5': { ...SONNET_4, longPrompt: { overTokens: 200_000, rates: rates(6, 22.5) } },
  'claude-sonnet-4': { ...SONNET_4, longPrompt: { overTokens: 200_000, rates: rates(6, 22.5) } },
  'claude-3-7-sonnet': SONNET_4,
  'claude-haiku-5-5': { ...rates(0.1, 0.5), longPrompt: { overTokens: 100_000, rates: rates(0.5, 2.5) } },
  'claude-haiku-4-5': rates(1, 5),
  'claude-3-5-haiku': rates(0.8, 4),
};

/** The user's price for exactly this name, for its plain name, then the public one; null when unknown. */
export function priceOf(name: string, overrides: Prices = {}): Price | null {
  const base = baseNameOf(name);
  for (const [prices, key] of [
    [overrides, name],
    [overrides, wireNameOf(name)],
    [overrides, base],
    [PUBLIC_PRICES, base],
  ] as const) {
    if (Object.hasOwn(prices, key)) return prices[key]!;
  }
  return null;
}

/** US dollars. */
export function costOf(usage: Usage, price: Price): number {
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const { longPrompt } = price;
  const rate = longPrompt && promptTokens > longPrompt.overTokens ? longPrompt.rates : price;
  const shortWriteTokens = Math.max(0, usage.cacheWriteTokens - usage.cacheWriteHourTokens);
  return (
    (usage.inputTokens * rate.input +
      usage.outputTokens * rate.output +
      usage.cacheReadTokens * rate.cacheRead +
      shortWriteTokens * rate.cacheWrite5m +
      usage.cacheWriteHourTokens * rate.cacheWrite1h) /
    TOKENS_PER_PRICE
  );
}

/** The setting `prices`: `{ "model": { "input": 3, "output": 15 } }`. A mistake in one leaves the others. */
export function readPrices(raw: unknown): { readonly prices: Prices; readonly problems: readonly string[] } {
  if (raw === undefined || raw === null) return { prices: {}, problems: [] };
  if (!isObject(raw)) return { prices: {}, problems: ['prices: expected an object of model names'] };
  const prices: Record<string, Price> = {};
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(raw)) {
    const found = readPrice(name, entry);
    if (found.problems.length === 0) {
      // Defined, not assigned: a model called __proto__ is a name like any other.
      Object.defineProperty(prices, name, { value: found.price, enumerable: true });
    }
    problems.push(...found.problems);
  }
  return { prices, problems };
}

const PRICE_FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteHour'] as const;

function readPrice(name: string, entry: unknown): { price: Price; problems: string[] } {
  const fields = isObject(entry) ? entry : {};
  const problems = isObject(entry) ? [] : [`prices.${name}: expected an object with "input" and "output"`];
  for (const key of isObject(entry) ? (['input', 'output'] as const) : []) {
    if (fields[key] === undefined) problems.push(`prices.${name}.${key}: missing; dollars per million tokens`);
  }
  for (const [key, value] of Object.entries(fields)) {
    if (!PRICE_FIELDS.some((field) => field === key)) {
      problems.push(`prices.${name}.${key}: unknown; the fields are ${PRICE_FIELDS.join(', ')}`);
    } else if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      problems.push(`prices.${name}.${key}: expected a number of dollars, 0 or more`);
    }
  }
  const numberOf = (key: (typeof PRICE_FIELDS)[number]) => fields[key] as number | undefined;
  const standard = rates(numberOf('input') ?? 0, numberOf('output') ?? 0, numberOf('cacheRead'));
  const price: Price = {
    ...standard,
    cacheWrite5m: numberOf('cacheWrite') ?? standard.cacheWrite5m,
    cacheWrite1h: numberOf('cacheWriteHour') ?? standard.cacheWrite1h,
  };
  return { price, problems };
}

function rates(input: number, output: number, cacheRead: number = input * CACHE_FACTORS.read): Rates {
  return {
    input,
    output,
    cacheRead,
    cacheWrite5m: input * CACHE_FACTORS.write5m,
    cacheWrite1h: input * CACHE_FACTORS.write1h,
  };
}
