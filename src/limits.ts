/** Every number the system is built on, grouped by what it bounds: those that settings change, and those that nothing does. */

import { BOUNDS } from './limits/bounds.ts';
import { SETTABLE_DEFAULTS, type SettableNumbers } from './limits/settable.ts';

export * from './limits/fixed.ts';
export { SETTABLE_DEFAULTS, SETTABLE_LIMITS, type SettableNumbers } from './limits/settable.ts';
export * from './limits/shared.ts';

type Bounds = typeof BOUNDS;

/** Both kinds with plain numbers, so that a test or a setting can shrink one of them. */
export type Limits = {
  readonly [Group in keyof SettableNumbers | keyof Bounds]: (Group extends keyof SettableNumbers
    ? SettableNumbers[Group]
    : unknown) &
    (Group extends keyof Bounds ? { readonly [Name in keyof Bounds[Group]]: number } : unknown);
};

export const LIMITS: Limits = /* @__PURE__ */ withBounds(SETTABLE_DEFAULTS);

/** Bounds come last: whatever a setting says, it does not reach them. */
export function withBounds(settable: SettableNumbers): Limits {
  const limits: Record<string, object> = { ...settable };
  for (const [group, bounds] of Object.entries(BOUNDS)) limits[group] = { ...limits[group], ...bounds };
  return limits as Limits;
}
