/** The agent's own questions in the chat: one after the other as a list to pick from, where typed words are an answer too. */

import type { AskUser, UserQuestion } from '../../agent/tools/ask-user.ts';
import type { Action } from './action.ts';
import type { PickerItem } from './state.ts';

export interface AgentQuestions {
  readonly askUser: AskUser;
  /** Puts one list on the screen; null for no answer. */
  pick(picking: Picking, signal: AbortSignal): Promise<string | null>;
  /** What was picked or typed; null for nothing. */
  reply(text: string | null): void;
}

interface Picking {
  readonly title: string;
  readonly items: readonly PickerItem[];
  readonly selected?: number;
  /** What is typed is an answer of its own and never narrows the list. */
  readonly takesWords?: boolean;
}

/** Ends a question where several options may be chosen. */
const DONE = '\u0000done';

export function createAgentQuestions(ports: {
  readonly dispatch: (action: Action) => void;
  readonly nowMs: () => number;
  /** Whoever else asks waits meanwhile. */
  readonly alone: <Value>(ask: () => Promise<Value>) => Promise<Value>;
}): AgentQuestions {
  const { dispatch, nowMs } = ports;
  let onReply: ((text: string | null) => void) | null = null;

  function pick(picking: Picking, signal: AbortSignal): Promise<string | null> {
    return new Promise((resolve) => {
      const settle = (text: string | null) => {
        signal.removeEventListener('abort', withdraw);
        onReply = null;
        resolve(text);
      };
      const withdraw = () => {
        dispatch({ kind: 'ask-withdrawn' });
        settle(null);
      };
      if (signal.aborted) return settle(null);
      signal.addEventListener('abort', withdraw, { once: true });
      onReply = settle;
      dispatch({ kind: 'pick', purpose: 'question', ...picking, nowMs: nowMs() });
    });
  }

  async function askOne({ question, options }: UserQuestion, signal: AbortSignal): Promise<readonly string[] | null> {
    const items = options.map(({ label, description = '' }) => ({ id: label, title: label, detail: description }));
    const reply = await pick({ title: question, items }, signal);
    return reply === null ? null : [reply];
  }

  /** Each choice marks an option or takes the mark away, until the user is done. */
  async function askSeveral(
    { question, options }: UserQuestion,
    signal: AbortSignal,
  ): Promise<readonly string[] | null> {
    const chosen = new Set<string>();
    for (let selected = 0; ; ) {
      const items = options.map(({ label, description = '' }) => {
        return { id: label, title: `${chosen.has(label) ? '[x]' : '[ ]'} ${label}`, detail: description };
      });
      const done = { id: DONE, title: 'Done', detail: `${chosen.size} chosen` };
      const reply = await pick({ title: `${question} (several)`, items: [...items, done], selected }, signal);
      if (reply === null) return null;
      if (reply === DONE) return [...chosen];
      selected = options.findIndex(({ label }) => label === reply);
      if (selected === -1) return [...chosen, reply];
      if (!chosen.delete(reply)) chosen.add(reply);
    }
  }

  return {
    askUser: (questions, { signal }) =>
      ports.alone(async () => {
        const replies: (readonly string[])[] = [];
        for (const question of questions) {
          const reply = await (question.multiSelect === true ? askSeveral : askOne)(question, signal);
          if (reply === null) return null;
          replies.push(reply);
        }
        return replies;
      }),
    pick,
    reply: (text) => onReply?.(text),
  };
}
