/** Separates code, comments and running text in markdown, as CommonMark does, by offsets into the text. */

import { codeAndComments } from './inline.ts';
import { type Container, type Cursor, indentOf, type Line, linesOf, matchContainers, openContainers } from './lines.ts';
import { closesFence, headingAt, openingFence } from './marks.ts';

export interface Span {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
}

export interface MarkdownSpans {
  /** Fenced, indented and inline code, at most a line each. */
  readonly code: readonly Span[];
  /** Comments that begin a line: separate blocks. */
  readonly blockComments: readonly Span[];
  readonly inlineComments: readonly Span[];
}

interface OpenFence {
  readonly marks: string;
  /** How many containers it is in; it ends with them. */
  readonly depth: number;
}

const UNDERLINE_OR_RULE = /^(?:=+[ \t]*|-+[ \t]*|(?:[-*_][ \t]*){3,})$/;
const CODE_INDENT = 4;

export function scanMarkdown(text: string): MarkdownSpans {
  const code: Span[] = [];
  const blockComments: Span[] = [];
  const inlineComments: Span[] = [];
  let containers: readonly Container[] = [];
  let paragraph: Span[] = [];
  let fence = null as OpenFence | null;
  /** Lines up to here belong to a comment. */
  let commentEnd = 0;
  let mayClose = true;

  const endParagraph = () => {
    if (paragraph.length > 0) {
      const found = codeAndComments(text, paragraph);
      for (const span of found.code) code.push(span);
      for (const span of found.comments) inlineComments.push(span);
    }
    paragraph = [];
  };

  function readLeaf(line: Line, cursor: Cursor): void {
    const rest = text.slice(cursor.at, line.end);
    const opening = openingFence(rest);
    if (opening !== null) {
      endParagraph();
      fence = { marks: opening.marks, depth: containers.length };
      code.push({ start: cursor.at, end: line.end });
      return;
    }
    const close = rest.startsWith('<!--') && mayClose ? text.indexOf('-->', cursor.at + 2) : null;
    // If there is no end, there is none for later comments either: they are not searched again.
    if (close === -1) mayClose = false;
    if (close !== null && close >= 0) {
      endParagraph();
      commentEnd = close + 3;
      blockComments.push({ start: cursor.at, end: commentEnd });
      return;
    }
    const isHeading = headingAt(rest) !== null;
    if (isHeading) endParagraph();
    if (rest !== '') paragraph.push({ start: cursor.at, end: line.end });
    if (isHeading || UNDERLINE_OR_RULE.test(rest)) endParagraph();
  }

  for (const line of linesOf(text)) {
    if (line.start < commentEnd) {
      if (line.end <= commentEnd) continue;
      // What follows a comment on its last line is text.
      const start = Math.max(line.start, commentEnd);
      paragraph = [{ start, end: line.end }];
      endParagraph();
      continue;
    }
    const matched = matchContainers({ text, line }, containers);
    if (fence !== null && matched.depth >= fence.depth) {
      code.push({ start: matched.cursor.at, end: line.end });
      if (closes(text.slice(matched.cursor.at, line.end), fence)) fence = null;
      continue;
    }
    fence = null;
    const opened = openContainers(
      { text, line },
      {
        cursor: matched.cursor,
        depth: matched.depth,
        inParagraph: paragraph.length > 0,
      },
    );
    if (opened.isBlank) {
      endParagraph();
      // A blank line leaves a quote, not a list.
      containers = containers.slice(0, matched.depth);
      continue;
    }
    const isLazy = paragraph.length > 0 && matched.depth < containers.length && opened.containers.length === 0;
    const goesOn = isLazy && openingFence(text.slice(opened.cursor.at, line.end)) === null;
    if (!goesOn) {
      if (matched.depth < containers.length || opened.containers.length > 0) endParagraph();
      containers = [...containers.slice(0, matched.depth), ...opened.containers];
    }
    if (paragraph.length === 0 && opened.indent >= CODE_INDENT) code.push({ start: opened.cursor.at, end: line.end });
    else if (opened.indent >= CODE_INDENT) paragraph.push({ start: opened.cursor.at, end: line.end });
    else readLeaf(line, opened.cursor);
    // A comment that ends on its own line leaves the rest of it as text.
    if (commentEnd > line.start && commentEnd < line.end) {
      paragraph = [{ start: commentEnd, end: line.end }];
      endParagraph();
    }
  }
  endParagraph();
  return { code, blockComments, inlineComments };
}

function closes(rest: string, { marks }: OpenFence): boolean {
  return indentOf(rest) < CODE_INDENT && closesFence(rest, marks);
}

/** The text with every character of the spans replaced by NUL, except line ends: all offsets stay. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const sorted = spans.toSorted((one, other) => one.start - other.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of sorted) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    parts.push(text.slice(at, from), text.slice(from, end).replace(/[^\r\n]/g, '\0'));
    at = end;
  }
  return parts.join('') + text.slice(at);
}
