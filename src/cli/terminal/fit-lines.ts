/** Breaks lines wider than the terminal between words: a terminal would break them anywhere. */

import { wrapPainted } from '../paint-view/wrap-painted.ts';

/** Without a width nothing is broken: a pipe gets every line whole. */
export function fitLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => wrapPainted(line, width))
    .join('\n');
}
