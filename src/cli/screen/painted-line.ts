/** Lines with colours in them: how wide they are, cut to fit, and how many rows they take when wrapped. */

import { SCREEN_LIMITS } from '../../limits.ts';
import { onlyColours } from '../terminal/plain-text.ts';
import { textWidth } from '../terminal/text-width.ts';

const COLOUR = /\u001b\[[0-9;]*m/g;
const RESET = '\u001b[0m';

export function withoutColours(line: string): string {
  return line.includes('\u001b') ? line.replace(COLOUR, '') : line;
}

/** One line that can neither move the cursor nor leave its colour behind. */
export function safeLine(line: string): string {
  const flat = onlyColours(line).replaceAll('\n', ' ').replaceAll('\t', ' '.repeat(SCREEN_LIMITS.tabCells));
  return flat.includes('\u001b') && !flat.endsWith(RESET) ? flat + RESET : flat;
}

/** Leaves out what does not fit; active colours are switched off. */
export function cutPainted(line: string, cells: number): string {
  if (textWidth(withoutColours(line)) <= cells) return line;
  let kept = '';
  let used = 0;
  for (const [at, part] of line.split(/(\u001b\[[0-9;]*m)/).entries()) {
    if (at % 2 === 1) {
      kept += part;
      continue;
    }
    for (const character of part) {
      used += textWidth(character);
      if (used > cells) return line.includes('\u001b') ? kept + RESET : kept;
      kept += character;
    }
  }
  return kept;
}

/** The row in which a cell of a line ends up when a terminal of `columns` wraps it; after its end, the last one. */
export function wrapPosition(line: string, facts: { columns: number; cells: number }): number {
  let row = 0;
  let column = 0;
  let passed = 0;
  for (const character of withoutColours(line)) {
    const width = textWidth(character);
    if (column + width > facts.columns) {
      row += 1;
      column = 0;
    }
    if (passed >= facts.cells && width > 0) break;
    column += width;
    passed += width;
  }
  return row;
}

/** Rows that a line takes on a terminal that wraps. */
export function rowsTaken(line: string, columns: number): number {
  const cells = textWidth(withoutColours(line));
  return cells <= columns ? 1 : 1 + wrapPosition(line, { columns, cells });
}
