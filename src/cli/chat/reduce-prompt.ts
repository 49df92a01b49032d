/** Keys while a prompt is being typed, and what is sent: prompts, commands, and the gestures that interrupt, go back and leave. */

import { PERMISSION_MODES, type PermissionMode } from '../../agent/permission.ts';
import { inWords } from '../../base/text/nearest.ts';
import { CHAT_LIMITS } from '../../limits.ts';
import { complete, completionAt } from '../screen/completion.ts';
import {
  clearEditor,
  type Editor,
  editorText,
  isEditorEmpty,
  placeCursor,
  type Submission,
  submissionOf,
} from '../screen/editor.ts';
import { breakAfterBackslash } from '../screen/editor-edit.ts';
import { editKey } from '../screen/editor-keys.ts';
import { isCtrl, isNewlineKey, type Key } from '../screen/key.ts';
import { editorWidth } from '../screen/render-editor.ts';
import { notice, type Step, step } from './action.ts';
import { startTurn } from './reduce-agent.ts';
import { NEEDS_SESSION, type RunName, readSlash } from './slash/commands.ts';
import type { ChatState } from './state.ts';
import { suggestAt } from './suggest.ts';

/** Before the text being typed. */
export const PROMPT = '> ';

export function reducePromptKey(state: ChatState, key: Key, nowMs: number): Step {
  if (isCtrl(key, 'c')) return pressControlC(state, nowMs);
  if (isCtrl(key, 'd') && isEditorEmpty(state.editor)) return state.isLineMode ? leaveWhenDone(state) : leave(state);
  if (isCtrl(key, 'o')) return expandLast(state);
  if (isCtrl(key, 'b') && state.running.some(({ call }) => call.name === 'Agent')) {
    return step(state, { effects: [{ kind: 'to-background' }] });
  }
  if (isCtrl(key, 'r') && !state.isLineMode) return searchHistory(state);
  if (isCtrl(key, 'g') && !state.isLineMode) {
    return step(
      { ...state, suggestions: null },
      { effects: [{ kind: 'edit-prompt', text: editorText(state.editor) }] },
    );
  }
  if (isCtrl(key, 'l')) return step(state, { effects: [{ kind: 'redraw' }] });
  if (key.name === 'escape') return pressEscape(state, nowMs);
  if (key.name === 'tab') return key.shift ? cycleMode(state) : pressTab(state);
  if (state.suggestions !== null && (key.name === 'up' || key.name === 'down')) return moveSuggestion(state, key.name);
  if (key.name === 'enter' && !isNewlineKey(key)) return pressEnter(state, nowMs);
  const back = key.name === 'up' || isCtrl(key, 'p') ? takeBack(state) : null;
  if (back !== null) return step(back);
  const width = editorWidth({ columns: state.size.columns, prompt: PROMPT });
  const editor = editKey(state.editor, key, { width });
  return editor === null ? step(state) : edited({ ...state, hint: null, lastPress: null }, editor);
}

function edited(state: ChatState, editor: Editor): Step {
  return suggestAt({ ...state, editor });
}

function pressEnter(state: ChatState, nowMs: number): Step {
  const { suggestions, editor } = state;
  const chosen = suggestions?.items[suggestions.selected];
  // A typed argument is what it is, unless the user went to another.
  const isWanted = suggestions?.kind !== 'argument' || suggestions.hasMoved === true;
  if (suggestions !== null && isWanted && chosen !== undefined && chosen.text !== suggestions.typed) {
    const accepted = acceptSuggestion(state);
    // A chosen command is complete; after a file the sentence continues.
    return suggestions.kind === 'command' ? submit(accepted, nowMs) : step(accepted);
  }
  const broken = breakAfterBackslash(editor);
  return broken === null ? submit(state, nowMs) : edited(state, broken);
}

/** Sends what is typed and clears the editor. */
function submit(state: ChatState, nowMs: number): Step {
  const prompt = submissionOf(state.editor);
  const editor = clearEditor(state.editor, { history: withPrompt(state.editor, prompt.text) });
  const { lines, attachments, pasted } = state.editor;
  const sent = state.phase === 'idle' ? prompt : { ...prompt, draft: { lines, attachments, pasted } };
  return reduceSubmit({ ...state, editor, suggestions: null, hint: null, lastPress: null }, sent, nowMs);
}

function withPrompt({ history }: Editor, text: string): readonly string[] {
  return text.trim() === '' || text === history.at(-1) ? history : [...history, text];
}

/** The message that was queued last, to be edited; null when Up means something else. */
function takeBack(state: ChatState): ChatState | null {
  const last = state.queue.at(-1);
  if (last === undefined || !isEditorEmpty(state.editor) || state.isLineMode) return null;
  const editor = { ...state.editor, ...(last.draft ?? { lines: last.text.split('\n') }) };
  const row = editor.lines.length - 1;
  const history = editor.history.at(-1) === last.text ? editor.history.slice(0, -1) : editor.history;
  const placed = placeCursor(
    { ...editor, history, historyAt: history.length },
    { row, column: editor.lines[row]!.length },
  );
  return { ...state, queue: state.queue.slice(0, -1), editor: placed };
}

function pressTab(state: ChatState): Step {
  return state.suggestions === null ? suggestAt(state) : step(acceptSuggestion(state));
}

function acceptSuggestion(state: ChatState): ChatState {
  const { suggestions, editor } = state;
  const chosen = suggestions?.items[suggestions.selected];
  const completion = completionAt(editor);
  if (chosen === undefined || completion === null) return state;
  return { ...state, suggestions: null, editor: complete(editor, { completion, chosen: chosen.text }) };
}

function moveSuggestion(state: ChatState, direction: 'up' | 'down'): Step {
  const suggestions = state.suggestions!;
  const { length } = suggestions.items;
  const selected = (suggestions.selected + (direction === 'up' ? -1 : 1) + length) % length;
  return step({ ...state, suggestions: { ...suggestions, selected, hasMoved: true } });
}

/** Newest first, each prompt once. */
function searchHistory(state: ChatState): Step {
  const prompts = [...new Set(state.editor.history.toReversed())];
  if (prompts.length === 0) return step({ ...state, hint: 'Nothing was typed here before' });
  const items = prompts.map((text) => ({ id: text, title: text.replace(/\s+/g, ' '), detail: '', preview: text }));
  const title = 'What did you type before?';
  const dialog = {
    kind: 'picker',
    purpose: 'history',
    title,
    items,
    selected: 0,
    query: editorText(state.editor),
  } as const;
  return step({ ...state, dialog, suggestions: null, hint: null });
}

/** Once: clears what is typed, or interrupts. Twice: leaves, whatever is running, and waits for no model. */
function pressControlC(state: ChatState, nowMs: number): Step {
  if (isSecond(state, 'ctrl-c', nowMs)) return leave(state, { waits: false });
  const lastPress = { key: 'ctrl-c', atMs: nowMs } as const;
  const pressed: ChatState = { ...state, suggestions: null, lastPress, hint: 'Ctrl-C again leaves' };
  if (!isEditorEmpty(state.editor)) {
    const editor = clearEditor(state.editor, { history: withPrompt(state.editor, submissionOf(state.editor).text) });
    return step({ ...pressed, editor, hint: 'Up brings it back · Ctrl-C again leaves' });
  }
  if (isUserCommandRunning(state)) return step(pressed, { effects: [{ kind: 'interrupt' }] });
  if (state.phase === 'working') return interrupt(pressed);
  // Without a live region nobody sees the hint.
  return step(pressed, { output: state.isLineMode ? [notice('Ctrl-C again leaves.')] : [] });
}

function pressEscape(state: ChatState, nowMs: number): Step {
  if (state.suggestions !== null) return step({ ...state, suggestions: null });
  if (state.phase === 'working') return interrupt(state);
  if (isUserCommandRunning(state)) return step(state, { effects: [{ kind: 'interrupt' }] });
  if (state.phase !== 'idle') return step(state);
  if (isSecond(state, 'escape', nowMs)) {
    return step({ ...state, phase: 'busy', lastPress: null, hint: null }, { effects: [command('rewind')] });
  }
  const lastPress = { key: 'escape', atMs: nowMs } as const;
  return step({ ...state, lastPress, hint: 'Escape again goes back to an earlier message' });
}

/** `!command`: it runs while the session is taken, and outside of a turn. */
function isUserCommandRunning({ phase, turn, running }: ChatState): boolean {
  return phase === 'busy' && turn === null && running.length > 0;
}

function isSecond({ lastPress }: ChatState, key: 'ctrl-c' | 'escape', nowMs: number): boolean {
  return lastPress?.key === key && nowMs - lastPress.atMs <= CHAT_LIMITS.twiceMs;
}

function interrupt(state: ChatState): Step {
  return step({ ...state, phase: 'interrupting' }, { effects: [{ kind: 'interrupt' }] });
}

export function leave(state: ChatState, { waits }: { readonly waits: boolean } = { waits: true }): Step {
  const effects = state.turn === null ? [] : [{ kind: 'interrupt' } as const];
  return step({ ...state, phase: 'leaving', dialog: null }, { effects: [...effects, { kind: 'leave', waits }] });
}

/** The input has ended: what it asked for is still answered. */
export function leaveWhenDone(state: ChatState): Step {
  const isDone = state.phase === 'idle' && state.queue.length === 0;
  return isDone ? leave(state) : step({ ...state, leavesWhenDone: true });
}

function expandLast(state: ChatState): Step {
  const last = state.folded.at(-1);
  if (last === undefined) return step({ ...state, hint: 'There is no output to open' });
  const folded = state.folded.slice(0, -1);
  return step({ ...state, folded }, { output: [{ isExpanded: true, ...last }] });
}

/** Nobody switches off all questions by accident. */
function cycleMode(state: ChatState): Step {
  const modes = PERMISSION_MODES.filter((mode) => mode !== 'bypass' || state.facts.mode === 'bypass');
  const mode: PermissionMode = modes[(modes.indexOf(state.facts.mode) + 1) % modes.length]!;
  return step({ ...state, facts: { ...state.facts, mode } }, { effects: [{ kind: 'set-mode', mode }] });
}

function command(name: RunName, argument = '') {
  return { kind: 'command', name, argument } as const;
}

export function reduceSubmit(state: ChatState, prompt: Submission, nowMs: number): Step {
  if (prompt.text.trim() === '') return step(state);
  const next = act(state, prompt, nowMs);
  return { ...next, effects: [{ kind: 'remember', text: prompt.text }, ...next.effects] };
}

/** A prompt or a command, new or queued. */
export function act(state: ChatState, prompt: Submission, nowMs: number): Step {
  const read = readSlash(prompt.text, state);
  // In line mode nobody sees the queue: everything keeps its order, leaving too.
  if (state.isLineMode && state.phase !== 'idle') return queued(state, prompt);
  switch (read.kind) {
    case 'unknown': {
      const near = read.near.length === 0 ? '/help lists them.' : `Did you mean ${inWords(read.near, 'or')}?`;
      return step(state, { output: [notice(`There is no command /${read.typed}. ${near}`, 'warning')] });
    }
    case 'command': {
      if (read.name === 'quit') return leave(state);
      const needsSession = NEEDS_SESSION.includes(read.name);
      const isBehind = state.phase === 'opening' || (state.phase === 'busy' && needsSession);
      if (isBehind) return queued(state, prompt);
      if (state.phase !== 'idle' && needsSession) {
        const text = `/${read.name} waits until the turn is over: Escape interrupts it.`;
        return step(state, { output: [notice(text, 'warning')] });
      }
      return step(needsSession || state.isLineMode ? { ...state, phase: 'busy' } : state, {
        output: [{ kind: 'prompt', text: prompt.shown }],
        effects: [command(read.name, read.argument)],
      });
    }
    case 'shell': {
      if (state.phase !== 'idle') return queued(state, prompt);
      const output = [{ kind: 'prompt', text: prompt.shown }] as const;
      return step({ ...state, phase: 'busy' }, { output, effects: [{ kind: 'run', command: read.command }] });
    }
    case 'custom':
    case 'prompt':
      return state.phase === 'idle' ? startTurn(state, prompt, nowMs) : queued(state, prompt);
  }
}

function queued(state: ChatState, prompt: Submission): Step {
  // A pipe does not wait: none of its lines is lost.
  const hasRoom = state.isLineMode || state.queue.length < CHAT_LIMITS.queuedPrompts;
  if (hasRoom) return step({ ...state, queue: [...state.queue, prompt] });
  return step(state, { output: [notice('Too many messages wait already.', 'warning')] });
}
