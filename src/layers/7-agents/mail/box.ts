/** Messages on their way into one conversation: each is offered until it has joined, and its sender learns what became of it. */

import type { Attachment } from '../../../agent/seams.ts';
import type { Entry } from '../../../conversation/entry.ts';
import type { ReceiptState } from '../../../mailbox/outcomes.ts';

/** Messages that wait for one agent. */
export const QUEUE_MESSAGES = 50;
/** Messages that join one message of a conversation. */
const MOST_OFFERED = 20;

export interface WaitingMessage {
  readonly id: string;
  /** What the model reads; `isLed` where it is the first of several. */
  text(isLed: boolean): string;
  /** False for what Reverie itself says about a message. */
  readonly isFromAgent: boolean;
  settle(state: Exclude<ReceiptState, 'queued'>): void;
}

export interface MessageQueue {
  put(waiting: WaitingMessage): void;
  offered(): readonly Attachment[];
  entered(entry: Entry): void;
  hasAny(): boolean;
  /** Of agents: what the program itself says takes nobody's place. */
  count(): number;
  /** Empties it, and hands over what nobody read. */
  takeUnread(): readonly WaitingMessage[];
}

export function createQueue(): MessageQueue {
  const queue: WaitingMessage[] = [];
  const unanswered: WaitingMessage[] = [];

  function joined(id: string | undefined): void {
    const at = queue.findIndex((waiting) => waiting.id === id);
    if (at === -1) return;
    const [waiting] = queue.splice(at, 1);
    waiting!.settle('in-context');
    unanswered.push(waiting!);
  }

  return {
    put: (waiting) => void queue.push(waiting),
    offered() {
      const offered = queue.slice(0, MOST_OFFERED);
      const first = offered.find(({ isFromAgent }) => isFromAgent);
      return offered.map((waiting) => ({
        source: 'agent-message' as const,
        block: { type: 'text' as const, text: waiting.text(waiting === first) },
        id: waiting.id,
      }));
    },
    entered(entry) {
      if (entry.message.role === 'assistant') {
        for (const waiting of unanswered.splice(0)) waiting.settle('answered');
        return;
      }
      for (const { source, id } of entry.injected ?? []) if (source === 'agent-message') joined(id);
    },
    hasAny: () => queue.length > 0,
    count: () => queue.filter(({ isFromAgent }) => isFromAgent).length,
    takeUnread: () => queue.splice(0),
  };
}
