/** Compaction's prompts: the instruction to summarise, and the heading of its result. */

import { fillPrompt } from '../../base/prompt-file.ts';
import type { Message, TextBlock } from '../../conversation/message.ts';
import { toolUsesOf } from '../../conversation/message.ts';

export interface InstructionFacts {
  /** What the user asked for in this summary; empty when nothing. */
  readonly wishes: string;
  /** Summarise only from the message that begins with these words; null for all. */
  readonly fromWords: string | null;
}

export function summaryInstruction(facts: InstructionFacts): string {
  const scope = facts.fromWords === null ? [] : [fillPrompt('compaction-scope', { beginning: facts.fromWords })];
  const wishes = facts.wishes.trim() === '' ? [] : [fillPrompt('compaction-wishes', { wishes: facts.wishes.trim() })];
  return [fillPrompt('compaction'), ...scope, ...wishes].join('\n\n');
}

/** What the model reads instead of the removed messages. */
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

/** The conversation as it was sent, followed by the instruction, so that the conversation's cache is read. */
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
