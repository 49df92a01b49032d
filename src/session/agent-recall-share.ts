/** Whether a model may still be asked which memories fit: by its part of what background work of a session may cost. */

import type { Limits } from '../limits.ts';
import { ModelFailure } from '../model/failure.ts';
import type { MeterTotals } from '../model/meter.ts';
import { equivalentTokens } from '../model/metered-usage.ts';

export type SelectorRoom =
  | { readonly kind: 'room' }
  | {
      readonly kind: 'refused';
      readonly spent: number;
      readonly cap: number;
      readonly unit: 'tokens' | 'dollars';
    };

/** By money where all of it has a price. Before the first answer there is nothing to be a part of, and one question is asked. */
export function selectorRoom({ byPurpose }: Pick<MeterTotals, 'byPurpose'>, caps: Limits['caps']): SelectorRoom {
  const { main, recall } = byPurpose;
  if (main === undefined || recall === undefined) return { kind: 'room' };
  const isPriced = main.money !== null && main.money > 0 && recall.money !== null;
  const amountOf = ({ money, usage }: typeof main) => (isPriced ? money! : equivalentTokens(usage, caps));
  const [spent, cap] = [amountOf(recall), amountOf(main) * caps.sessionShare * caps.recallPart];
  return spent < cap ? { kind: 'room' } : { kind: 'refused', spent, cap, unit: isPriced ? 'dollars' : 'tokens' };
}

export function selectorFailure({ spent, cap, unit }: Extract<SelectorRoom, { kind: 'refused' }>): ModelFailure {
  const show = (amount: number) => (unit === 'dollars' ? `$${amount.toFixed(4)}` : `${Math.round(amount)} tokens`);
  return new ModelFailure({
    failure: 'cap',
    cap: 'session',
    message: `Picking memories has used ${show(spent)} of ${show(cap)} in this session; recall did not start`,
    fix: 'Raise `limits.caps.recallPart` in settings.',
  });
}
