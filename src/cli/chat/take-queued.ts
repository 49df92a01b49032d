/** What was sent while nothing could be taken: taken up in its order as soon as all is quiet. */

import { type Step, step } from './action.ts';
import { startTurn } from './reduce-agent.ts';
import { act } from './reduce-prompt.ts';
import { readSlash } from './slash-commands.ts';
import type { ChatState } from './state.ts';

/** Prompts up to the next command go as one message; lines that nobody sees wait are messages of their own. */
export function takeQueued(state: ChatState, nowMs: number): Step {
  const [first] = state.queue;
  if (first === undefined || state.phase !== 'idle') return step(state);
  if (isCommand(first.text)) return act({ ...state, queue: state.queue.slice(1) }, first, nowMs);
  const end = state.queue.findIndex(({ text }) => isCommand(text));
  const count = state.isLineMode ? 1 : end === -1 ? state.queue.length : end;
  const taken = state.queue.slice(0, count);
  const joined = (part: 'text' | 'shown') => taken.map((prompt) => prompt[part]).join('\n\n');
  const prompt = { text: joined('text'), shown: joined('shown'), images: taken.flatMap(({ images }) => images) };
  return startTurn({ ...state, queue: state.queue.slice(count) }, prompt, nowMs);
}

function isCommand(text: string): boolean {
  return readSlash(text).kind === 'command';
}
