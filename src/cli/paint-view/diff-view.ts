/** A diff with line numbers: red goes, green comes, and within a line the words that changed. */

import type { Paint } from '../paint.ts';
import { counted } from './amounts.ts';
import type { Diff, DiffLine } from './diff-of.ts';
import { cellsOf, cleanText, type Look, type Row, renderRows, type Span, span } from './spans.ts';
import { visibleSpans } from './visible-text.ts';
import { wrapSpans } from './wrap-spans.ts';

export interface DiffLayout {
  readonly width: number;
  readonly paint: Paint;
  /** Rows after which it is folded. */
  readonly most: number;
  /** Whether what a terminal would not show stands as an escape. */
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

/** The rows, and how many lines of the diff are left out. */
export function diffRows(diff: Diff, layout: DiffLayout): { rows: Row[]; left: number } {
  const rows: Row[] = [];
  const digits = String(
    diff.lines.reduce((most, line) => Math.max(most, line.kind === 'gap' ? 0 : line.number), 1),
  ).length;
  for (const [at, line] of diff.lines.entries()) {
    const own = lineRows(line, { ...layout, digits });
    if (rows.length > 0 && rows.length + own.length > layout.most) return { rows, left: diff.lines.length - at };
    rows.push(...own);
  }
  return { rows, left: 0 };
}

export function diffSummary(diff: Diff): string {
  const parts = [
    diff.isNew ? 'new' : '',
    diff.added > 0 ? `+${diff.added}` : '',
    diff.removed > 0 ? `−${diff.removed}` : '',
  ];
  return parts.filter((part) => part !== '').join(' ') || 'no change';
}

function lineRows(line: DiffLine, facts: DiffLayout & { digits: number }): Row[] {
  const { paint, digits, width } = facts;
  if (line.kind === 'gap') return [[span(`${' '.repeat(digits)} ⋮`, paint.dim)]];
  const look = line.kind === 'added' ? paint.green : line.kind === 'removed' ? paint.red : undefined;
  const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' ';
  return wrapSpans(textSpans(line, { ...facts, look }), {
    width,
    first: [span(`${String(line.number).padStart(digits)} `, paint.dim), span(`${sign} `, look)],
    rest: [span(' '.repeat(digits + 3))],
    at: 'anywhere',
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
