/** What a session's conversation and one kind of background work have cost: in money where all of it has a price, else in tokens of one kind. */

import type { MeterTotals } from '../model/meter.ts';
import { equivalentTokens } from '../model/metered-usage.ts';
import type { Purpose } from '../model/purpose.ts';

export interface Spent {
  readonly main: number;
  readonly part: number;
  /** Uncached-equivalent tokens of the part. */
  readonly partTokens: number;
}

export function spentBy(purpose: Purpose, totals: MeterTotals): Spent {
  const { main, [purpose]: part } = totals.byPurpose;
  const tokensOf = (each: typeof main) => (each === undefined ? 0 : equivalentTokens(each.usage));
  const isPriced = main?.money !== null && part?.money !== null;
  const amountOf = (each: typeof main) => (isPriced ? (each?.money ?? 0) : tokensOf(each));
  return { main: amountOf(main), part: amountOf(part), partTokens: tokensOf(part) };
}
