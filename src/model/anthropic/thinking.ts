/** How a request says that a model shall think, in the words that this model takes. */

import type { BetaThinkingConfigParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { MESSAGES_API_LIMITS } from '../../limits.ts';
import type { ModelFacts } from '../capabilities-table.ts';
import type { Thinking } from '../model.ts';

/** Undefined where the model has no such setting. */
export function renderThinking(facts: {
  readonly thinking: Thinking;
  readonly model: Pick<ModelFacts, 'thinking' | 'thinkingOff' | 'bindsThinking'>;
  readonly maxOutputTokens: number;
}): BetaThinkingConfigParam | undefined {
  const { thinking, model, maxOutputTokens } = facts;
  switch (model.thinking) {
    case 'none':
      return undefined;
    case 'budget':
      return renderBudget(thinking, maxOutputTokens);
    case 'adaptive':
    case 'always-adaptive':
      if (thinking.kind === 'off' && model.thinkingOff === 'disabled') return { type: 'disabled' };
      if (thinking.kind === 'off' && model.thinkingOff === 'between-tools') return { type: 'between_tools' };
      return {
        type: 'adaptive',
        // Newer models keep their thoughts, and what they say between two tools, to themselves unless asked.
        display: thinking.kind === 'off' ? 'omitted' : 'summarized',
        // Our layers clear old results: a thought behind them may go then, and must not fail the request.
        ...(model.bindsThinking ? { block_binding: { prefix_mismatch_behavior: 'drop_block' } } : {}),
      };
  }
}

function renderBudget(thinking: Thinking, maxOutputTokens: number): BetaThinkingConfigParam {
  if (thinking.kind === 'off') return { type: 'disabled' };
  const wanted = thinking.kind === 'budget' ? thinking.tokens : MESSAGES_API_LIMITS.thinkingTokens;
  // The budget is part of the answer's bound, and has to leave something of it.
  const tokens = Math.min(Math.max(wanted, MESSAGES_API_LIMITS.leastThinkingTokens), maxOutputTokens - 1);
  return tokens < MESSAGES_API_LIMITS.leastThinkingTokens
    ? { type: 'disabled' }
    : { type: 'enabled', budget_tokens: tokens };
}
