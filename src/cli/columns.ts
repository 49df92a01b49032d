/** Aligned columns: every cell padded to the widest of its column, colours put on after measuring. */

import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** The last column is cut to what is left of `width`; without a width it is never cut. */
export function alignColumns(
  rows: readonly (readonly Cell[])[],
  layout: { indent?: string; width?: number } = {},
): string[] {
  const indent = layout.indent ?? '';
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell.text));
  }
  return rows.map((row) => {
    let line = indent;
    let used = indent.length;
    for (const [at, cell] of row.entries()) {
      const isLast = at === row.length - 1;
      const room =
        layout.width === undefined ? Number.POSITIVE_INFINITY : Math.max(MINIMUM_LAST_CELLS, layout.width - used);
      const shown = isLast ? cutToWidth(cell.text, room) : padToWidth(cell.text, widths[at] ?? 0);
      line += (cell.paint ? cell.paint(shown) : shown) + (isLast ? '' : GAP);
      used += (widths[at] ?? 0) + GAP.length;
    }
    return line.trimEnd();
  });
}

const GAP = '  ';
/** On a very narrow terminal a line that wraps still says more than an ellipsis. */
const MINIMUM_LAST_CELLS = 20;
