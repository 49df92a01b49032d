/** Up and down: through the visible rows of the text, and from its edges into the history. */

import { plainText } from '../terminal/plain-text.ts';
import { type Editor, type Position, placeCursor } from './editor.ts';
import { cellsOf, offsetAtCells, wrapLine } from './editor-layout.ts';
import type { Span } from './placeholders.ts';

export type Vertical = 'up' | 'down';

/** With the width at which the text is shown, rows are the visible ones; without, they are its lines. */
export function moveVertically(editor: Editor, facts: { direction: Vertical; width?: number | undefined }): Editor {
  const rowsOf = (row: number) => wrapLine(editor.lines[row]!, facts.width ?? Number.POSITIVE_INFINITY);
  const { row, column } = editor.cursor;
  const rows = rowsOf(row);
  const here = rowAt(rows, column);
  const goalCells = editor.goalCells ?? cellsOf(editor.lines[row]!.slice(rows[here]!.start, column));
  const step = facts.direction === 'up' ? -1 : 1;
  const isWithin = rows[here + step] !== undefined;
  const target = isWithin ? row : row + step;
  if (editor.lines[target] === undefined) return moveInHistory(editor, facts.direction);
  const targetRows = isWithin ? rows : rowsOf(target);
  const at = isWithin ? here + step : step < 0 ? targetRows.length - 1 : 0;
  const place: Position = {
    row: target,
    column: offsetAtCells(editor.lines[target]!, {
      row: targetRows[at]!,
      cells: goalCells,
      isLastRow: at === targetRows.length - 1,
    }),
  };
  return { ...placeCursor(editor, place), goalCells };
}

/** The row in which the cursor is shown: at a break, the later one. */
export function rowAt(rows: readonly Span[], column: number): number {
  return Math.max(
    0,
    rows.findLastIndex(({ start }) => start <= column),
  );
}

/** What is left behind is kept as it is until it is sent: the draft as well as an edited old entry. */
export function moveInHistory(editor: Editor, direction: Vertical): Editor {
  const at = editor.historyAt + (direction === 'up' ? -1 : 1);
  if (at < 0 || at > editor.history.length) return editor;
  const visited = { ...editor.visited, [editor.historyAt]: { lines: editor.lines, cursor: editor.cursor } };
  const lines = visited[at]?.lines ?? plainText(editor.history[at] ?? '').split('\n');
  const end = { row: lines.length - 1, column: lines.at(-1)!.length };
  // At the end, so that the next step down leaves again; in the draft, where it was.
  const cursor = at === editor.history.length ? visited[at]?.cursor : undefined;
  return placeCursor({ ...editor, lines, visited, historyAt: at }, cursor ?? end);
}
