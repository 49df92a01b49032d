/** As much of a memory's text as may be shown: whole lines within a number of lines and of bytes, made safe for a wrapper. */

import { escapeMarkup, stripInvisible } from '../../base/text/visible-text.ts';

export interface ShownText {
  readonly lines: readonly string[];
  /** The line of the text to go on reading from, counted from 1; null when all of it is shown. */
  readonly nextLine: number | null;
}

export interface ShowLimits {
  readonly surfacedLines: number;
  readonly surfacedBytes: number;
  /** Put before every line. */
  readonly mark: string;
}

export function showText(text: string, limits: ShowLimits): ShownText {
  const lines = linesOf(text);
  const shown: string[] = [];
  let bytesLeft = limits.surfacedBytes;
  for (const [index, line] of lines.entries()) {
    if (shown.length >= limits.surfacedLines) return { lines: shown, nextLine: index + 1 };
    const safe = limits.mark + escapeMarkup(line);
    // The line break counts.
    const bytes = Buffer.byteLength(safe) + 1;
    if (bytes > bytesLeft) {
      // Whole lines only, unless the first one alone is too long: half of it is better than nothing.
      if (shown.length === 0) shown.push(beginningOf(line, { ...limits, bytes: bytesLeft - 1 }));
      return { lines: shown, nextLine: index + 1 };
    }
    shown.push(safe);
    bytesLeft -= bytes;
  }
  return { lines: shown, nextLine: null };
}

/** Lines as editors and agents number them; other characters that break a line on a screen become blanks. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => stripInvisible(line.replace(/[\r\u0085\u2028\u2029]/g, ' ')).text);
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  return lines;
}

/** Cut between characters; escaped after the cut, because a cut can make a tag out of a longer word. */
function beginningOf(line: string, limits: ShowLimits & { readonly bytes: number }): string {
  // No character is shorter than a byte, so that no more than this many can be shown.
  let characters = [...line.slice(0, Math.max(0, limits.bytes)).replace(/[\ud800-\udbff]$/, '')];
  for (;;) {
    const safe = limits.mark + escapeMarkup(characters.join(''));
    const excess = Buffer.byteLength(safe) - limits.bytes;
    if (excess <= 0 || characters.length === 0) return safe;
    // No character is longer than four bytes, and escaping adds at most as many.
    characters = characters.slice(0, -Math.ceil(excess / 8));
  }
}
