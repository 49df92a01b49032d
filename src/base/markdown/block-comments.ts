/** Removes block comments from markdown: notes for people that no model needs, and that are invisible when rendered. */

import { type Span, scanMarkdown } from './spans.ts';

/** Comments that begin a line are removed, with the line if nothing else is on it; comments in code or in running text stay. */
export function stripBlockComments(text: string): string {
  if (!text.includes('<!--')) return text;
  const parts: string[] = [];
  let at = 0;
  for (const comment of scanMarkdown(text).blockComments) {
    const { start, end } = wholeLines(text, comment);
    parts.push(text.slice(at, Math.max(at, start)));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

function wholeLines(text: string, { start, end }: Span): Span {
  const behind = /[ \t]*(?:\r\n|\n|\r|$)/y;
  behind.lastIndex = end;
  const rest = behind.exec(text)?.[0];
  if (rest === undefined) return { start, end };
  let lineStart = start;
  while (text[lineStart - 1] === ' ' || text[lineStart - 1] === '\t') lineStart -= 1;
  const isAlone = lineStart === 0 || text[lineStart - 1] === '\n' || text[lineStart - 1] === '\r';
  return isAlone ? { start: lineStart, end: end + rest.length } : { start, end };
}
