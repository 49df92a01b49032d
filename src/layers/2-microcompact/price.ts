/** What clearing saves and what it breaks, in money: freed tokens no longer read, against the rest written again. */

import type { CacheTtl, ModelCapabilities } from '../../model/model.ts';
import type { Price } from '../../model/prices.ts';

/** The cost of reading from the cache, and of writing to it for five minutes and for an hour, relative to plain input, when no price is known. */
const READ_FACTOR = 0.1;
const WRITE_FACTOR = 1.25;
const HOUR_WRITE_FACTOR = 2;

/** Per million tokens; without a known price, as fractions of plain input. */
export interface ClearingRates {
  readonly unit: 'dollars' | 'input';
  /** The cost of a token that is repeated in a request. */
  readonly repeated: number;
  /** The cost of getting a token into the cache again, beyond repeating it. */
  readonly rewritten: number;
}

export interface ClearingSums {
  readonly unit: ClearingRates['unit'];
  readonly freedTokens: number;
  readonly rewrittenTokens: number;
  readonly expectedRequests: number;
  readonly gain: number;
  readonly cost: number;
}

const TOKENS_PER_PRICE = 1_000_000;

export function ratesOf(facts: {
  readonly price: Price | null;
  readonly promptTokens: number;
  readonly promptCache: ModelCapabilities['promptCache'];
  readonly cacheTtl: CacheTtl;
}): ClearingRates {
  const { price, promptCache, cacheTtl } = facts;
  const isLong = price?.longPrompt !== undefined && facts.promptTokens > price.longPrompt.overTokens;
  const known = isLong ? price.longPrompt!.rates : price;
  // What costs no money costs time, in about the same proportions.
  const isFree = known === null || known.input === 0;
  const input = isFree ? 1 : known.input;
  const read = isFree ? READ_FACTOR : known.cacheRead;
  const unit = isFree ? 'input' : 'dollars';
  switch (promptCache) {
    case 'none':
      return { unit, repeated: input, rewritten: 0 };
    case 'automatic':
      // Writing such a cache is free: what is not read is plain input.
      return { unit, repeated: read, rewritten: Math.max(0, input - read) };
    case 'breakpoints': {
      const factor = cacheTtl === '1h' ? HOUR_WRITE_FACTOR : WRITE_FACTOR;
      const write = isFree ? factor : cacheTtl === '1h' ? known.cacheWrite1h : known.cacheWrite5m;
      return { unit, repeated: read, rewritten: Math.max(0, write - read) };
    }
  }
}

export function sumsOf(facts: {
  readonly freedTokens: number;
  readonly rewrittenTokens: number;
  readonly expectedRequests: number;
  readonly rates: ClearingRates;
}): ClearingSums {
  const { freedTokens, rewrittenTokens, expectedRequests, rates } = facts;
  return {
    unit: rates.unit,
    freedTokens,
    rewrittenTokens,
    expectedRequests,
    gain: (freedTokens * expectedRequests * rates.repeated) / TOKENS_PER_PRICE,
    cost: (rewrittenTokens * rates.rewritten) / TOKENS_PER_PRICE,
  };
}

/** The fewest tokens that pay off when all the rest of a prompt this long is written again. */
export function leastFreedTokens(facts: {
  readonly promptTokens: number;
  readonly expectedRequests: number;
  readonly rates: ClearingRates;
}): number {
  const { promptTokens, expectedRequests, rates } = facts;
  const won = expectedRequests * rates.repeated + rates.rewritten;
  return won === 0 ? 0 : Math.ceil((promptTokens * rates.rewritten) / won);
}
