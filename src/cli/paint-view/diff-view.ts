/** A diff with line numbers: red is removed, green is added, and within a line the changed words. */

import type { Paint } from '../terminal/paint.ts';
import { counted } from './amounts.ts';
import type { Diff, DiffLine } from './diff-of.ts';
import { cellsOf, cleanText, type Look, type Row, renderRows, type Span, span } from './spans.ts';
import { visibleSpans } from './visible-text.ts';
import { type LaterRows, wrapLater } from './wrap-spans.ts';

export interface DiffLayout {
  readonly width: number;
  readonly paint: Paint;
  /** Whether characters a terminal would not show appear as escapes. */
  readonly showsHidden: boolean;
}

export function diffLines(facts: {
  readonly diff: Diff;
  readonly width: number | undefined;
  readonly paint: Paint;
  readonly most?: number;
}): string[] {
  const width = cellsOf(facts.width);
  const { rows, left } = diffRows(facts.diff, {
    ...{ width, paint: facts.paint, most: facts.most ?? Number.POSITIVE_INFINITY, showsHidden: false },
  });
  return renderRows(left === 0 ? rows : [...rows, [span(`… +${counted(left, 'line')}`, facts.paint.dim)]], width);
}

/** The rows, and how many lines of the diff are not shown whole. */
export function diffRows(diff: Diff, layout: DiffLayout & { readonly most: number }): { rows: Row[]; left: number } {
  const rows: Row[] = [];
  for (const [at, line] of diffLater(diff, layout).entries()) {
    const room = layout.most - rows.length;
    if (line.height > room) {
      // A first line longer than all of the room is shown by its beginning.
      if (rows.length === 0) rows.push(...line.draw().slice(0, room));
      return { rows, left: diff.lines.length - at };
    }
    rows.push(...line.draw());
  }
  return { rows, left: 0 };
}

/** Line by line, drawn when visible. */
export function diffLater(diff: Diff, layout: DiffLayout): LaterRows[] {
  const numbers = diff.lines.map((line) => (line.kind === 'gap' ? 0 : line.number));
  const digits = String(numbers.reduce((most, number) => Math.max(most, number), 1)).length;
  return diff.lines.map((line) => lineLater(line, { ...layout, digits }));
}

export function diffSummary(diff: Diff): string {
  const parts = [
    diff.isNew ? 'new' : '',
    diff.added > 0 ? `+${diff.added}` : '',
    diff.removed > 0 ? `−${diff.removed}` : '',
  ];
  return parts.filter((part) => part !== '').join(' ') || 'no change';
}

function lineLater(line: DiffLine, facts: DiffLayout & { digits: number }): LaterRows {
  const { paint, digits, width } = facts;
  if (line.kind === 'gap') return { height: 1, draw: () => [[span(`${' '.repeat(digits)} ⋮`, paint.dim)]] };
  const look = line.kind === 'added' ? paint.green : line.kind === 'removed' ? paint.red : undefined;
  const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' ';
  return wrapLater(line.text, {
    spans: () => textSpans(line, { ...facts, look }),
    layout: {
      width,
      first: [span(`${String(line.number).padStart(digits)} `, paint.dim), span(`${sign} `, look)],
      rest: [span(' '.repeat(digits + 3))],
    },
  });
}

function textSpans(
  line: Exclude<DiffLine, { kind: 'gap' }>,
  facts: { paint: Paint; look: Look | undefined; showsHidden: boolean },
): Span[] {
  const { paint, look = (text: string) => text } = facts;
  const emphasised: Look = (text) => look(paint.inverse(text));
  const shown = (text: string, own: Look) =>
    facts.showsHidden
      ? visibleSpans(text, { plain: own, escape: (escaped) => paint.yellow(paint.inverse(escaped)) })
      : [span(cleanText(text), own)];
  const spans: Span[] = [];
  let at = 0;
  for (const [start, end] of line.changed) {
    spans.push(...shown(line.text.slice(at, start), look), ...shown(line.text.slice(start, end), emphasised));
    at = end;
  }
  return [...spans, ...shown(line.text.slice(at), look)];
}
