/** One frame: what to write so that finished lines move up for good and the live region shows its new lines. */

import { textWidth } from '../terminal/text-width.ts';
import { cutPainted, rowsTaken, safeLine, withoutColours, wrapPosition } from './painted-line.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Cursor {
  readonly row: number;
  readonly column: number;
}

/** The live region's lines; the terminal's cursor is at `at`, which is within it. */
export interface Region {
  readonly lines: readonly string[];
  readonly at: Cursor;
  /** False while the cursor is hidden. */
  readonly isCursorShown: boolean;
  /** The terminal when it was drawn. */
  readonly size: Size;
}

export interface FrameRequest {
  readonly drawn: Region;
  readonly finished: readonly string[];
  readonly lines: readonly string[];
  readonly cursor: Cursor | null;
  readonly size: Size;
  readonly reflows: boolean;
  readonly synchronized: boolean;
  /** Everything is written again, even what seems to be there. */
  readonly isWhole?: boolean;
}

export interface Frame {
  /** Empty when nothing has changed. */
  readonly text: string;
  readonly region: Region;
}

/** Erases from after a space, because tmux keeps what is erased from the very first cell: it would stay in the scrollback. */
const CLEAR_BELOW = ' \u001b[J\r';
const CLEAR_RIGHT = '\u001b[K';
const WRAP_OFF = '\u001b[?7l';
const WRAP_ON = '\u001b[?7h';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const START = '\u001b[?2026h';
const END = '\u001b[?2026l';

export function emptyRegion(size: Size): Region {
  return { lines: [''], at: { row: 0, column: 0 }, isCursorShown: true, size };
}

export function composeFrame(request: FrameRequest): Frame {
  const { drawn, size } = request;
  const fitted = fitRegion(request);
  const { cursor } = fitted;
  const isResized = size.columns !== drawn.size.columns || size.rows !== drawn.size.rows;
  const isWhole = request.isWhole || request.finished.length > 0 || isResized;
  const { lines } = fitted;
  const body = isWhole ? writeWhole(request, lines) : writeChanges(request, lines);
  const at = cursor ?? { row: lines.length - 1, column: 0 };
  const placed = placeCursor(body.at, at);
  const region = { lines, at, isCursorShown: cursor !== null, size };
  const shows = drawn.isCursorShown === region.isCursorShown ? '' : cursor === null ? HIDE_CURSOR : SHOW_CURSOR;
  if (body.text === '') return { text: placed + shows, region };
  // The cursor must not be seen running through the lines.
  const hidden = `${drawn.isCursorShown ? HIDE_CURSOR : ''}${body.text}${placed}${cursor === null ? '' : SHOW_CURSOR}`;
  return { text: request.synchronized ? START + hidden + END : hidden, region };
}

/** Removes the region and leaves the cursor, shown, where it began. */
export function clearRegion(drawn: Region, facts: { size: Size; reflows: boolean }): Frame {
  const text = `${toStart(drawn, facts)}${CLEAR_BELOW}${drawn.isCursorShown ? '' : SHOW_CURSOR}`;
  return { text, region: emptyRegion(facts.size) };
}

/** At most all rows but one: what is above is cut, with a note if there is room. */
function fitRegion(request: FrameRequest): { lines: readonly string[]; cursor: Cursor | null } {
  const { columns, rows } = request.size;
  const most = Math.max(1, rows - 1);
  const surplus = Math.max(0, request.lines.length - most);
  const marks = surplus > 0 && most > 1 ? 1 : 0;
  const hidden = surplus + marks;
  const kept = request.lines.slice(hidden);
  const shown = marks === 0 ? kept : [`… ${hidden} lines above`, ...kept];
  const lines = (shown.length === 0 ? [''] : shown).map((line) => cutPainted(safeLine(line), columns));
  if (request.cursor === null) return { lines, cursor: null };
  const row = request.cursor.row - hidden + marks;
  if (row < marks || row >= lines.length) return { lines, cursor: null };
  return { lines, cursor: { row, column: Math.max(0, Math.min(request.cursor.column, columns - 1)) } };
}

interface Written {
  readonly text: string;
  /** Where the terminal's cursor is left; a column of -1 is unknown. */
  readonly at: Cursor;
}

function writeWhole(request: FrameRequest, lines: readonly string[]): Written {
  const finished = request.finished.map((line) => `${safeLine(line)}\r\n`).join('');
  const start = toStart(request.drawn, request);
  // Wrapping is off only in the live region: a width that the terminal counts differently must not cost a row there.
  const live = `${WRAP_OFF}${lines.join('\r\n')}${WRAP_ON}`;
  return { text: `${start}${CLEAR_BELOW}${finished}${live}`, at: { row: lines.length - 1, column: -1 } };
}

function writeChanges(request: FrameRequest, lines: readonly string[]): Written {
  const { drawn, size } = request;
  const known = drawn.lines.length;
  let text = '';
  let { at } = drawn;
  for (const [row, line] of lines.entries()) {
    const before = drawn.lines[row];
    if (before === line) continue;
    text += row < known ? `${moveRows(row - at.row)}\r` : `${moveRows(row - 1 - at.row)}\r\n`;
    text += line;
    // Erasing after a line that reaches the edge would take its last character.
    if (textWidth(withoutColours(line)) < size.columns) text += CLEAR_RIGHT;
    at = { row, column: -1 };
  }
  if (lines.length < known) {
    text += `${moveRows(lines.length - at.row)}\r${CLEAR_BELOW}`;
    at = { row: lines.length, column: 0 };
  }
  return { text: text === '' ? '' : `${WRAP_OFF}${text}${WRAP_ON}`, at };
}

/** To the first cell of the region, even when the window became narrower and its lines now take more rows. */
function toStart(drawn: Region, facts: { size: Size; reflows: boolean }): string {
  const { lines, at } = drawn;
  const { columns } = facts.size;
  if (columns >= drawn.size.columns || !facts.reflows) return `${moveRows(-at.row)}\r`;
  const above = lines.slice(0, at.row).reduce((rows, line) => rows + rowsTaken(line, columns), 0);
  const within = wrapPosition(lines[at.row] ?? '', { columns, cells: at.column });
  return `${moveRows(-above - within)}\r`;
}

function placeCursor(from: Cursor, to: Cursor): string {
  if (from.row === to.row && from.column === to.column) return '';
  return `${moveRows(to.row - from.row)}\r${moveRight(to.column)}`;
}

function moveRight(cells: number): string {
  return cells === 0 ? '' : `\u001b[${cells}C`;
}

function moveRows(rows: number): string {
  if (rows === 0) return '';
  return rows < 0 ? `\u001b[${-rows}A` : `\u001b[${rows}B`;
}
