/** By what two outputs are known to report the same error: the first line that says what went wrong, without what differs from run to run. */

import { tellingLines } from '../run/telling-lines.ts';

/** Fewer characters are too common to say anything: "exit code 1". */
const LEAST_CHARACTERS = 20;
const MOST_CHARACTERS = 300;

/** Null where the output says nothing that is its own. */
export function failureMark(output: string): string | null {
  for (const line of tellingLines(output)) {
    const mark = line
      .replace(ESCAPES, '')
      // Where it happened may move, and each run has its own folder, time and number.
      .replace(/(?:[\w.~-]*[\\/])+([\w.-]+)/g, '$1')
      .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{7,}\b|\d+/gi, '#')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase()
      .slice(0, MOST_CHARACTERS);
    if (mark.replace(/[^\p{L}]/gu, '').length >= LEAST_CHARACTERS) return mark;
  }
  return null;
}

/** Colours and other orders to a terminal. */
const ESCAPES = /\x1b\[[0-9;?]*[A-Za-z]/g;
