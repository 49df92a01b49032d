/** Summarised messages as lines again: who said it and when in a dimmed line, then the words. */

import type { Paint } from '../terminal/paint.ts';
import { cellsOf, cleanText, renderRows, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

/** The line that each message begins with. */
const HEAD = /^\[(?:user|assistant), .*\]$/;

export function expandedLines(facts: {
  readonly text: string;
  readonly width: number | undefined;
  readonly paint: Paint;
}): string[] {
  const { paint } = facts;
  const width = cellsOf(facts.width);
  const rows = cleanText(facts.text)
    .split('\n')
    .flatMap((line) => {
      const words = HEAD.test(line) ? span(line, paint.dim) : span(line);
      return wrapSpans([words], { width, first: [], rest: [], at: 'words' });
    });
  return renderRows(rows, width);
}
