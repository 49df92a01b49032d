/** The live part of the screen: what is being written, what is running, what is asked or typed, and the line at the bottom. */

import { CHAT_LIMITS, ESTIMATE_LIMITS } from '../../limits.ts';
import { footerLine, noticeLines, spinnerLine } from '../paint-view/frame-view.ts';
import { permissionLines } from '../paint-view/permission-view.ts';
import { pickerLines } from '../paint-view/picker-view.ts';
import { toolCallLines } from '../paint-view/tool-view.ts';
import { SIGNS } from '../screen/completion.ts';
import type { Cursor } from '../screen/frame.ts';
import { renderEditor } from '../screen/render-editor.ts';
import type { Paint } from '../terminal/paint.ts';
import { cutToWidth } from '../terminal/text-width.ts';
import { permissionView } from './output-lines.ts';
import { PROMPT } from './reduce-prompt.ts';
import { type ChatState, type Dialog, isAgentsQuestion, pickedItems } from './state.ts';

export interface ViewFacts {
  readonly paint: Paint;
  readonly cwd: string;
  /** The block that is still being written. */
  readonly open: readonly string[];
  /** Where the model is asked, where the user named it. */
  readonly endpoint?: string | null;
}

export interface ChatView {
  readonly lines: readonly string[];
  readonly cursor: Cursor | null;
}

export function chatView(state: ChatState, facts: ViewFacts): ChatView {
  if (state.phase === 'leaving') return { lines: [], cursor: null };
  const { columns: width, rows } = state.size;
  const { paint } = facts;
  const work = [...workLines(state, facts), ...queueLines(state, paint)];
  const footer =
    state.hint === null
      ? footerLine({ ...state.facts, ...footerWords(state), width, paint })
      : paint.yellow(cutToWidth(state.hint, width));
  if (state.dialog !== null) {
    const dialog = dialogLines(state.dialog, { width, paint, rows: Math.max(6, rows - 3) });
    // A question comes before what was written.
    const room = Math.max(0, rows - dialog.length - 2);
    return { lines: [...lastOf([...facts.open, ...work], room), ...dialog, footer], cursor: null };
  }
  const typed = renderEditor(state.editor, {
    columns: width,
    prompt: paint.cyan(PROMPT),
    maxRows: Math.max(1, Math.min(CHAT_LIMITS.editorRows, rows - 6)),
    paint,
    hint:
      state.phase === 'working'
        ? 'type the next message; Escape interrupts'
        : 'ask, or / for commands, @ for files, ! for your shell',
  });
  const suggested = suggestionLines(state, paint);
  const below = [...typed.lines, ...suggested, footer];
  const room = Math.max(0, rows - below.length - 2);
  const above = [...lastOf([...facts.open, ...work], room), paint.dim('─'.repeat(width))];
  const cursor = { row: above.length + typed.cursor.row, column: typed.cursor.column };
  return { lines: [...above, ...below], cursor };
}

/** Enough to see that it is running; the rest is in the scrollback or will be. */
function lastOf(lines: readonly string[], most: number): readonly string[] {
  return most === 0 ? [] : lines.slice(-most);
}

const SHOWN_TOOLS = 4;

function workLines(state: ChatState, { paint, cwd, endpoint }: ViewFacts): readonly string[] {
  const { columns: width } = state.size;
  const tools = state.running.slice(-SHOWN_TOOLS).flatMap(({ call, progress }) => {
    return toolCallLines({ call, progress, state: 'running', isExpanded: false, cwd, width, paint });
  });
  if (state.turn === null) {
    const waits = state.phase === 'opening' ? 'starting…' : state.phase === 'busy' ? 'working…' : null;
    return waits === null || tools.length > 0 ? tools : [paint.dim(cutToWidth(waits, width))];
  }
  const { startedMs, nowMs, characters, retry } = state.turn;
  if (retry !== null) return ['', ...tools, ...noticeLines({ kind: 'warning', text: retry, width, paint })];
  const spinner = spinnerLine({
    frame: state.frame,
    verb: doing(state),
    tokens: Math.round(characters / ESTIMATE_LIMITS.bytesPerToken),
    seconds: (nowMs - startedMs) / 1_000,
    ...workHint(state, endpoint),
    ...{ width, paint },
  });
  return ['', ...tools, spinner];
}

function workHint(state: ChatState, endpoint: ViewFacts['endpoint']): { readonly hint?: string } {
  if (isUnheard(state) && endpoint != null) return { hint: `nothing heard yet from ${endpoint}` };
  const isAgentAwaited = !state.isLineMode && state.running.some(({ call }) => call.name === 'Agent');
  return isAgentAwaited ? { hint: 'Ctrl-B goes on without it' } : {};
}

/** An address that never answered may be the wrong one. */
const UNHEARD_MS = 4_000;

function isUnheard({ turn, hasHeard }: ChatState): boolean {
  return turn !== null && !hasHeard && turn.nowMs - turn.startedMs >= UNHEARD_MS;
}

/** Who is being waited for: the model, a tool, or the user. */
export function doing({ phase, dialog, running, turn }: ChatState): string {
  if (phase === 'interrupting') return 'Interrupting';
  if (isAgentsQuestion(dialog)) return 'Waiting for you';
  const tool = running.at(-1);
  if (turn?.verb === 'Working' && tool !== undefined) return `Running ${tool.call.name}`;
  return turn?.verb === 'Waiting' ? 'Waiting for the model' : (turn?.verb ?? '');
}

function queueLines(state: ChatState, paint: Paint): readonly string[] {
  return state.queue.map(({ shown }, at) => {
    const hint = at === state.queue.length - 1 ? ' (Up edits it)' : '';
    return paint.dim(cutToWidth(`  waits: ${shown.replace(/\s+/g, ' ')}${hint}`, state.size.columns));
  });
}

function suggestionLines({ suggestions, size }: ChatState, paint: Paint): readonly string[] {
  if (suggestions === null) return [];
  const sign = SIGNS[suggestions.kind];
  const items = suggestions.items.map(({ text, detail }) => ({ title: sign + text, detail }));
  // One more than is shown says how many there are.
  const rows = Math.min(CHAT_LIMITS.suggestions + 1, Math.max(1, size.rows - 6));
  return pickerLines({ items, selected: suggestions.selected, query: null, rows, width: size.columns, paint });
}

function dialogLines(
  dialog: Dialog,
  layout: { readonly width: number; readonly rows: number; readonly paint: Paint },
): readonly string[] {
  if (dialog.kind === 'permission') return permissionLines({ ...permissionView(dialog), ...layout }).lines;
  const { selected, query, title, purpose } = dialog;
  const isQuestion = purpose === 'question';
  const empty = isQuestion && query !== '' ? 'Enter sends this as your answer.' : undefined;
  const label = isQuestion ? 'choose, or type your answer: ' : undefined;
  return pickerLines({ items: pickedItems(dialog), selected, query, title, empty, label, ...layout });
}

function footerWords(state: ChatState): { readonly model: string; readonly hint: string } {
  const hint = state.dialog === null ? '/help' : 'Enter chooses · Escape cancels';
  return { model: state.facts.model ?? 'no model yet', hint };
}
