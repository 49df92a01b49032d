/** Rows in columns that fit: the least important columns go first, then the free text is cut. */

import { cutToWidth } from '../terminal/text-width.ts';
import { firstCells, padRow, type Row, rowWidth, type Span, span } from './spans.ts';

export interface ViewColumn {
  readonly align?: 'right';
  /** May be left out when there is no room, lowest first. */
  readonly drop?: number;
  /** Takes what is left of the line, and is cut; at least these cells are reserved for it before others are dropped. */
  readonly least?: number;
}

const GAP = '  ';

/** Each cell is one span; `indent` comes before every row. */
export function columnRows(
  rows: readonly (readonly Span[])[],
  layout: { readonly columns: readonly ViewColumn[]; readonly width: number; readonly indent?: Row },
): Row[] {
  const { columns, indent = [] } = layout;
  const room = layout.width - rowWidth(indent);
  const natural = columns.map((_, at) => rows.reduce((widest, row) => Math.max(widest, rowWidth([row[at]!])), 0));
  const needed = (at: number) => Math.min(natural[at]!, columns[at]!.least ?? Number.POSITIVE_INFINITY);
  const total = (kept: readonly number[]) =>
    kept.reduce((sum, at) => sum + needed(at), 0) + GAP.length * Math.max(0, kept.length - 1);
  let kept = [...columns.keys()].filter((at) => natural[at]! > 0);
  const droppable = kept
    .filter((at) => columns[at]!.drop !== undefined)
    .sort((one, other) => columns[one]!.drop! - columns[other]!.drop!);
  for (const at of droppable) if (total(kept) > room) kept = kept.filter((each) => each !== at);
  let spare = Math.max(0, room - total(kept));
  const widths = new Map<number, number>();
  for (const at of kept) {
    const more = Math.min(spare, natural[at]! - needed(at));
    widths.set(at, needed(at) + more);
    spare -= more;
  }
  return rows.map((row) => [...indent, ...kept.flatMap((at, index) => cellOf(row[at]!, at, index))]);

  function cellOf(cell: Span, at: number, index: number): Row {
    const cells = widths.get(at)!;
    const cut = { ...cell, text: cutToWidth(firstCells(cell.text, cells), cells) };
    const missing = cells - rowWidth([cut]);
    const aligned =
      columns[at]!.align === 'right' ? [span(' '.repeat(Math.max(0, missing))), cut] : padRow([cut], cells);
    return index === 0 ? aligned : [span(GAP), ...aligned];
  }
}
