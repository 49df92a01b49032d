/** The containers of markdown, line by line: block quotes and list items, and how far a line is indented within them. */

export interface Line {
  readonly start: number;
  /** Without the line end. */
  readonly end: number;
}

/** Columns count tabs as the blanks they represent. */
export interface Cursor {
  readonly at: number;
  readonly column: number;
}

export type Container = { readonly kind: 'quote' } | { readonly kind: 'item'; readonly width: number };

interface LineFacts {
  readonly text: string;
  readonly line: Line;
}

const TAB_STOP = 4;
/** Deeper than anybody writes; more would make every line more expensive. */
const MOST_CONTAINERS = 100;
const ITEM = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$/;

/** A final line end does not begin another line; a byte order mark belongs to none. */
export function* linesOf(text: string): Generator<Line> {
  const ends = /\r\n|\n|\r/g;
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
    yield { start, end: found.index };
    start = ends.lastIndex;
  }
  if (start < text.length) yield { start, end: text.length };
}

/** How many of the open containers the line is in, and where it continues after their marks. */
export function matchContainers(
  facts: LineFacts,
  containers: readonly Container[],
): { readonly depth: number; readonly cursor: Cursor } {
  let cursor: Cursor = { at: facts.line.start, column: 0 };
  for (const [depth, container] of containers.entries()) {
    const inside = container.kind === 'quote' ? behindQuote(facts, cursor) : behindIndent(facts, cursor, container);
    if (inside === null) return { depth, cursor };
    cursor = inside;
  }
  return { depth: containers.length, cursor };
}

/** The containers that begin on this line. */
export function openContainers(
  facts: LineFacts,
  from: { readonly cursor: Cursor; readonly depth: number; readonly inParagraph: boolean },
): {
  readonly containers: readonly Container[];
  readonly cursor: Cursor;
  readonly indent: number;
  readonly isBlank: boolean;
} {
  const containers: Container[] = [];
  let base = from.cursor;
  for (;;) {
    const cursor = behindBlanks(facts, base);
    const indent = cursor.column - base.column;
    const isBlank = cursor.at >= facts.line.end;
    const isDeep = from.depth + containers.length >= MOST_CONTAINERS;
    if (isBlank || isDeep || indent >= TAB_STOP)
      return { containers, cursor, indent, isBlank: isBlank && containers.length === 0 };
    const quoted = behindQuote(facts, base);
    const item = quoted === null ? itemAt(facts, cursor, { isFirst: containers.length === 0, ...from }) : null;
    if (quoted !== null) {
      containers.push({ kind: 'quote' });
      base = quoted;
    } else if (item !== null) {
      containers.push({ kind: 'item', width: item.content.column - base.column });
      base = item.content;
    } else {
      return { containers, cursor, indent, isBlank: false };
    }
  }
}

/** Columns of blanks at the beginning. */
export function indentOf(text: string): number {
  return behindBlanks({ text, line: { start: 0, end: text.length } }, { at: 0, column: 0 }).column;
}

function itemAt(facts: LineFacts, cursor: Cursor, where: { readonly isFirst: boolean; readonly inParagraph: boolean }) {
  const rest = facts.text.slice(cursor.at, facts.line.end);
  const mark = RULE.test(rest) ? undefined : ITEM.exec(rest)?.[0];
  if (mark === undefined) return null;
  const behindMark = { at: cursor.at + mark.length, column: cursor.column + mark.length };
  const content = behindBlanks(facts, behindMark);
  const isEmpty = content.at >= facts.line.end;
  // A dash below a paragraph underlines it.
  if (isEmpty && where.isFirst && where.inParagraph) return null;
  const blanks = content.column - behindMark.column;
  // More than four blanks are an indented code block within the item.
  const isCode = isEmpty || blanks > TAB_STOP;
  return { content: isCode ? advance(facts, behindMark, 1) : content };
}

function behindQuote(facts: LineFacts, from: Cursor): Cursor | null {
  const cursor = behindBlanks(facts, from);
  const isQuote = cursor.column - from.column < TAB_STOP && cursor.at < facts.line.end && facts.text[cursor.at] === '>';
  if (!isQuote) return null;
  return advance(facts, { at: cursor.at + 1, column: cursor.column + 1 }, 1);
}

function behindIndent(facts: LineFacts, from: Cursor, item: { readonly width: number }): Cursor | null {
  const cursor = behindBlanks(facts, from);
  if (cursor.at >= facts.line.end) return from;
  return cursor.column - from.column >= item.width ? advance(facts, from, item.width) : null;
}

function behindBlanks(facts: LineFacts, from: Cursor): Cursor {
  return advance(facts, from, Number.POSITIVE_INFINITY);
}

/** Skips blanks, up to the requested columns; a tab may be skipped in part. */
function advance({ text, line }: LineFacts, from: Cursor, columns: number): Cursor {
  let { at, column } = from;
  for (let left = columns; left > 0 && at < line.end; ) {
    if (text[at] !== ' ' && text[at] !== '\t') break;
    const width = text[at] === '\t' ? TAB_STOP - (column % TAB_STOP) : 1;
    const passed = Math.min(width, left);
    column += passed;
    left -= passed;
    if (passed === width) at += 1;
  }
  return { at, column };
}
