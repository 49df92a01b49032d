/** `reverie -p --stay`: after the first answer the session waits for messages and answers each, until it is asked to end. */

import type { AgentEvent } from '../../agent/event.ts';
import type { AgentOptions, BeginTurn } from '../../session/agent.ts';

export interface Staying {
  readonly options: Pick<AgentOptions, 'onWake' | 'onShutdown'>;
  /** Answers what wakes the session, each in a turn; resolves when it agreed to end, or at the signal. */
  untilEnd(facts: {
    readonly signal: AbortSignal;
    hear(events: AsyncIterable<AgentEvent>): Promise<void>;
  }): Promise<void>;
}

export function createStaying(): Staying {
  let due: BeginTurn | null = null;
  let isOver = false;
  let notify = () => {};
  return {
    options: {
      onWake(begin) {
        due = begin;
        notify();
      },
      onShutdown() {
        isOver = true;
        notify();
      },
    },
    async untilEnd({ signal, hear }) {
      signal.addEventListener('abort', () => notify(), { once: true });
      while (!isOver && !signal.aborted) {
        const begin = due as BeginTurn | null;
        due = null;
        if (begin !== null) await hear(begin({ signal }));
        else
          await new Promise<void>((resolve) => {
            notify = resolve;
          });
      }
    },
  };
}
