/** Whether the conversation is looked through now for what is worth keeping. */

import type { Limits } from '../../limits.ts';
import { isConsent } from '../../memory/gate/phrases.ts';
import type { Span } from './span.ts';

/** `answer`: the model gave its final answer; `compaction`: messages are about to go; `exit`: the session ends. */
export type ExtractionTrigger = 'answer' | 'compaction' | 'exit';

export type ExtractionDecision =
  | { readonly kind: 'run'; readonly reason: 'cue' | 'said' | 'turns' | 'compaction' | 'exit' }
  /** No model is asked; what the user asked for outright is kept. */
  | { readonly kind: 'keep'; readonly reason: 'paused' | 'leaving' }
  | {
      readonly kind: 'wait';
      readonly reason:
        | 'off'
        | 'paused' // three failures in a row
        | 'leaving' // nobody waits for a model any more
        | 'nothing-said'
        | 'unanswered' // who broke off wants to leave, and finds it all when the session goes on
        | 'too-little' // the user typed nothing of substance
        | 'ahead'; // it has cost its share for now, and looks at several turns at once later
    };

export interface ExtractionFacts {
  readonly trigger: ExtractionTrigger;
  readonly isOn: boolean;
  /** Whoever ends the session does not wait for a model. */
  readonly isLeaving: boolean;
  readonly failuresInARow: number;
  /** What it has cost has run ahead of the conversation. */
  readonly isAhead: boolean;
  readonly span: Pick<Span, 'said' | 'turns' | 'isAnswered' | 'hasCue' | 'wishes'>;
  /** What the user set: so many turns, whatever was typed in them. */
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
  // A yes may be to something worth keeping; while the session lasts, whoever proposed it sees to that.
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
  readonly span: Pick<Span, 'said' | 'wishes'>;
}): ExtractionMeans {
  const { trigger, isLeaving, isPaused, span } = facts;
  if (!isLeaving && !isPaused) {
    return span.said.length === 0 ? { kind: 'nothing', reason: 'seen-to' } : { kind: 'fork' };
  }
  if (span.wishes.length === 0) return { kind: 'nothing', reason: 'seen-to' };
  return trigger === 'answer' && !isLeaving ? { kind: 'nothing', reason: 'comes-by-again' } : { kind: 'wishes' };
}
