/** Blocks of names and values for `/status`, and the background commands for `/tasks`. */

import type { Paint } from '../terminal/paint.ts';
import { cellsOf, cleanLine, type Row, renderRows, rowWidth, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

interface Drawn {
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** Values are wrapped next to their names, or below them if there is no room. */
export function factLines(
  facts: Drawn & {
    readonly title?: string | undefined;
    readonly rows: readonly (readonly [name: string, value: string])[];
  },
): string[] {
  const { paint } = facts;
  const width = cellsOf(facts.width);
  const names = facts.rows.map(([name]) => cleanLine(name));
  const widest = names.reduce((most, name) => Math.max(most, rowWidth([span(name)])), 0);
  const isBeside = widest + 2 <= width / 2;
  const title: Row[] = facts.title === undefined ? [] : [[span(cleanLine(facts.title), paint.bold)]];
  const rows = facts.rows.flatMap(([, value], at): Row[] => {
    const name = names[at]!;
    const gap = ' '.repeat(Math.max(0, widest - rowWidth([span(name)])) + 2);
    const indent = span(' '.repeat(isBeside ? widest + 2 : 2));
    const first = isBeside ? [span(name, paint.dim), span(gap)] : [indent];
    const wrapped = wrapSpans([span(cleanLine(value))], { width, first, rest: [indent], at: 'words' });
    return isBeside ? wrapped : [[span(name, paint.dim)], ...wrapped];
  });
  return renderRows([...title, ...rows], width);
}
