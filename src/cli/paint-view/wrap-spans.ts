/** Breaks painted text into rows: between words, or anywhere for code; a word that is too long is broken, a wide character never. */

import { textWidth } from '../terminal/text-width.ts';
import { type Row, type Span, TAB_TEXT } from './spans.ts';

export interface WrapLayout {
  readonly width: number;
  /** Before the first row, and before each following one; both count. */
  readonly first?: Row;
  readonly rest?: Row;
  /** `words` drops the blanks at which it breaks, `anywhere` keeps every character. */
  readonly at: 'words' | 'anywhere';
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const NOT_ASCII = /[^ -~]/;
const PLAIN_OR_TABS = /^[\t -~]*$/;

/** At least one row; newlines in the text break it too. */
export function wrapSpans(spans: readonly Span[], layout: WrapLayout): Row[] {
  const { first = [], rest = first, at } = layout;
  const text = spans.map((piece) => piece.text).join('');
  const indent = Math.max(cellsIn(first), cellsIn(rest));
  const room = Math.max(1, layout.width - indent);
  const ranges = at === 'words' ? wordRanges(text, room) : anyRanges(text, room);
  const cut = slicer(spans);
  return ranges.map((range, index) => [...(index === 0 ? first : rest), ...cut(range)]);
}

/** Rows whose number is known before they are drawn, so that only the visible part of a long text costs anything. */
export interface LaterRows {
  readonly height: number;
  draw(): Row[];
}

/** The same rows as `wrapSpans` anywhere; `text` may hold tabs, which `spans` has as blanks. */
export function wrapLater(
  text: string,
  facts: { readonly spans: () => readonly Span[]; readonly layout: Omit<WrapLayout, 'at'> },
): LaterRows {
  const layout = { ...facts.layout, at: 'anywhere' } as const;
  if (!PLAIN_OR_TABS.test(text)) {
    const rows = wrapSpans(facts.spans(), layout);
    return { height: rows.length, draw: () => rows };
  }
  const { first = [], rest = first, width } = layout;
  const room = Math.max(1, width - Math.max(cellsIn(first), cellsIn(rest)));
  const tabs = text.includes('\t') ? text.split('\t').length - 1 : 0;
  const cells = text.length + tabs * (TAB_TEXT.length - 1);
  return { height: Math.max(1, Math.ceil(cells / room)), draw: () => wrapSpans(facts.spans(), layout) };
}

function cellsIn(row: Row): number {
  return row.reduce((cells, piece) => cells + textWidth(piece.text), 0);
}

// Scripts without blanks break between any two characters, but not before a closing mark or bracket.
const TOKEN =
  /\n| +|[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60][\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff09\u300d\u300f\u3011\uff1a\uff1b]?|[^ \n\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]+/g;

function wordRanges(text: string, room: number): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  let end = 0;
  let used = 0;
  const breakAt = (next: number) => {
    ranges.push({ start, end });
    start = next;
    end = next;
    used = 0;
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n') {
      breakAt(index + 1);
      continue;
    }
    const cells = textWidth(token);
    if (token[0] === ' ') {
      used += cells;
      continue;
    }
    if (used > 0 && used + cells > room) breakAt(index);
    if (cells <= room) {
      used += cells;
      end = index + token.length;
      continue;
    }
    for (const cluster of clustersOf(token, room)) {
      if (used > 0 && used + cluster.cells > room) breakAt(index + cluster.start);
      used += cluster.cells;
      end = index + cluster.end;
    }
  }
  ranges.push({ start, end });
  return ranges;
}

function anyRanges(text: string, room: number): Range[] {
  const ranges: Range[] = [];
  let lineStart = 0;
  for (const line of text.split('\n')) {
    if (!NOT_ASCII.test(line)) {
      for (let at = 0; at === 0 || at < line.length; at += room) {
        ranges.push({ start: lineStart + at, end: lineStart + Math.min(line.length, at + room) });
      }
    } else {
      let start = 0;
      let used = 0;
      for (const cluster of clustersOf(line, room)) {
        if (used > 0 && used + cluster.cells > room) {
          ranges.push({ start: lineStart + start, end: lineStart + cluster.start });
          start = cluster.start;
          used = 0;
        }
        used += cluster.cells;
      }
      ranges.push({ start: lineStart + start, end: lineStart + line.length });
    }
    lineStart += line.length + 1;
  }
  return ranges;
}

interface Cluster extends Range {
  readonly cells: number;
}

/** Characters with the marks that belong to them; joined emoji stay together if there is room. */
function* clustersOf(text: string, room: number): Iterable<Cluster> {
  let start = 0;
  let end = 0;
  let cells = 0;
  let isJoined = false;
  for (const character of text) {
    const width = textWidth(character);
    const belongs = end > start && (width === 0 || isJoined) && cells + width <= room;
    if (!belongs && end > start) {
      yield { start, end, cells };
      start = end;
      cells = 0;
    }
    end += character.length;
    cells += width;
    isJoined = character === '\u200d';
  }
  if (end > start) yield { start, end, cells };
}

/** For ranges that only move forward: each span is looked at once. */
function slicer(spans: readonly Span[]): (range: Range) => Span[] {
  let at = 0;
  let offset = 0;
  return ({ start, end }) => {
    const pieces: Span[] = [];
    while (at < spans.length && offset < end) {
      const piece = spans[at]!;
      const text = piece.text.slice(Math.max(0, start - offset), end - offset);
      if (text !== '') pieces.push({ ...piece, text });
      if (offset + piece.text.length > end) break;
      offset += piece.text.length;
      at += 1;
    }
    return pieces;
  };
}
