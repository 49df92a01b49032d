/** The live conversation: entries as they joined, and beside them the messages as they go out, kept and never rendered again. */

import { randomUUID } from 'node:crypto';
import type { Entry, EntryResponse, Injection } from '../conversation/entry.ts';
import type { ContentBlock, Message } from '../conversation/message.ts';

export interface Conversation {
  readonly entries: readonly Entry[];
  /** A snapshot for one request: roles alternate, the context stands first. */
  messages(): readonly Message[];
  /** What stands before the first entry by now. */
  context(): readonly ContentBlock[];
  append(draft: EntryDraft): Entry;
  /** Messages that the previous request had, so that its end can stay in the cache. */
  sentBefore(): number;
  /** In place of all there was; for compaction, which announces what it breaks. */
  replace(context: readonly ContentBlock[], entries: readonly Entry[]): void;
  /** The same entries and messages, going its own way from here; what it appends is kept nowhere else. */
  clone(): Conversation;
}

export interface EntryDraft {
  readonly message: Message;
  readonly response?: EntryResponse;
  readonly injected?: readonly Injection[];
  readonly typedCharacters?: number;
  readonly said?: readonly string[];
  /** ISO time, where it was not said just now. */
  readonly at?: string;
}

export interface ConversationFacts {
  /** Instruction files and index, in front of the first message of the user. */
  readonly context: readonly ContentBlock[];
  readonly entries?: readonly Entry[];
  readonly now: () => Date;
  /** Told of each new entry, before anything else sees it. */
  readonly onEntry?: (entry: Entry) => void;
}

export function createConversation(facts: ConversationFacts): Conversation {
  const entries: Entry[] = [];
  const messages: Message[] = [];
  let context = facts.context;
  start(context, facts.entries ?? []);

  function start(newContext: readonly ContentBlock[], from: readonly Entry[]): void {
    context = newContext;
    entries.length = 0;
    messages.length = 0;
    if (context.length > 0) messages.push({ role: 'user', content: context });
    for (const entry of from) add(entry);
  }

  function add(entry: Entry): void {
    entries.push(entry);
    const last = messages.at(-1);
    // An interrupted turn leaves two messages of the user in a row; providers want the roles to alternate.
    if (last?.role === entry.message.role) {
      messages[messages.length - 1] = { role: last.role, content: [...last.content, ...entry.message.content] };
    } else {
      messages.push(entry.message);
    }
  }

  return {
    entries,
    messages: () => messages.slice(),
    context: () => context,
    append(draft) {
      const entry: Entry = {
        uuid: randomUUID(),
        parentUuid: entries.at(-1)?.uuid ?? null,
        at: facts.now().toISOString(),
        ...draft,
      };
      facts.onEntry?.(entry);
      add(entry);
      return entry;
    },
    sentBefore: () =>
      Math.max(
        0,
        messages.findLastIndex(({ role }) => role === 'assistant'),
      ),
    replace: start,
    clone: () => createConversation({ context, entries, now: facts.now }),
  };
}
