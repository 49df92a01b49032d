/** What was sent while nothing could be taken: taken up in its order as soon as all is quiet. */

import { andThen, type Step, step } from './action.ts';
import { startTurn } from './reduce-agent.ts';
import { reducePickerLine, shown } from './reduce-dialog.ts';
import { act } from './reduce-prompt.ts';
import { readSlash } from './slash/commands.ts';
import type { ChatState } from './state.ts';

/** Prompts up to the next command go as one message; lines that nobody sees wait are messages of their own. */
export function takeQueued(state: ChatState, nowMs: number): Step {
  const [first] = state.queue;
  if (first === undefined || state.phase !== 'idle') return step(state);
  if (state.dialog !== null) return answerBy(first.text, state, nowMs);
  if (isCommand(first.text)) {
    const acted = act({ ...state, queue: state.queue.slice(1) }, first, nowMs);
    // What was no command after all started nothing that would wake what stands behind it.
    return acted.effects.length === 0 ? andThen(acted, (next) => takeQueued(next, nowMs)) : acted;
  }
  const end = state.queue.findIndex(({ text }) => isCommand(text));
  const count = state.isLineMode ? 1 : end === -1 ? state.queue.length : end;
  const taken = state.queue.slice(0, count);
  const joined = (part: 'text' | 'shown') => taken.map((prompt) => prompt[part]).join('\n\n');
  const prompt = { text: joined('text'), shown: joined('shown'), images: taken.flatMap(({ images }) => images) };
  return startTurn({ ...state, queue: state.queue.slice(count) }, prompt, nowMs);
}

/** A line that came before the question is its answer where nothing is drawn; a person sees it, and answers by hand. */
function answerBy(line: string, state: ChatState, nowMs: number): Step {
  const { dialog, isLineMode } = state;
  if (dialog?.kind !== 'picker' || !isLineMode) return step(state);
  const answered = shown(reducePickerLine({ ...state, queue: state.queue.slice(1) }, dialog, line));
  return andThen(answered, (next) => takeQueued(next, nowMs));
}

function isCommand(text: string): boolean {
  return readSlash(text).kind !== 'prompt';
}
