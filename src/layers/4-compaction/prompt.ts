/** The words that compaction says to a model: the instruction to summarise, and what stands over its result. */

import { fillPrompt } from '../../base/prompt-file.ts';
import type { Message, TextBlock } from '../../conversation/message.ts';
import { toolUsesOf } from '../../conversation/message.ts';

export interface InstructionFacts {
  /** What the user asked of this summary; empty when nothing. */
  readonly wishes: string;
  /** Only the messages from the one that begins with these words on are summarised; null for all. */
  readonly fromWords: string | null;
}

export function summaryInstruction(facts: InstructionFacts): string {
  const scope = facts.fromWords === null ? [] : [fillPrompt('compaction-scope', { beginning: facts.fromWords })];
  const wishes = facts.wishes.trim() === '' ? [] : [fillPrompt('compaction-wishes', { wishes: facts.wishes.trim() })];
  return [fillPrompt('compaction'), ...scope, ...wishes].join('\n\n');
}

/** What the model reads in place of the messages that went. */
export function summaryText(facts: { readonly summary: string; readonly transcript: string | null }): string {
  const record =
    facts.transcript === null
      ? 'No transcript is kept, so that nothing else is left of them.'
      : `They are kept whole in ${facts.transcript}, one JSON record a line: Grep it for a detail you miss.`;
  return fillPrompt('compaction-result', { record, summary: facts.summary });
}

export function carriedHeading(): string {
  return fillPrompt('compaction-carried');
}

const NOT_RUN = 'Not run: the conversation is being summarised.';

/** The conversation as it was sent, and the instruction behind it, so that the cache of the conversation is read. */
export function withInstruction(messages: readonly Message[], instruction: string): readonly Message[] {
  const block: TextBlock = { type: 'text', text: instruction };
  const last = messages.at(-1);
  if (last?.role === 'user') {
    return [...messages.slice(0, -1), { role: 'user', content: [...last.content, block] }];
  }
  const results = toolUsesOf(last?.content ?? []).map(({ id }) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: [{ type: 'text' as const, text: NOT_RUN }],
  }));
  return [...messages, { role: 'user', content: [...results, block] }];
}
