/** Every number the system is built on, grouped by what it bounds. Settings may change each one: `limits.<group>.<name>`. */

import { CONVERSATION_LIMITS } from './limits/conversation.ts';
import { LAYER_LIMITS } from './limits/layers.ts';
import { MEMORY_LIMITS } from './limits/memory.ts';
import { TOOL_LIMITS } from './limits/tools.ts';

export * from './limits/fixed.ts';

export const LIMITS = { ...MEMORY_LIMITS, ...CONVERSATION_LIMITS, ...TOOL_LIMITS, ...LAYER_LIMITS } as const;

/** The same shape with plain numbers, so that a test or a setting can shrink one of them. */
export type Limits = {
  readonly [Group in keyof typeof LIMITS]: { readonly [Name in keyof (typeof LIMITS)[Group]]: number };
};
