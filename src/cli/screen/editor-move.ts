/** Moving through the text: by character, word and line; and finding where such a move would end. */

import { type Editor, type Position, placeCursor } from './editor.ts';
import { nextBoundary, previousBoundary } from './graphemes.ts';
import { placeholdersIn } from './placeholders.ts';

export type Direction = 'left' | 'right';
/** `word` is letters and digits; `blank` is everything between spaces. */
export type WordKind = 'word' | 'blank';

export function moveByCharacter(editor: Editor, direction: Direction): Editor {
  return placeCursor(editor, besideCursor(editor, direction));
}

export function moveByWord(editor: Editor, direction: Direction): Editor {
  return placeCursor(editor, wordBesideCursor(editor, { direction, kind: 'word' }));
}

export function moveToLineEdge(editor: Editor, direction: Direction): Editor {
  return placeCursor(editor, lineEdge(editor, direction));
}

export function moveToTextEdge(editor: Editor, direction: Direction): Editor {
  const last = editor.lines.length - 1;
  return placeCursor(
    editor,
    direction === 'left' ? { row: 0, column: 0 } : { row: last, column: editor.lines[last]!.length },
  );
}

export function lineEdge(editor: Editor, direction: Direction): Position {
  const { row } = editor.cursor;
  return { row, column: direction === 'left' ? 0 : editor.lines[row]!.length };
}

/** One character further, or across the line break; the cursor itself when there is nothing. */
export function besideCursor(editor: Editor, direction: Direction): Position {
  return step(editor, { from: editor.cursor, direction });
}

/** Past what is between words, and past the word; a placeholder is a word. */
export function wordBesideCursor(editor: Editor, facts: { direction: Direction; kind: WordKind }): Position {
  const isWord = facts.kind === 'word' ? /[\p{L}\p{N}\p{M}_]/u : /\S/u;
  let at = editor.cursor;
  let isInWord = false;
  for (;;) {
    const next = step(editor, { from: at, direction: facts.direction });
    if (next.row === at.row && next.column === at.column) return at;
    const [start, end] = facts.direction === 'left' ? [next, at] : [at, next];
    const passed = next.row === at.row ? editor.lines[at.row]!.slice(start.column, end.column) : '\n';
    if (isInWord && !isWord.test(passed)) return at;
    isInWord ||= isWord.test(passed);
    at = next;
    if (isInWord && isPlaceholder(editor, { row: at.row, start: start.column, end: end.column })) return at;
  }
}

function step(editor: Editor, facts: { from: Position; direction: Direction }): Position {
  const { row, column } = facts.from;
  const line = editor.lines[row]!;
  const spans = placeholdersIn(line, { attachments: editor.attachments, near: column });
  if (facts.direction === 'left') {
    if (column === 0) return row === 0 ? facts.from : { row: row - 1, column: editor.lines[row - 1]!.length };
    return { row, column: spans.find(({ end }) => end === column)?.start ?? previousBoundary(line, column) };
  }
  if (column === line.length) return row === editor.lines.length - 1 ? facts.from : { row: row + 1, column: 0 };
  return { row, column: spans.find(({ start }) => start === column)?.end ?? nextBoundary(line, column) };
}

function isPlaceholder(editor: Editor, part: { row: number; start: number; end: number }): boolean {
  const near = { attachments: editor.attachments, near: part.start };
  return placeholdersIn(editor.lines[part.row]!, near).some(
    ({ start, end }) => start === part.start && end === part.end,
  );
}
