/** The editor as lines of the screen: wrapped, scrolled to the cursor, placeholders dimmed. */

import { NO_PAINT, type Paint } from '../terminal/paint.ts';
import { cutToWidth, textWidth } from '../terminal/text-width.ts';
import { type Editor, isEditorEmpty } from './editor.ts';
import { cellsOf, showTabs, wrapLine } from './editor-layout.ts';
import { rowAt } from './editor-vertical.ts';
import type { Cursor } from './frame.ts';
import { withoutColours } from './painted-line.ts';
import { placeholdersIn, type Span } from './placeholders.ts';

export interface EditorView {
  readonly columns: number;
  /** Before the first row; the others are indented by the same amount. May be painted. */
  readonly prompt: string;
  readonly maxRows: number;
  readonly paint?: Paint;
  /** Shown dimmed while nothing is typed. */
  readonly hint?: string;
}

interface ShownRow extends Span {
  readonly line: number;
}

/** Cells of text in a row: one is kept free for the cursor after the last character. */
export function editorWidth(view: Pick<EditorView, 'columns' | 'prompt'>): number {
  return Math.max(1, view.columns - indentOf(view) - 1);
}

/** Looks at no more lines than are shown. */
export function renderEditor(editor: Editor, view: EditorView): { lines: readonly string[]; cursor: Cursor } {
  const paint = view.paint ?? NO_PAINT;
  const indent = indentOf(view);
  const { rows, cursorRow, isMoreAbove, isMoreBelow } = shownRows(editor, view);
  const prompt = indent === 0 ? '' : view.prompt;
  const lines = rows.map((row, at) => {
    const isFirst = row.line === 0 && row.start === 0;
    const isScrolled = (at === 0 && isMoreAbove) || (at === rows.length - 1 && isMoreBelow);
    const mark = at === 0 && isMoreAbove ? '↑' : '↓';
    const gutter = isScrolled && indent > 0 ? paint.dim(mark.padEnd(indent)) : ' '.repeat(indent);
    return (isFirst && !isScrolled ? prompt : gutter) + paintRow(editor, { row, paint });
  });
  if (isEditorEmpty(editor) && view.hint) lines[0] += paint.dim(cutToWidth(view.hint, editorWidth(view)));
  const { start, line } = rows[cursorRow]!;
  const before = editor.lines[line]!.slice(start, editor.cursor.column);
  return { lines, cursor: { row: cursorRow, column: indent + cellsOf(before) } };
}

/** As many rows as may be shown, with the cursor's in the middle if there are more. */
function shownRows(editor: Editor, view: EditorView) {
  const width = editorWidth(view);
  const most = Math.max(1, view.maxRows);
  const { row, column } = editor.cursor;
  const rowsOf = (line: number): ShownRow[] => wrapLine(editor.lines[line]!, width).map((span) => ({ ...span, line }));
  const own = rowsOf(row);
  const rows = [...own];
  let at = rowAt(own, column);
  let first = row;
  let last = row;
  while (first > 0 && at < most) {
    const above = rowsOf(--first);
    rows.unshift(...above);
    at += above.length;
  }
  while (last < editor.lines.length - 1 && rows.length - at <= most) rows.push(...rowsOf(++last));
  const begin = Math.max(0, Math.min(at - Math.floor(most / 2), rows.length - most));
  const end = Math.min(rows.length, begin + most);
  return {
    rows: rows.slice(begin, end),
    cursorRow: at - begin,
    isMoreAbove: begin > 0 || first > 0,
    isMoreBelow: end < rows.length || last < editor.lines.length - 1,
  };
}

function paintRow(editor: Editor, facts: { row: ShownRow; paint: Paint }): string {
  const { row, paint } = facts;
  const line = editor.lines[row.line]!;
  let shown = '';
  let at = row.start;
  for (const span of placeholdersIn(line, { attachments: editor.attachments })) {
    const start = Math.max(span.start, row.start);
    const end = Math.min(span.end, row.end);
    if (start >= end) continue;
    shown += line.slice(at, start) + paint.dim(line.slice(start, end));
    at = end;
  }
  return showTabs(shown + line.slice(at, row.end));
}

/** If the prompt leaves too little room for text, it is left out. */
function indentOf(view: Pick<EditorView, 'columns' | 'prompt'>): number {
  const cells = textWidth(withoutColours(view.prompt));
  return cells * 2 > view.columns ? 0 : cells;
}
