/** What a session has cost: in total, by purpose, and by model. */

import type { Usage } from '../../conversation/message.ts';
import type { MeterTotals } from '../../model/meter.ts';
import type { Paint } from '../terminal/paint.ts';
import { counted, money, percent, shortNumber } from './amounts.ts';
import { columnRows } from './column-rows.ts';
import { cellsOf, cleanLine, type Row, renderRows, type Span, span } from './spans.ts';

export interface SpentBy {
  readonly name: string;
  readonly usage: Usage;
  /** US dollars; null when the model has no price. */
  readonly money: number | null;
}

export function costLines(facts: {
  readonly totals: MeterTotals;
  readonly byModel?: readonly SpentBy[] | undefined;
  readonly width: number | undefined;
  readonly paint: Paint;
}): string[] {
  const { totals, paint } = facts;
  const width = cellsOf(facts.width);
  const share = cacheHitShare(totals.usage);
  const head: Row = [
    span(totals.money === null ? 'cost unknown' : money(totals.money), paint.bold),
    span(` for ${counted(totals.calls, 'call')}`),
    span(share === null ? '' : ` · ${percent(share)} of the input from the cache`, paint.dim),
  ];
  const byPurpose = Object.entries(totals.byPurpose).map(([name, spent]) => ({ name, ...spent }));
  const groups = [
    { title: 'for', spent: byPurpose },
    { title: 'model', spent: facts.byModel ?? [] },
  ].filter(({ spent }) => spent.length > 0);
  return renderRows(
    [head, ...groups.flatMap(({ title, spent }) => [[], ...spentRows(spent, { title, width, paint })])],
    width,
  );
}

/** Share of all input tokens read from the prompt cache; null before the first call. */
export function cacheHitShare(usage: Usage): number | null {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return input === 0 ? null : usage.cacheReadTokens / input;
}

function spentRows(list: readonly SpentBy[], facts: { title: string; width: number; paint: Paint }): Row[] {
  const { paint } = facts;
  const head: Span[] = [facts.title, 'input', 'cache read', 'written', 'output', 'cost'].map((text) =>
    span(text, paint.dim),
  );
  const rows = list.map(({ name, usage, money: spent }) => [
    span(cleanLine(name)),
    ...[usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens, usage.outputTokens].map((tokens) =>
      span(shortNumber(tokens)),
    ),
    span(money(spent), paint.bold),
  ]);
  const number = (drop: number) => ({ align: 'right', drop }) as const;
  return columnRows([head, ...rows], {
    columns: [{ least: 10 }, number(3), number(2), number(1), number(4), { align: 'right' }],
    width: facts.width,
  });
}
