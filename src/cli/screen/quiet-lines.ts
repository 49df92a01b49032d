/** What a screen reader is spared: spinners, counters and the rewriting of what was read out already. */

import { withoutColours } from './painted-line.ts';

/** Frames of spinners (braille, turning marks and stars), and numbers, which count up all the time. */
const RESTLESS = /[\u2800-\u28ff\u2722-\u274b◐-◓◴-◷⏳⌛·∙•*|/\\\-\u2026\p{N}.,]/gu;
const PRINTABLE = /^[ -~]*$/;

/** Lines that say the same in words stay as they stand; the one being typed into is always as it is. */
export function keepSameWords(
  drawn: readonly string[],
  next: { lines: readonly string[]; cursor: { readonly row: number } | null },
): readonly string[] {
  return next.lines.map((line, row) => {
    const before = drawn[row];
    return before !== undefined && row !== next.cursor?.row && wordsOf(before) === wordsOf(line) ? before : line;
  });
}

/** Cells that two lines have in common from the start; only where every character is one cell and no colour is on. */
export function sameStart(before: string, after: string): number {
  let length = 0;
  while (length < before.length && before[length] === after[length]) length += 1;
  if (length === after.length && length === before.length) return length;
  // A mark that follows would change the character it stands on.
  const kept = Math.max(0, /^[ -~]?$/.test(after[length] ?? '') ? length : length - 1);
  return PRINTABLE.test(after.slice(0, kept)) ? kept : 0;
}

function wordsOf(line: string): string {
  return withoutColours(line).replace(RESTLESS, '').replace(/\s+/g, ' ').trim();
}
