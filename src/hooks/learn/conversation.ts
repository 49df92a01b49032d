/** What was said in a host's conversation since a model last looked through it: as evidence for the gate, and as text for the model. */

import { namedDay } from '../../base/dates/local-time.ts';
import { withoutInjected } from '../../base/text/injected-text.ts';
import { escapeMarkup } from '../../base/text/visible-text.ts';
import { typedLength } from '../../conversation/typed-text.ts';
import type { Limits } from '../../limits.ts';
import type { SpanMessage } from '../../memory/gate/index.ts';
import type { Host } from '../hosts/host.ts';

/** Of the newest part of a conversation; older messages were looked through at an earlier compaction. */
const CONVERSATION_CHARACTERS = 60_000;
/** Of one message of the assistant, which matters only for what the user answered to. */
const ASSISTANT_CHARACTERS = 1_500;
const PASTED_CHARACTERS = 2_000;

export interface Conversation {
  /** Oldest first. */
  readonly span: readonly SpanMessage[];
  /** What the user typed, in characters. */
  readonly typedCharacters: number;
  /** ISO time of the last message. */
  readonly until: string;
}

export function conversationIn(
  lines: readonly string[],
  { host, since, limits }: { readonly host: Host; readonly since: string; readonly limits: Pick<Limits, 'gate'> },
): Conversation {
  const typed = host.userTexts(lines).map((said) => ({ ...said, from: 'user' as const }));
  const answers = (host.assistantTexts?.(lines) ?? []).map((said) => ({ ...said, from: 'assistant' as const }));
  const said = [...typed, ...answers].filter(({ at }) => at > since).sort((one, other) => (one.at < other.at ? -1 : 1));
  const span = said.flatMap(({ from, text, at }): readonly SpanMessage[] => {
    const own = withoutInjected(text).trim();
    if (own === '') return [];
    if (from === 'assistant') return [{ from, text: own.slice(-ASSISTANT_CHARACTERS), at }];
    const length = typedLength(own, limits.gate.typedCharacters);
    const rest = own.slice(length).trim();
    return [
      { from, text: own.slice(0, length), at },
      ...(rest === '' ? [] : [{ from: 'pasted' as const, text: rest, at }]),
    ];
  });
  const newest = newestOf(span);
  return {
    span: newest,
    typedCharacters: newest.reduce((sum, { from, text }) => sum + (from === 'user' ? text.trim().length : 0), 0),
    until: said.at(-1)?.at ?? '',
  };
}

function newestOf(span: readonly SpanMessage[]): readonly SpanMessage[] {
  let characters = 0;
  const first = span.findLastIndex(({ text }) => {
    characters += text.length;
    return characters > CONVERSATION_CHARACTERS;
  });
  return span.slice(first + 1);
}

/** As the model reads it: who speaks, on which day, and what came along as that. */
export function conversationText(span: readonly SpanMessage[]): string {
  return span
    .map(({ from, text, at }) => {
      const shown = escapeMarkup(from === 'pasted' ? text.slice(0, PASTED_CHARACTERS) : text);
      if (from === 'pasted') return `<pasted>\n${shown}\n</pasted>`;
      return `${from === 'user' ? 'User' : 'Assistant'} (${namedDay(new Date(at ?? ''))}): ${shown}`;
    })
    .join('\n\n');
}
