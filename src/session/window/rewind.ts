/** Going back to before a message of the user: the conversation is shorter from here on, the transcript keeps both ways. */

import type { Conversation } from '../../agent/conversation.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { TranscriptRecord } from '../../disk/transcript/record.ts';
import { ReverieError } from '../../errors.ts';

/** A message that the user wrote, as a place to go back to. */
export interface UserPrompt {
  readonly uuid: string;
  /** ISO time. */
  readonly at: string;
  /** The user's own words. */
  readonly text: string;
}

export interface RewoundPrompt extends UserPrompt {
  /** Messages that are no longer part of the conversation. */
  readonly removed: number;
}

/** Oldest first. Results of tools and what Reverie added are nobody's words. */
export function userPrompts(entries: readonly Entry[]): readonly UserPrompt[] {
  return entries.flatMap((entry) => {
    const text = ownWords(entry);
    return text === '' ? [] : [{ uuid: entry.uuid, at: entry.at, text }];
  });
}

/** What the user typed in this message; empty for every other kind. */
export function ownWords({ message, injected = [] }: Entry): string {
  if (message.role !== 'user' || message.content.some(({ type }) => type === 'tool_result')) return '';
  const added = new Set(injected.map(({ block }) => block));
  const own = message.content.filter((block, at) => block.type === 'text' && !added.has(at));
  return own
    .map((block: ContentBlock) => (block.type === 'text' ? block.text : ''))
    .join('\n')
    .trim();
}

export function rewindConversation(
  uuid: string,
  facts: {
    readonly conversation: Conversation;
    readonly record: (record: TranscriptRecord) => void;
    readonly now: () => Date;
  },
): RewoundPrompt {
  const { conversation } = facts;
  const at = conversation.entries.findIndex((entry) => entry.uuid === uuid);
  const entry = conversation.entries[at];
  if (entry === undefined || ownWords(entry) === '') {
    throw new ReverieError({ code: 'not-found', message: 'That message is not part of this conversation.' });
  }
  const removed = conversation.entries.length - at;
  conversation.replace(conversation.context(), conversation.entries.slice(0, at));
  // Where the conversation ends now, for whoever resumes it before anything else is said.
  const detail = { before: uuid, removed, last: conversation.entries.at(-1)?.uuid ?? null };
  facts.record({ type: 'note', at: facts.now().toISOString(), reason: 'rewind', detail });
  return { uuid, at: entry.at, text: ownWords(entry), removed };
}
