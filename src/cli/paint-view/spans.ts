/** Lines before they are painted: pieces of text with a look. Every view ends in `renderRows`, so no line is too wide and none moves the cursor. */

import { TERMINAL_LIMITS } from '../../limits.ts';
import { plainText } from '../terminal/plain-text.ts';
import { cutToWidth, textWidth } from '../terminal/text-width.ts';

/** From `paint`, or several of its functions nested. */
export type Look = (text: string) => string;

export interface Span {
  readonly text: string;
  readonly look?: Look | undefined;
}

/** One line of the terminal. */
export type Row = readonly Span[];

const PRINTABLE = /^[ -~]*$/;
/** What a tab is drawn as. */
export const TAB_TEXT = '    ';

export function span(text: string, look?: Look): Span {
  return { text, look };
}

/** The cells of a line; a terminal that does not say gets the usual number. */
export function cellsOf(width: number | undefined): number {
  if (width === undefined || !Number.isFinite(width) || width < 1) return TERMINAL_LIMITS.columns;
  return Math.floor(width);
}

/** Text from files and models, safe for a span: only visible characters and newlines. */
export function cleanText(text: string): string {
  if (PRINTABLE.test(text)) return text;
  return plainText(text).replaceAll('\t', TAB_TEXT);
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

export function rowWidth(row: Row): number {
  return row.reduce((cells, { text }) => cells + textWidth(text), 0);
}

/** The last step of every view: cut, sanitised once more, painted. */
export function renderRows(rows: readonly Row[], width: number | undefined): string[] {
  const cells = cellsOf(width);
  return rows.map((row) => renderRow(row, cells));
}

export function renderRow(row: Row, width: number | undefined): string {
  return fitRow(
    row.map(({ text, look }) => ({ text: cleanText(text).replaceAll('\n', ' '), look })),
    cellsOf(width),
  )
    .map(({ text, look }) => (text === '' || look === undefined ? text : look(text)))
    .join('')
    .trimEnd();
}

/** A row that is too wide ends in an ellipsis. */
export function fitRow(row: Row, cells: number): Row {
  if (rowWidth(row) <= cells) return row;
  const kept: Span[] = [];
  let room = cells;
  for (const piece of row) {
    const needed = textWidth(piece.text);
    // The ellipsis takes a cell; a piece that ends exactly there is cut, since more follows.
    if (needed < room) {
      kept.push(piece);
      room -= needed;
      continue;
    }
    kept.push({ ...piece, text: cutToWidth(`${firstCells(piece.text, room)}  `, room) });
    break;
  }
  return kept;
}

/** Limits how much of a very long text is measured: only invisible characters take less than a cell. */
export function firstCells(text: string, cells: number): string {
  const most = 8 * (cells + 1);
  return text.length <= most ? text : text.slice(0, most);
}

/** Pads with blanks on the right, up to `cells`. */
export function padRow(row: Row, cells: number): Row {
  const missing = cells - rowWidth(row);
  return missing > 0 ? [...row, { text: ' '.repeat(missing) }] : row;
}
