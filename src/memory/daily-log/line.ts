/** One line of a daily log: `- 14:03 +02:00 (said) text`. Offset and mark stand in front, where the text cannot forge them. */

import { stripInvisible } from '../../base/text/visible-text.ts';

/** Whose word a line is: the user's, or what a tool, a file or the web showed; null is the agent's own. */
export type LogMark = 'said' | 'seen' | null;

export interface LogLine {
  /** `14:03` */
  readonly time: string;
  /** `+09:00` where the line states one; else that of the lines before it holds. */
  readonly offset: string | null;
  readonly mark: LogMark;
  readonly text: string;
}

const LINE = /^- ((?:[01]\d|2[0-3]):[0-5]\d) (?:([+-]\d{2}:[0-5]\d) )?(?:\((said|seen)\) )?(\S.*)$/su;

/** What at the head of a text could be taken for an offset or a mark, and the backslash that says it is none. */
const FORGES = /^(?:\\|[+-]\d{2}:[0-5]\d|\((?:said|seen)\))/;

/** Null for what is no such line: a torn one, or what a person wrote in between. */
export function parseLogLine(line: string): LogLine | null {
  const [, time, offset, mark, text] = LINE.exec(line.replace(/\r$/, '')) ?? [];
  if (time === undefined || text === undefined) return null;
  return {
    time,
    offset: offset ?? null,
    mark: mark === 'said' || mark === 'seen' ? mark : null,
    text: text.startsWith('\\') && FORGES.test(text.slice(1)) ? text.slice(1) : text,
  };
}

/** Without its line end. The text is as `foldLogText` leaves it. */
export function renderLogLine({ time, offset, mark, text }: LogLine): string {
  const front = [time, ...(offset === null ? [] : [offset]), ...(mark === null ? [] : [`(${mark})`])];
  return `- ${front.join(' ')} ${FORGES.test(text) ? `\\${text}` : text}`;
}

/** On one line and as people see it: line breaks, controls and what has no width become blanks or go. */
export function foldLogText(text: string): string {
  return stripInvisible(text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' '))
    .text.replace(/\s+/g, ' ')
    .trim();
}
