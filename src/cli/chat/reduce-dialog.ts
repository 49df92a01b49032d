/** Keys during a question: a tool's permission, or a choice from a list. In line mode the same by a typed number. */

import { permissionOptions } from '../paint-view/permission-view.ts';
import { setEditorText } from '../screen/editor.ts';
import type { Key } from '../screen/key.ts';
import { isCtrl } from '../screen/key.ts';
import { type Asked, type Effect, notice, type Step, step } from './action.ts';
import { rewindWays } from './rewind-ways.ts';
import type { ChatState, PermissionDialog, PickerDialog } from './state.ts';
import { pickedItems } from './state.ts';

export function openPermission(state: ChatState, question: Asked, nowMs: number): Step {
  const { call, reason, subject, suggestedRules } = question;
  const dialog: PermissionDialog = {
    kind: 'permission',
    ...{ call, reason, subject },
    options: permissionOptions(suggestedRules, { canKeep: question.canKeep === true }),
    selected: 0,
    words: '',
    scroll: 0,
    isArmed: state.isLineMode,
    lastKeyMs: nowMs,
  };
  return step({ ...state, dialog, suggestions: null, hint: null });
}

export function reducePermissionKey(state: ChatState, dialog: PermissionDialog, key: Key): Step {
  if (key.name === 'escape' || isCtrl(key, 'c')) return interruptedBy(state);
  const change = (more: Partial<PermissionDialog>) => step({ ...state, dialog: { ...dialog, ...more } });
  const move = (by: number) => {
    const { length } = dialog.options;
    return change({ selected: (dialog.selected + by + length) % length });
  };
  switch (key.name) {
    case 'up':
      return move(-1);
    case 'down':
      return move(1);
    case 'tab':
      return move(key.shift ? -1 : 1);
    case 'page-down':
      return change({ scroll: dialog.scroll + SCROLL_LINES });
    case 'page-up':
      return change({ scroll: Math.max(0, dialog.scroll - SCROLL_LINES) });
    case 'enter':
      return choose(state, dialog, dialog.selected);
    case 'backspace':
      return change({ words: [...dialog.words].slice(0, -1).join('') });
    case 'paste':
      return isNo(dialog) ? change({ words: dialog.words + key.text.replaceAll('\n', ' ') }) : step(state);
    case 'char':
      if (key.ctrl || key.alt) return isCtrl(key, 'u') ? change({ words: '' }) : step(state);
      if (isNo(dialog)) return change({ words: dialog.words + key.text });
      return chooseByLetter(state, dialog, key.text.toLowerCase());
    default:
      return step(state);
  }
}

const SCROLL_LINES = 10;

function isNo({ options, selected }: PermissionDialog): boolean {
  return options[selected]?.kind === 'no';
}

function chooseByLetter(state: ChatState, dialog: PermissionDialog, letter: string): Step {
  const at = optionAt(dialog, letter);
  if (at === null) return step(state);
  // "No" waits for words, or for Enter.
  if (dialog.options[at]!.kind === 'no') return step({ ...state, dialog: { ...dialog, selected: at } });
  return choose(state, dialog, at);
}

/** By its number, or by the first letter of yes, always and no. */
function optionAt({ options }: PermissionDialog, typed: string): number | null {
  const kinds: Readonly<Record<string, string>> = { y: 'once', yes: 'once', a: 'always', p: 'keep', n: 'no', no: 'no' };
  const at = options.findIndex(({ kind }, index) => String(index + 1) === typed || kind === kinds[typed]);
  return at === -1 ? null : at;
}

function choose(state: ChatState, dialog: PermissionDialog, at: number): Step {
  const option = dialog.options[at]!;
  if (option.kind === 'no') return sayNo(state, dialog.words);
  const answer = option.kind === 'keep' ? ({ kind: 'always', rules: option.rules } as const) : option;
  const kept: readonly Effect[] = option.kind === 'keep' ? [{ kind: 'keep-rules', rules: option.rules }] : [];
  return step({ ...state, dialog: null }, { effects: [{ kind: 'answer', answer }, ...kept] });
}

function sayNo(state: ChatState, words: string): Step {
  const feedback = words.trim();
  const answer = feedback === '' ? ({ kind: 'no' } as const) : ({ kind: 'no', feedback } as const);
  return step({ ...state, dialog: null }, { effects: [{ kind: 'answer', answer }] });
}

function interruptedBy(state: ChatState): Step {
  return step({ ...state, dialog: null, phase: 'interrupting' }, { effects: [{ kind: 'interrupt' }] });
}

/** A whole line, in line mode: a number or letter of an option, or words, which mean no. */
export function reducePermissionLine(state: ChatState, dialog: PermissionDialog, line: string): Step {
  const text = line.trim();
  if (text === '') return step(state);
  const at = optionAt(dialog, text.toLowerCase());
  if (at === null) return sayNo(state, text);
  return choose(state, dialog, at);
}

export function reducePickerKey(state: ChatState, dialog: PickerDialog, key: Key): Step {
  const items = pickedItems(dialog);
  const change = (more: Partial<PickerDialog>) => step({ ...state, dialog: { ...dialog, ...more } });
  const move = (by: number) => change({ selected: clamp(dialog.selected + by, items.length) });
  if (key.name === 'escape' || isCtrl(key, 'c')) return choseNothing(state, dialog);
  switch (key.name) {
    case 'up':
      return move(-1);
    case 'down':
      return move(1);
    case 'tab':
      return move(key.shift ? -1 : 1);
    case 'page-up':
      return move(-SCROLL_LINES);
    case 'page-down':
      return move(SCROLL_LINES);
    case 'enter':
      return pick(state, dialog, dialog.selected);
    case 'backspace':
      return change({ query: [...dialog.query].slice(0, -1).join(''), selected: 0 });
    case 'paste':
      return change({ query: dialog.query + key.text.replaceAll('\n', ' '), selected: 0 });
    case 'char':
      if (isCtrl(key, 'r')) return move(1);
      return key.ctrl || key.alt ? step(state) : change({ query: dialog.query + key.text, selected: 0 });
    default:
      return step(state);
  }
}

export function reducePickerLine(state: ChatState, dialog: PickerDialog, line: string): Step {
  const at = Number(line.trim()) - 1;
  if (dialog.purpose === 'question' && line.trim() !== '' && dialog.items[at] === undefined) {
    return pick(state, { ...dialog, items: [], query: line }, 0);
  }
  if (line.trim() === '' || dialog.items[at] === undefined) return choseNothing(state, dialog);
  return pick(state, { ...dialog, query: '' }, at);
}

/** If there is no session yet, a new one begins; an agent that asked goes on without an answer. */
function choseNothing(state: ChatState, { purpose }: PickerDialog): Step {
  if (purpose === 'history') return step({ ...state, dialog: null });
  const isAwaited = state.phase === 'opening' || purpose === 'question';
  const effects = isAwaited ? [{ kind: 'choose', purpose, id: null } as const] : [];
  return step({ ...state, dialog: null }, { output: [notice('Nothing was chosen.')], effects });
}

function pick(state: ChatState, dialog: PickerDialog, at: number): Step {
  const { purpose, query } = dialog;
  const own =
    purpose === 'question' && query.trim() !== '' ? { id: query.trim(), title: query, detail: '' } : undefined;
  const item = pickedItems(dialog)[at] ?? own;
  if (item === undefined) return step(state);
  if (purpose === 'rewind') return step({ ...state, dialog: rewindWays(item) });
  if (purpose === 'history') {
    return step({ ...state, dialog: null, editor: setEditorText(state.editor, item.id) });
  }
  const phase = state.phase === 'idle' ? 'busy' : state.phase;
  return step({ ...state, phase, dialog: null }, { effects: [{ kind: 'choose', purpose, id: item.id }] });
}

/** In line mode, a question is printed. */
export function shown(asked: Step): Step {
  const { dialog, isLineMode } = asked.state;
  if (dialog === null || !isLineMode) return asked;
  return { ...asked, output: [...asked.output, { kind: 'stream-end' }, { kind: 'dialog', dialog }] };
}

function clamp(at: number, length: number): number {
  return Math.max(0, Math.min(length - 1, at));
}
