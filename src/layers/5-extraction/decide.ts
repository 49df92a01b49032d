/** Whether to search the conversation now for what is worth keeping. */

import type { Limits } from '../../limits.ts';
import { isConsent } from '../../memory/gate/phrases.ts';
import type { Span } from './span.ts';

/** `answer`: the model gave its final answer; `compaction`: messages are about to go; `exit`: the session ends. */
export type ExtractionTrigger = 'answer' | 'compaction' | 'exit';

export type ExtractionDecision =
  | { readonly kind: 'run'; readonly reason: 'cue' | 'said' | 'turns' | 'compaction' | 'exit' }
  /** No model is asked; what the user explicitly asked for is kept. */
  | { readonly kind: 'keep'; readonly reason: 'paused' | 'leaving' }
  | {
      readonly kind: 'wait';
      readonly reason:
        | 'off'
        | 'paused' // three failures in a row
        | 'leaving' // nobody waits for a model any more
        | 'nothing-said'
        | 'unanswered' // a user who interrupts wants to leave, and all of it is still there on resume
        | 'too-little' // the user typed nothing of substance
        | 'ahead'; // it has used its share for now, and will look at several turns at once later
    };

export interface ExtractionFacts {
  readonly trigger: ExtractionTrigger;
  readonly isOn: boolean;
  /** Ending the session does not wait for a model. */
  readonly isLeaving: boolean;
  readonly failuresInARow: number;
  /** Its cost has run ahead of the conversation's. */
  readonly isAhead: boolean;
  readonly span: Pick<Span, 'said' | 'turns' | 'isAnswered' | 'hasCue' | 'wishes'>;
  /** The user's setting: this many turns, whatever was typed in them. */
  readonly everyTurns: number | undefined;
}

export function decideExtraction(facts: ExtractionFacts, limits: Limits['extraction']): ExtractionDecision {
  const { trigger, span, everyTurns } = facts;
  if (!facts.isOn) return { kind: 'wait', reason: 'off' };
  if (facts.isLeaving) return decideKeeping(facts, 'leaving');
  if (facts.failuresInARow >= limits.failures) return decideKeeping(facts, 'paused');
  if (span.said.length === 0) return { kind: 'wait', reason: 'nothing-said' };
  if (trigger === 'compaction') return { kind: 'run', reason: trigger };
  if (trigger === 'exit' && !span.isAnswered) return { kind: 'wait', reason: 'unanswered' };
  if (span.hasCue) return { kind: 'run', reason: 'cue' };
  if (everyTurns !== undefined && span.turns >= everyTurns) return { kind: 'run', reason: 'turns' };
  // A yes may confirm something worth keeping; while the session lasts, the agent that proposed it handles that.
  if (trigger === 'exit' && span.said.some(({ text }) => isConsent(text))) return { kind: 'run', reason: trigger };
  if (isShorter(span, limits.typedCharacters)) return { kind: 'wait', reason: 'too-little' };
  if (trigger === 'exit') return { kind: 'run', reason: trigger };
  if (everyTurns !== undefined) return { kind: 'wait', reason: 'too-little' };
  return facts.isAhead ? { kind: 'wait', reason: 'ahead' } : { kind: 'run', reason: 'said' };
}

/** In bytes: a sentence of Japanese has a third of the characters that one of English has. */
function isShorter({ said }: ExtractionFacts['span'], bytes: number): boolean {
  let left = bytes;
  return !said.some(({ text }) => {
    left -= Buffer.byteLength(text);
    return left <= 0;
  });
}

/** Messages that will not come by again, when no model looks at them. */
function decideKeeping({ trigger, span }: ExtractionFacts, reason: 'paused' | 'leaving'): ExtractionDecision {
  if (trigger === 'answer' || span.wishes.length === 0) return { kind: 'wait', reason };
  if (trigger === 'exit' && !span.isAnswered) return { kind: 'wait', reason: 'unanswered' };
  return { kind: 'keep', reason };
}

export type ExtractionMeans =
  | { readonly kind: 'fork' }
  /** Only what was explicitly asked for, without a model. */
  | { readonly kind: 'wishes' }
  | { readonly kind: 'nothing'; readonly reason: 'seen-to' | 'comes-by-again' };

/** How a run is carried out when its turn comes: much may have happened while it waited. */
export function decideMeans(facts: {
  readonly trigger: ExtractionTrigger;
  readonly isLeaving: boolean;
  readonly isPaused: boolean;
  readonly span: Pick<Span, 'said' | 'wishes'>;
}): ExtractionMeans {
  const { trigger, isLeaving, isPaused, span } = facts;
  if (!isLeaving && !isPaused) {
    return span.said.length === 0 ? { kind: 'nothing', reason: 'seen-to' } : { kind: 'fork' };
  }
  if (span.wishes.length === 0) return { kind: 'nothing', reason: 'seen-to' };
  return trigger === 'answer' && !isLeaving ? { kind: 'nothing', reason: 'comes-by-again' } : { kind: 'wishes' };
}
