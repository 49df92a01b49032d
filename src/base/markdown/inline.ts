/** Code spans and comments within one paragraph, in linear time. */

import type { Span } from './spans.ts';

/** `pieces` are the paragraph's lines without the marks of quotes and lists: a span may continue from one to the next. */
export function codeAndComments(
  text: string,
  pieces: readonly Span[],
): { readonly code: readonly Span[]; readonly comments: readonly Span[] } {
  const code: Span[] = [];
  const comments: Span[] = [];
  const paragraph = pieces.map(({ start, end }) => text.slice(start, end)).join('\n');
  if (!paragraph.includes('`') && !paragraph.includes('<!--')) return { code, comments };
  const place = spanPlacer(pieces);
  const runs = backtickRuns(paragraph);
  let mayClose = true;
  let at = 0;
  while (at < paragraph.length) {
    const sign = paragraph[at];
    if (sign === '\\') {
      at += 2;
    } else if (sign === '`') {
      const length = runLength(paragraph, at);
      const close = nextRun(runs.get(length), at + length);
      if (close !== null) code.push(...place({ start: at, end: close + length }));
      at = close === null ? at + length : close + length;
    } else if (sign === '<' && paragraph.startsWith('<!--', at)) {
      const close = mayClose ? paragraph.indexOf('-->', at + 2) : -1;
      // If there is no end here, there is none further on either.
      if (close < 0) mayClose = false;
      else comments.push(...place({ start: at, end: close + 3 }));
      at = close < 0 ? at + 4 : close + 3;
    } else {
      at += 1;
    }
  }
  return { code, comments };
}

function runLength(paragraph: string, start: number): number {
  let end = start;
  while (paragraph[end] === '`') end += 1;
  return end - start;
}

interface Runs {
  readonly starts: number[];
  /** How many were already passed: each is looked at once. */
  passed: number;
}

function backtickRuns(paragraph: string): ReadonlyMap<number, Runs> {
  const runs = new Map<number, Runs>();
  for (const { index, 0: run } of paragraph.matchAll(/`+/g)) {
    const same = runs.get(run.length) ?? { starts: [], passed: 0 };
    same.starts.push(index);
    runs.set(run.length, same);
  }
  return runs;
}

function nextRun(runs: Runs | undefined, from: number): number | null {
  if (runs === undefined) return null;
  while (runs.passed < runs.starts.length && runs.starts[runs.passed]! < from) runs.passed += 1;
  return runs.starts[runs.passed] ?? null;
}

/** From offsets in the joined paragraph to those in the text, a span for each line it touches. */
function spanPlacer(pieces: readonly Span[]): (span: Span) => Span[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const { start, end } of pieces) {
    offsets.push(offset);
    offset += end - start + 1;
  }
  let first = 0;
  return (span) => {
    while (first + 1 < pieces.length && offsets[first + 1]! <= span.start) first += 1;
    const placed: Span[] = [];
    for (let at = first; at < pieces.length && offsets[at]! < span.end; at += 1) {
      const piece = pieces[at]!;
      const start = piece.start + Math.max(0, span.start - offsets[at]!);
      const end = Math.min(piece.end, piece.start + span.end - offsets[at]!);
      if (start < end) placed.push({ start, end });
    }
    return placed;
  };
}
