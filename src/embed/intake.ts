/** Takes a host's messages into the conversation as it is sent: each once, with long results stored and memories joined. */

import type { Conversation } from '../agent/conversation.ts';
import type { Injection } from '../conversation/entry.ts';
import {
  type ContentBlock,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  toolUsesOf,
} from '../conversation/message.ts';
import { hashText } from '../conversation/prefix-chain.ts';
import type { ToolResults } from '../layers/1-tool-results/index.ts';
import { fromHost } from './messages.ts';
import type { HostRecall } from './recall.ts';
import type { HostMessage } from './session.ts';
import type { AnsweredRequest, SessionState } from './state.ts';

export interface HostIntake {
  take(messages: readonly HostMessage[]): Promise<void>;
  /** The host was answered: the next message of the assistant's is that answer. */
  answered(answer: AnsweredRequest): void;
  /** The conversation was replaced: what was taken so far is in its summary. */
  compacted(): void;
  rewrites(): number;
  state(): Pick<SessionState, 'chain' | 'compactedUpTo' | 'answered'>;
}

export function createHostIntake(facts: {
  readonly conversation: Conversation;
  readonly admit: ToolResults['admit'];
  readonly recall: HostRecall;
  readonly resumed: SessionState;
  /** The host's history is another one than it was. */
  readonly onRewritten: () => void;
}): HostIntake {
  const { conversation, recall } = facts;
  const seen = createSeenMessages(facts.resumed.chain);
  let { compactedUpTo, answered } = facts.resumed;
  let rewrites = 0;

  /** What stands before the change stays as it was sent, unless a summary has swallowed some of what changed. */
  function rewindTo(same: number): void {
    rewrites += 1;
    facts.onRewritten();
    const kept = same >= compactedUpTo ? conversation.entries.length - (seen.length - same) : 0;
    seen.cut(same >= compactedUpTo ? same : 0);
    compactedUpTo = Math.min(compactedUpTo, seen.length);
    conversation.replace([], conversation.entries.slice(0, kept));
    const uuids = new Set(conversation.entries.map(({ uuid }) => uuid));
    recall.keepOnly((uuid) => uuids.has(uuid));
    answered = null;
  }

  function takeAnswer(message: Message): void {
    const { at, response } = answered ?? {};
    answered = null;
    const entry = conversation.append({
      message,
      ...(at === undefined ? {} : { at }),
      ...(response ? { response } : {}),
    });
    recall.onCalls(toolUsesOf(message.content), entry.uuid);
  }

  async function takeUser(message: Message, isNewest: boolean): Promise<void> {
    const content = await admitted(message.content);
    const memories = isNewest ? await recall.take(wordsOf(message)) : [];
    const texts = memories.map(({ text }) => ({ type: 'text', text }) as const);
    const injected = texts.map<Injection>((_, at) => ({ block: content.length + at, source: 'recall' }));
    const entry = conversation.append({
      message: { role: 'user', content: [...content, ...texts] },
      ...(injected.length === 0 ? {} : { injected }),
    });
    recall.joined(memories, entry.uuid);
  }

  async function admitted(content: readonly ContentBlock[]): Promise<readonly ContentBlock[]> {
    const results = content.filter((block) => block.type === 'tool_result');
    if (results.length === 0) return content;
    const calls = callsOfLastAnswer(conversation);
    const kept = await facts.admit(results.map((result) => ({ result, call: callOf(result, calls) })));
    const replaced = new Map(results.map((result, at) => [result as ContentBlock, kept[at]!]));
    return content.map((block) => replaced.get(block) ?? block);
  }

  return {
    async take(messages) {
      const same = seen.common(messages);
      if (same < seen.length) rewindTo(same);
      for (let at = seen.length; at < messages.length; at++) {
        const message = fromHost(messages[at]!);
        if (message.role === 'assistant') takeAnswer(message);
        else await takeUser(message, at === messages.length - 1);
        seen.add(messages[at]!, message);
      }
    },
    answered(answer) {
      answered = answer;
    },
    compacted() {
      compactedUpTo = seen.length;
      recall.keepOnly(() => false);
    },
    rewrites: () => rewrites,
    state: () => ({ chain: seen.chain(), compactedUpTo, answered }),
  };
}

/** Results belong to the answer right before them. */
function callsOfLastAnswer({ entries }: Conversation): ReadonlyMap<string, ToolUseBlock> {
  const answer = entries.findLast(({ message }) => message.role === 'assistant');
  return new Map(toolUsesOf(answer?.message.content ?? []).map((call) => [call.id, call]));
}

function callOf(result: ToolResultBlock, calls: ReadonlyMap<string, ToolUseBlock>): ToolUseBlock {
  const id = result.tool_use_id;
  return calls.get(id) ?? { type: 'tool_use', id, name: 'unknown', input: {} };
}

function wordsOf({ content }: Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

// Knows again what a host has sent before: by its very objects, else by a chain of hashes over their content.

interface SeenMessages {
  readonly length: number;
  /** How many of these messages, from the first on, are what was seen before. */
  common(messages: readonly HostMessage[]): number;
  add(given: HostMessage, message: Message): void;
  cut(length: number): void;
  /** For the state of a session: each covers all before it. */
  chain(): readonly string[];
}

interface Seen {
  readonly link: string;
  /** Null after resuming, until the host's own object was compared by content. */
  shape: Shape | null;
}

/** A list that grew or a text that was put in place of another shows here, without a look at all of it. */
interface Shape {
  readonly role: string;
  readonly content: HostMessage['content'];
  readonly length: number;
  readonly last: unknown;
}

/** Characters of a hash that are kept: more than 128 bits. */
const LINK_CHARACTERS = 22;

function createSeenMessages(chain: readonly string[] = []): SeenMessages {
  const seen: Seen[] = chain.map((link) => ({ link, shape: null }));

  function linkAt(at: number, message: Message): string {
    return hashText(`${seen[at - 1]?.link ?? ''} ${JSON.stringify(message)}`).slice(0, LINK_CHARACTERS);
  }

  function isKnown(at: number, given: HostMessage): boolean {
    const known = seen[at]!;
    if (known.shape !== null && isSame(known.shape, given)) return true;
    if (linkAt(at, fromHost(given)) !== known.link) return false;
    known.shape = shapeOf(given);
    return true;
  }

  return {
    get length() {
      return seen.length;
    },
    common(messages) {
      const most = Math.min(seen.length, messages.length);
      let at = 0;
      while (at < most && isKnown(at, messages[at]!)) at++;
      return at;
    },
    add: (given, message) => void seen.push({ link: linkAt(seen.length, message), shape: shapeOf(given) }),
    cut(length) {
      seen.length = length;
    },
    chain: () => seen.map(({ link }) => link),
  };
}

function shapeOf({ role, content }: HostMessage): Shape {
  return { role, content, length: content.length, last: content.at(-1) };
}

function isSame(shape: Shape, { role, content }: HostMessage): boolean {
  if (shape.role !== role || shape.content !== content) return false;
  return shape.length === content.length && shape.last === content.at(-1);
}
