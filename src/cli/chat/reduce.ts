/** The chat as one function: from the current state and an event to the next state, what to print and what to do. */

import { CHAT_LIMITS } from '../../limits.ts';
import { clearEditor, editorText, setEditorText } from '../screen/editor.ts';
import { isCtrl, type Key } from '../screen/key.ts';
import { type Action, andThen, type Step, step } from './action.ts';
import { reduceAgent, reduceDream, reduceText, startTurn, wokenTurn } from './reduce-agent.ts';
import {
  openPermission,
  reducePermissionKey,
  reducePermissionLine,
  reducePickerKey,
  reducePickerLine,
  shown,
} from './reduce-dialog.ts';
import { act, leave, leaveWhenDone, reducePromptKey, reduceSubmit } from './reduce-prompt.ts';
import { readSlash } from './slash/commands.ts';
import { type ChatState, type Dialog, isAgentsQuestion } from './state.ts';
import { suggestArguments, suggestFiles } from './suggest.ts';

export function reduce(state: ChatState, action: Action): Step {
  const next = reduceAction(state, action);
  return next.state.leavesWhenDone && next.state.phase === 'idle' && next.effects.length === 0
    ? andThen(next, leaveWhenDone)
    : next;
}

function reduceAction(state: ChatState, action: Action): Step {
  switch (action.kind) {
    case 'key':
      return reduceKey(state, action.key, action.nowMs);
    case 'resized':
      return step({ ...state, size: action.size });
    case 'history': {
      const { prompts } = action;
      // What is being typed stays.
      return step({ ...state, editor: { ...state.editor, history: prompts, historyAt: prompts.length } });
    }
    case 'submit': {
      const { text, nowMs } = action;
      return reduceSubmit(state, { text, shown: text, images: [] }, nowMs);
    }
    case 'text':
      return reduceText(state, action.text);
    case 'agent':
      return action.event.kind === 'turn-ended' ? turnOver(state, action) : reduceAgent(state, action.event);
    case 'woken':
      return wokenTurn(state, action);
    case 'tick':
      return step(ticked(state, action.nowMs));
    case 'opening':
      return step({ ...state, phase: isTaken(state) ? state.phase : 'opening', folded: [] });
    case 'opened': {
      const facts = { ...state.facts, ...action.facts };
      return takeQueued({ ...state, phase: isTaken(state) ? state.phase : 'idle', facts }, action.nowMs);
    }
    case 'freed':
      return state.phase === 'busy' ? takeQueued({ ...state, phase: 'idle' }, action.nowMs) : step(state);
    case 'settled':
      return takeQueued(state, action.nowMs);
    case 'facts':
      return step({ ...state, facts: { ...state.facts, ...action.facts } });
    case 'dream':
      return reduceDream(state, action.progress);
    case 'asked':
      // Nobody is left to ask.
      if (state.leavesWhenDone) return step(state, { effects: [NO_PERMISSION] });
      return notified(shown(openPermission(state, action.question, action.nowMs)), 'a question');
    case 'ask-withdrawn':
      return step({ ...state, dialog: isAgentsQuestion(state.dialog) ? null : state.dialog });
    case 'customs':
      return step({ ...state, customs: action.commands });
    case 'files-found':
      return suggestFiles(state, action);
    case 'arguments-found':
      return suggestArguments(state, action);
    case 'pick': {
      const { purpose, title, items, selected = 0, takesWords = false, nowMs } = action;
      if (purpose === 'question' && state.leavesWhenDone) return step(state, { effects: [NO_REPLY] });
      const arming = nowMs === undefined ? {} : { lastKeyMs: nowMs };
      const dialog: Dialog = { kind: 'picker', purpose, title, items, selected, query: '', takesWords, ...arming };
      return shown(step({ ...state, dialog, suggestions: null, hint: null }));
    }
    case 'print':
      return step(state, { output: [action.output] });
    case 'edit':
      return step({ ...state, editor: setEditorText(state.editor, action.text) });
    case 'leave':
      return leave(state);
  }
}

/** A turn of this length is one that a person looks away from. */
const LOOKED_AWAY_MS = 10_000;

/** A person who looked away meanwhile is told; a quick answer needs no bell. */
function turnOver(state: ChatState, action: Extract<Action, { readonly kind: 'agent' }>): Step {
  const ended = reduceAgent(state, action.event);
  const isLong = state.turn !== null && action.nowMs - state.turn.startedMs >= LOOKED_AWAY_MS;
  return isLong && state.queue.length === 0 ? notified(ended, 'an answer') : ended;
}

function notified(next: Step, why: string): Step {
  return next.state.isLineMode ? next : { ...next, effects: [...next.effects, { kind: 'notify', why }] };
}
const NO_PERMISSION = { kind: 'answer', answer: { kind: 'no' } } as const;
const NO_REPLY = { kind: 'choose', purpose: 'question', id: null } as const;

/** Set by whoever ends that phase. */
function isTaken({ phase }: ChatState): boolean {
  return phase === 'busy' || phase === 'leaving';
}

function reduceKey(state: ChatState, key: Key, nowMs: number): Step {
  const { dialog } = state;
  if (state.phase === 'leaving') return step(state);
  if (dialog === null) return reducePromptKey(state, key, nowMs);
  if (state.isLineMode) return reduceLineKey(state, dialog, { key, nowMs });
  const isForced = key.name === 'escape' || isCtrl(key, 'c');
  const hasPaused = dialog.lastKeyMs === undefined || nowMs - dialog.lastKeyMs >= CHAT_LIMITS.armMs;
  if (dialog.kind === 'picker' && (hasPaused || isForced)) {
    const { lastKeyMs: _, ...armed } = dialog;
    return chosen(reducePickerKey(state, armed, key), nowMs);
  }
  if (dialog.kind === 'permission' && (dialog.isArmed || hasPaused || isForced))
    return reducePermissionKey(state, { ...dialog, isArmed: true }, key);
  // Typed for the prompt while the question came up.
  return reducePromptKey({ ...state, dialog: { ...dialog, lastKeyMs: nowMs } }, key, nowMs);
}

/** A line answers what was asked. */
function reduceLineKey(
  state: ChatState,
  dialog: Dialog,
  { key, nowMs }: { readonly key: Key; readonly nowMs: number },
): Step {
  if (isCtrl(key, 'd')) {
    const answer = isAgentsQuestion(dialog) ? [dialog.kind === 'permission' ? NO_PERMISSION : NO_REPLY] : [];
    return andThen(step({ ...state, dialog: null }, { effects: answer }), leaveWhenDone);
  }
  if (key.name !== 'enter') return reducePromptKey(state, key, nowMs);
  const line = editorText(state.editor);
  const cleared = { ...state, editor: clearEditor(state.editor) };
  return dialog.kind === 'picker'
    ? chosen(shown(reducePickerLine(cleared, dialog, line)), nowMs)
    : reducePermissionLine(cleared, dialog, line);
}

/** What was queued after a list continues if nothing was chosen. */
function chosen(next: Step, nowMs: number): Step {
  return next.state.dialog === null ? andThen(next, (state) => takeQueued(state, nowMs)) : next;
}

function ticked(state: ChatState, nowMs: number): ChatState {
  const isOver = state.lastPress !== null && nowMs - state.lastPress.atMs > CHAT_LIMITS.twiceMs;
  const calm = isOver ? { ...state, lastPress: null, hint: null } : state;
  return calm.turn === null ? calm : { ...calm, frame: calm.frame + 1, turn: { ...calm.turn, nowMs } };
}

// What was sent while busy: handled in order as soon as everything is quiet.

/** Prompts up to the next command go as one message; queued lines in line mode are separate messages. */
function takeQueued(state: ChatState, nowMs: number): Step {
  const [first] = state.queue;
  if (first === undefined || state.phase !== 'idle') return step(state);
  if (state.dialog !== null) return answerBy(first.text, state, nowMs);
  const isCommand = (text: string) => readSlash(text, state).kind !== 'prompt';
  if (isCommand(first.text)) {
    const acted = act({ ...state, queue: state.queue.slice(1) }, first, nowMs);
    // A line that was not a command after all started nothing that would wake the next.
    return acted.effects.length === 0 ? andThen(acted, (next) => takeQueued(next, nowMs)) : acted;
  }
  const end = state.queue.findIndex(({ text }) => isCommand(text));
  const count = state.isLineMode ? 1 : end === -1 ? state.queue.length : end;
  const taken = state.queue.slice(0, count);
  const joined = (part: 'text' | 'shown') => taken.map((prompt) => prompt[part]).join('\n\n');
  const prompt = { text: joined('text'), shown: joined('shown'), images: taken.flatMap(({ images }) => images) };
  return startTurn({ ...state, queue: state.queue.slice(count) }, prompt, nowMs);
}

/** In line mode a line that came before the question answers it; a person sees the question, and answers by hand. */
function answerBy(line: string, state: ChatState, nowMs: number): Step {
  const { dialog, isLineMode } = state;
  if (dialog?.kind !== 'picker' || !isLineMode) return step(state);
  const answered = shown(reducePickerLine({ ...state, queue: state.queue.slice(1) }, dialog, line));
  return andThen(answered, (next) => takeQueued(next, nowMs));
}
