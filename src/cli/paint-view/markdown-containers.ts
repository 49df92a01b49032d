/** What contains markdown blocks: quotes and list items, what keeps a line inside them, and what is drawn before it. */

import { VIEW_LIMITS } from '../../limits.ts';
import type { Paint } from '../terminal/paint.ts';
import { type Row, rowWidth, type Span, span } from './spans.ts';

export type Container =
  | { readonly kind: 'quote' }
  | {
      readonly kind: 'item';
      readonly label: string;
      readonly isDone: boolean;
      /** Position of the marker, and of the text after it. */
      readonly markerColumn: number;
      readonly contentColumn: number;
      readonly isShown: boolean;
    };

/** What is left of a line after the marks of its containers. */
export interface Remainder {
  readonly text: string;
  /** Where `text` starts in the line. */
  readonly column: number;
}

const MARKER = /^([-*+]|\d{1,9}[.)])(?: +|$)/;
const TASK = /^\[([ xX])\] +/;
const BULLETS = ['•', '◦', '▪'];

/** How many containers the line stays in, and its text there. */
export function matchContainers(line: string, containers: readonly Container[]): { matched: number; rest: Remainder } {
  let rest: Remainder = { text: line, column: 0 };
  for (const [at, container] of containers.entries()) {
    const indent = indentOf(rest.text);
    if (container.kind === 'quote') {
      const stripped = stripQuote(rest);
      if (stripped === null) return { matched: at, rest };
      rest = stripped;
      continue;
    }
    const column = rest.column + indent;
    const isBlank = indent === rest.text.length;
    // More lenient than CommonMark: two blanks nest a list below any marker, as most people and models write it.
    const isNested = column >= container.markerColumn + 2 && MARKER.test(rest.text.slice(indent));
    if (!isBlank && column < container.contentColumn && !isNested) return { matched: at, rest };
  }
  return { matched: containers.length, rest };
}

/** The containers that start here, up to the nesting limit. */
export function openContainers(
  start: Remainder,
  facts: { readonly containers: readonly Container[]; readonly isInParagraph: boolean },
): { opened: readonly Container[]; rest: Remainder } {
  const opened: Container[] = [];
  let rest = start;
  while (facts.containers.length + opened.length < VIEW_LIMITS.nestedBlocks) {
    const quote = stripQuote(rest);
    if (quote !== null) {
      opened.push({ kind: 'quote' });
      rest = quote;
      continue;
    }
    const isInList = [...facts.containers, ...opened].some(({ kind }) => kind === 'item');
    const isInterrupting = facts.isInParagraph && !isInList;
    const item = isRule(rest.text) ? null : readItem(rest, { isInterrupting });
    if (item === null) break;
    const depth = [...facts.containers, ...opened].filter(({ kind }) => kind === 'item').length;
    const label = item.label === '•' ? BULLETS[depth % BULLETS.length]! : item.label;
    opened.push({ ...item.container, label });
    rest = item.rest;
  }
  return { opened, rest };
}

export function isRule(text: string): boolean {
  return /^ *(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/.test(text);
}

function stripQuote({ text, column }: Remainder): Remainder | null {
  const indent = indentOf(text);
  if (text[indent] !== '>') return null;
  const end = indent + (text[indent + 1] === ' ' ? 2 : 1);
  return { text: text.slice(end), column: column + end };
}

function readItem({ text, column }: Remainder, facts: { isInterrupting: boolean }) {
  const indent = indentOf(text);
  const found = MARKER.exec(text.slice(indent));
  if (found === null) return null;
  const marker = found[1]!;
  const isOrdered = marker.length > 1;
  const isEmpty = indent + found[0].length >= text.length;
  // A paragraph line that happens to start with "2023." stays in it.
  if (facts.isInterrupting && (isEmpty || (isOrdered && Number.parseInt(marker, 10) !== 1))) return null;
  const content = text.slice(indent + found[0].length);
  const task = TASK.exec(content);
  const isDone = task !== null && task[1] !== ' ';
  const label = task === null ? (isOrdered ? marker : '•') : isDone ? '☑' : '☐';
  const markerColumn = column + indent;
  return {
    label,
    container: {
      kind: 'item',
      isDone,
      markerColumn,
      contentColumn: markerColumn + (isEmpty ? marker.length + 1 : found[0].length),
      isShown: false,
    } as const,
    rest: {
      text: task === null ? content : content.slice(task[0].length),
      column: markerColumn + found[0].length + (task?.[0].length ?? 0),
    },
  };
}

function indentOf(text: string): number {
  let at = 0;
  while (text[at] === ' ') at += 1;
  return at;
}

/** What comes before the first and the later lines of a block; never more than half of the line. */
export function prefixesOf(
  containers: readonly Container[],
  facts: { readonly paint: Paint; readonly width: number },
): { first: Row; rest: Row } {
  const first: Span[] = [];
  const rest: Span[] = [];
  let room = Math.floor(facts.width / 2);
  // From the inside, since the innermost marker says the most.
  for (const container of containers.toReversed()) {
    const marks = marksOf(container, facts.paint);
    room -= rowWidth([marks.rest]);
    if (room < 0) break;
    first.unshift(marks.first);
    rest.unshift(marks.rest);
  }
  return { first, rest };
}

function marksOf(container: Container, paint: Paint): { first: Span; rest: Span } {
  if (container.kind === 'quote') return { first: span('│ ', paint.dim), rest: span('│ ', paint.dim) };
  const blank = span(' '.repeat(container.label.length + 1));
  const look = container.isDone ? paint.green : paint.dim;
  return { first: container.isShown ? blank : span(`${container.label} `, look), rest: blank };
}

/** Before an empty line: the bars of the quotes that continue. */
export function quoteBars(count: number, paint: Paint): Row {
  return count === 0 ? [] : [span('│ '.repeat(count), paint.dim)];
}
