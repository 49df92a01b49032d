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
import type { ToolResults } from '../layers/1-tool-results/index.ts';
import { fromHost } from './messages.ts';
import type { HostRecall } from './recall.ts';
import { createSeenMessages } from './seen.ts';
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
