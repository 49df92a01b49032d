/** Whether the conversation is looked through now for what is worth keeping. */

import { estimateTextTokens } from '../../conversation/tokens.ts';
import type { Limits } from '../../limits.ts';
import type { Span } from './span.ts';

/** `answer`: the model gave its final answer; `compaction`: messages are about to go; `exit`: the session ends. */
export type ExtractionTrigger = 'answer' | 'compaction' | 'exit';

export type ExtractionDecision =
  | { readonly kind: 'run'; readonly reason: 'cue' | 'tokens' | 'turns' | 'compaction' | 'exit' }
  /** No model is asked; what the user asked for outright is kept. */
  | { readonly kind: 'keep'; readonly reason: 'paused' | 'leaving' }
  /** Nothing is looked through, and the cursor moves all the same. */
  | { readonly kind: 'skip'; readonly reason: 'agent-wrote' }
  | {
      readonly kind: 'wait';
      readonly reason:
        | 'off'
        | 'paused' // three failures in a row
        | 'leaving' // nobody waits for a model any more
        | 'nothing-said'
        | 'unanswered' // who broke off wants to leave, and finds it all when the session goes on
        | 'too-little'
        | 'costs-enough'; // it had its share of what the conversation cost
    };

export interface ExtractionFacts {
  readonly trigger: ExtractionTrigger;
  readonly isOn: boolean;
  /** Whoever ends the session does not wait for a model. */
  readonly isLeaving: boolean;
  readonly failuresInARow: number;
  readonly span: Pick<Span, 'said' | 'tokens' | 'turns' | 'isAnswered' | 'hasCue' | 'agentWrote' | 'wishes'>;
  /** What the user set; then cost is no reason to wait. */
  readonly everyTurns: number | undefined;
  /** What extraction has cost so far, as a share of the conversation; null where that is not known. */
  readonly spentShare: number | null;
}

export function decideExtraction(facts: ExtractionFacts, limits: Limits['extraction']): ExtractionDecision {
  const { trigger, span, everyTurns } = facts;
  if (!facts.isOn) return { kind: 'wait', reason: 'off' };
  if (facts.isLeaving) return decideKeeping(facts, 'leaving');
  if (facts.failuresInARow >= limits.failures) return decideKeeping(facts, 'paused');
  if (span.said.length === 0) return { kind: 'wait', reason: 'nothing-said' };
  if (span.agentWrote) return { kind: 'skip', reason: 'agent-wrote' };
  if (trigger === 'compaction') return { kind: 'run', reason: trigger };
  if (trigger === 'exit' && !span.isAnswered) return { kind: 'wait', reason: 'unanswered' };
  if (span.hasCue) return { kind: 'run', reason: 'cue' };
  // A short question at the end of a session is not worth a second call, however much was read to answer it.
  const saidTokens = span.said.reduce((sum, { text }) => sum + estimateTextTokens(text), 0);
  if (trigger === 'exit' && saidTokens >= limits.exitSaidTokens) return { kind: 'run', reason: trigger };
  const isManyTurns = span.turns >= (everyTurns ?? limits.turns);
  if (!isManyTurns && span.tokens < limits.newTokens) return { kind: 'wait', reason: 'too-little' };
  const isDear = everyTurns === undefined && (facts.spentShare ?? 0) > limits.mainShare;
  if (isDear) return { kind: 'wait', reason: 'costs-enough' };
  return { kind: 'run', reason: isManyTurns ? 'turns' : 'tokens' };
}

/** Messages that will not come by again, where no model looks at them. */
function decideKeeping({ trigger, span }: ExtractionFacts, reason: 'paused' | 'leaving'): ExtractionDecision {
  if (trigger === 'answer' || span.wishes.length === 0) return { kind: 'wait', reason };
  if (trigger === 'exit' && !span.isAnswered) return { kind: 'wait', reason: 'unanswered' };
  return { kind: 'keep', reason };
}

export type ExtractionMeans =
  | { readonly kind: 'fork' }
  /** What was asked for outright, and no model. */
  | { readonly kind: 'wishes' }
  | { readonly kind: 'nothing'; readonly reason: 'seen-to' | 'comes-by-again' };

/** How a run is carried out when its turn has come: much may have happened while it waited. */
export function decideMeans(facts: {
  readonly trigger: ExtractionTrigger;
  readonly isLeaving: boolean;
  readonly isPaused: boolean;
  readonly span: Pick<Span, 'said' | 'agentWrote' | 'wishes'>;
}): ExtractionMeans {
  const { trigger, isLeaving, isPaused, span } = facts;
  if (!isLeaving && !isPaused) {
    return span.said.length === 0 || span.agentWrote ? { kind: 'nothing', reason: 'seen-to' } : { kind: 'fork' };
  }
  if (span.wishes.length === 0) return { kind: 'nothing', reason: 'seen-to' };
  return trigger === 'answer' && !isLeaving ? { kind: 'nothing', reason: 'comes-by-again' } : { kind: 'wishes' };
}
