/** The meter of one dream: counts what its own calls cost, and makes no call that would pass what a dream may cost. */

import type { DreamCost } from '../layers/6-dreaming/index.ts';
import type { Limits } from '../limits.ts';
import { ModelFailure } from '../model/failure.ts';
import type { Meter, MeteredCall } from '../model/meter.ts';
import { equivalentTokens } from '../model/metered-usage.ts';
import type { ModelEvent } from '../model/model.ts';

export interface DreamMeter {
  readonly meter: Meter;
  /** A call was not made, because it would have cost too much. */
  isSpent(): boolean;
}

export function dreamMeter(
  meter: Meter,
  facts: { readonly limits: Pick<Limits, 'dreaming' | 'caps'>; readonly onCost: (cost: DreamCost) => void },
): DreamMeter {
  const { limits } = facts;
  const most = limits.dreaming.equivalentTokens;
  const before = costOf(meter, limits);
  let last = 0;
  let isSpent = false;

  const sinceBefore = (): DreamCost => {
    const now = costOf(meter, limits);
    return {
      equivalentTokens: now.equivalentTokens - before.equivalentTokens,
      money: now.money === null || before.money === null ? null : now.money - before.money,
    };
  };

  async function* call(wanted: MeteredCall): AsyncGenerator<ModelEvent, void> {
    const spent = sinceBefore().equivalentTokens;
    // The conversation only grows, so the next call costs about what the last one did.
    if (spent + last > most) {
      isSpent = true;
      throw new ModelFailure({ failure: 'cap', message: `A dream may cost ${most} tokens` });
    }
    try {
      yield* meter.call(wanted);
    } finally {
      const cost = sinceBefore();
      last = cost.equivalentTokens - spent;
      facts.onCost(cost);
    }
  }

  return { meter: { call, totals: meter.totals }, isSpent: () => isSpent };
}

function costOf(meter: Meter, limits: Pick<Limits, 'caps'>): DreamCost {
  const dreamt = meter.totals().byPurpose.dream;
  if (dreamt === undefined) return { equivalentTokens: 0, money: 0 };
  return { equivalentTokens: equivalentTokens(dreamt.usage, limits.caps), money: dreamt.money };
}
