/** What the API is asked to clear by itself: part of the request, so built once per session and then repeated. */

import { budgetWithin, type Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import type { ModelCapabilities, Thinking } from '../../model/model.ts';
import { isClearable } from './clearable.ts';
import type { Economy } from './decide.ts';
import { type ClearingRates, leastFreedTokens } from './price.ts';

/** Share of the compaction point at which the API clears, with `economy` at `max`. */
const MAX_SHARE = 0.5;
/** Requests still expected from a conversation this long: what the API clears must pay off within them. */
const API_EXPECTED_REQUESTS = 20;
/** The API's minimum number of tokens is rounded up to a multiple of this. */
const API_ROUND_TOKENS = 1_000;

export type ContextEdit = Readonly<Record<string, unknown>>;

const CLEAR_THINKING = 'clear_thinking_20251015';

export function contextEditsOf(facts: {
  readonly window: Window;
  readonly capabilities: Pick<ModelCapabilities, 'thinking'>;
  readonly thinking: Thinking;
  /** Of all tools in the request, in its order. */
  readonly toolNames: readonly string[];
  readonly rates: ClearingRates;
  readonly economy: Economy;
  readonly limits: Pick<Limits, 'microcompact' | 'window'>;
}): readonly ContextEdit[] {
  const { window, capabilities, thinking, toolNames, rates, economy } = facts;
  const limits = facts.limits.microcompact;
  const before = budgetWithin({
    budgetTokens: limits.apiBeforeTokens,
    effective: window.effective,
    limits: facts.limits.window,
  });
  const from = economy === 'max' ? Math.floor(window.compactAt * MAX_SHARE) : window.compactAt;
  const trigger = Math.max(1, from - before);
  const least = leastFreedTokens({ promptTokens: trigger, expectedRequests: API_EXPECTED_REQUESTS, rates });
  const excluded = toolNames.filter((name) => !isClearable(name));
  // The API refuses to clear thinking if there is none, and wants it first.
  const thinks = thinking.kind !== 'off' && capabilities.thinking !== 'none';
  return [
    ...(thinks ? [{ type: CLEAR_THINKING, keep: 'all' }] : []),
    {
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'input_tokens', value: trigger },
      keep: { type: 'tool_uses', value: Math.max(1, Math.floor(limits.keptResults)) },
      clear_at_least: { type: 'input_tokens', value: roundUp(least, API_ROUND_TOKENS) },
      ...(excluded.length > 0 ? { exclude_tools: excluded } : {}),
    },
  ];
}

/** The cache is lost anyway, so old thinking goes too, and stays away. Null when it is already gone, or there is none. */
export function withoutOldThinking(
  edits: readonly ContextEdit[],
  limits: Limits['microcompact'],
): readonly ContextEdit[] | null {
  if (!edits.some(({ type, keep }) => type === CLEAR_THINKING && keep === 'all')) return null;
  const keep = { type: 'thinking_turns', value: Math.max(1, Math.floor(limits.thinkingTurns)) };
  return edits.map((edit) => (edit.type === CLEAR_THINKING ? { ...edit, keep } : edit));
}

function roundUp(tokens: number, step: number): number {
  return Math.max(1, Math.ceil(tokens / step)) * step;
}
