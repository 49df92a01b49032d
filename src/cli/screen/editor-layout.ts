/** How a line of the editor breaks into rows of the screen: between words if possible. */

import { SCREEN_LIMITS } from '../../limits.ts';
import { textWidth } from '../terminal/text-width.ts';
import { graphemesOf } from './graphemes.ts';
import type { Span } from './placeholders.ts';

const PRINTABLE = /^[ -~]*$/;

/** At least one row; together they are the whole line. The space that ends a row may be in the cell after it. */
export function wrapLine(line: string, width: number): Span[] {
  if (line.length <= width && cellsOf(line) <= width) return [{ start: 0, end: line.length }];
  return PRINTABLE.test(line) ? wrapPrintable(line, width) : wrapAny(line, width);
}

/** Cells that a part of a line takes, with tabs as they are shown. */
export function cellsOf(part: string): number {
  return textWidth(part.includes('\t') ? showTabs(part) : part);
}

export function showTabs(part: string): string {
  return part.replaceAll('\t', ' '.repeat(SCREEN_LIMITS.tabCells));
}

/** The position in a row nearest to a cell without going past it. */
export function offsetAtCells(line: string, facts: { row: Span; cells: number; isLastRow: boolean }): number {
  const { row } = facts;
  let offset = row.start;
  let used = 0;
  for (const grapheme of graphemesOf(line.slice(row.start, row.end))) {
    used += cellsOf(grapheme);
    if (used > facts.cells) return offset;
    // The end of a row that continues is the start of the next one.
    if (!facts.isLastRow && offset + grapheme.length >= row.end) return offset;
    offset += grapheme.length;
  }
  return offset;
}

/** The same as below for text in which every character is one cell: no need to look at each. */
function wrapPrintable(line: string, width: number): Span[] {
  const rows: Span[] = [];
  let start = 0;
  while (line.length - start > width) {
    const space = line.lastIndexOf(' ', start + width);
    const end = space > start ? space + 1 : start + width;
    rows.push({ start, end });
    start = end;
  }
  return [...rows, { start, end: line.length }];
}

function wrapAny(line: string, width: number): Span[] {
  const rows: Span[] = [];
  let start = 0;
  let at = 0;
  let used = 0;
  /** After the last space of the row, and the cells up to there. */
  let space: { at: number; used: number } | null = null;
  for (const grapheme of graphemesOf(line)) {
    const cells = cellsOf(grapheme);
    const isHanging = grapheme === ' ' && used === width;
    if (used + cells > width && at > start && !isHanging) {
      const end: number = space?.at ?? at;
      used -= space?.used ?? used;
      rows.push({ start, end });
      start = end;
      space = null;
    }
    at += grapheme.length;
    used += cells;
    if (grapheme === ' ' && at - 1 > start) space = { at, used };
  }
  // After a space in the last cell, the cursor is in the next row.
  if (used > width && space?.at === at) return [...rows, { start, end: at }, { start: at, end: at }];
  return [...rows, { start, end: line.length }];
}
