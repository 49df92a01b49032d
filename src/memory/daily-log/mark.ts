/** Whose word a line of the log is, by the gate's own evidence; and what may not be logged at all. */

import { adviceFor } from '../gate/advice.ts';
import { hear } from '../gate/heard.ts';
import { hasJudgement } from '../gate/judgement.ts';
import { isOptOut } from '../gate/phrases.ts';
import { judgeStanding } from '../gate/standing.ts';
import type { SpanMessage } from '../gate/write.ts';
import type { LogMark } from './line.ts';

export type MarkDecision =
  /** `quote` is the sentence of the user's that it rests on, where they were quoted. */
  | { readonly kind: 'log'; readonly mark: LogMark; readonly quote?: string }
  /** `reason` is the gate's advice. */
  | { readonly kind: 'refuse'; readonly reason: string };

/**
 * A log is kept more readily than a memory: what the agent did, promised or left open rests on nobody's word but its
 * own, and stands there unmarked. Nothing is made of an unmarked line later that the user did not say elsewhere.
 */
export function judgeLogText(
  text: string,
  facts: { readonly span: readonly SpanMessage[]; readonly quotes?: readonly string[] },
): MarkDecision {
  if (hasJudgement(text)) return { kind: 'refuse', reason: adviceFor('negative-judgement', text) };
  const heard = hear(facts.span);
  const { quotes = [] } = facts;
  const standing = judgeStanding({ type: 'project', core: text, whole: text, quotes, heard });
  switch (standing.kind) {
    case 'said': {
      const said = heard.typed.filter(({ message }) => standing.messages.includes(message));
      const isOptedOut = said.some(({ sentences }) => sentences.some((sentence) => isOptOut(sentence.text)));
      if (isOptedOut) return { kind: 'refuse', reason: adviceFor('opted-out', text) };
      const quote = quotes.length === 0 ? '' : standing.quote.map((each) => each.text).join(' ');
      return { kind: 'log', mark: 'said', ...(quote === '' ? {} : { quote }) };
    }
    case 'inferred':
      return { kind: 'log', mark: null };
    case 'seen':
      return { kind: 'log', mark: 'seen' };
    case 'refused':
      return standing.reason === 'unsupported'
        ? { kind: 'log', mark: null }
        : { kind: 'refuse', reason: adviceFor(standing.reason, text) };
  }
}
