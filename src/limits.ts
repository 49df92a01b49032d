/** Every number the system is built on, grouped by what it bounds: those that settings change, and those that nothing does. */

import { CONVERSATION_LIMITS } from './limits/conversation.ts';
import { LAYER_LIMITS } from './limits/layers.ts';
import { MEMORY_LIMITS } from './limits/memory.ts';
import { SETTABLE_DEFAULTS, type SettableNumbers } from './limits/settable.ts';
import { TOOL_LIMITS } from './limits/tools.ts';

export * from './limits/fixed.ts';
export { SETTABLE_DEFAULTS, SETTABLE_LIMITS, type SettableNumbers } from './limits/settable.ts';

const CONSTANTS = { ...MEMORY_LIMITS, ...CONVERSATION_LIMITS, ...TOOL_LIMITS, ...LAYER_LIMITS } as const;

type Constants = typeof CONSTANTS;

/** Both kinds with plain numbers, so that a test or a setting can shrink one of them. */
export type Limits = {
  readonly [Group in keyof SettableNumbers | keyof Constants]: (Group extends keyof SettableNumbers
    ? SettableNumbers[Group]
    : unknown) &
    (Group extends keyof Constants ? { readonly [Name in keyof Constants[Group]]: number } : unknown);
};

export const LIMITS: Limits = withConstants(SETTABLE_DEFAULTS);

/** Constants come last: whatever a setting says, it does not reach them. */
export function withConstants(settable: SettableNumbers): Limits {
  const limits: Record<string, object> = { ...settable };
  for (const [group, constants] of Object.entries(CONSTANTS)) limits[group] = { ...limits[group], ...constants };
  return limits as Limits;
}
