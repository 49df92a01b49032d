/** Statistics for people: what matters most first, and nothing that was not measured. */

import { TERMINAL_LIMITS } from '../limits.ts';
import type { MemoryHealth } from '../reports/memory-health.ts';
import { type AgentStats, type CacheStats, MAIN, type Spending } from '../reports/stats/stats.ts';
import { timeAgo } from './relative-time.ts';
import { alignColumns, type Column, fitColumns } from './terminal/columns.ts';
import type { Paint } from './terminal/paint.ts';
import { plainLine } from './terminal/plain-text.ts';
import type { Terminal } from './terminal/terminal.ts';
import { textWidth } from './terminal/text-width.ts';
import { wrapWords } from './terminal/wrap.ts';

type Shown = Pick<Terminal, 'paint' | 'width' | 'isTerminal'>;

export function statsText(stats: AgentStats & { readonly memory?: MemoryHealth | null }, shown: Shown): string {
  const { paint } = shown;
  const leading: [string, string | null][] = [
    ['cache-hit share', percent(stats.cacheHitShare)],
    ['compactions per 100 rounds', stats.compactionsPer100Rounds?.toFixed(1) ?? null],
    ['compaction fidelity', fidelityText(stats)],
    ['pollution rate', stats.memory ? pollutionText(stats.memory) : null],
    ['stale share', stats.memory ? staleText(stats.memory) : null],
    ['breaker trips', tripsText(stats)],
    ['background share of cost', percent(stats.backgroundShare)],
    ['answered rounds', count(stats.rounds)],
    ['sessions', count(stats.sessions)],
  ];
  const measured = leading.filter((row): row is [string, string] => row[1] !== null);
  return [
    ...alignColumns(
      measured.map(([label, value]) => [
        { text: label, paint: paint.dim },
        { text: value, paint: paint.bold },
      ]),
    ),
    '',
    ...spendingLines('by purpose', stats.byPurpose, shown),
    '',
    ...spendingLines('by model', stats.byModel, shown),
    ...agentSpending(stats, shown),
  ].join('\n');
}

/** Where agents were started; else it would repeat the whole. */
function agentSpending({ byAgent }: AgentStats, shown: Shown): string[] {
  return byAgent.some(({ name }) => name !== MAIN) ? ['', ...spendingLines('by agent', byAgent, shown)] : [];
}

function fidelityText({ compactionFidelity: fidelity }: AgentStats): string | null {
  if (fidelity === null) return null;
  const { share, kept, repaired, lost } = fidelity;
  return `${percent(share)} (${count(kept)} kept, ${count(repaired)} repaired, ${count(lost)} lost)`;
}

function tripsText({ breakerTrips, tripsByPart }: AgentStats): string | null {
  if (breakerTrips === null) return null;
  const named = tripsByPart.map(({ part, trips }) => `${count(trips)} ${plainLine(part)}`);
  return `${count(breakerTrips)}${named.length === 0 ? '' : ` (${named.join(', ')})`}`;
}

function pollutionText({ pollutionRate, undone, refuted, neverUsed, memories }: MemoryHealth): string | null {
  if (pollutionRate === null) return null;
  const parts: [number, string][] = [
    [undone, 'undone'],
    [refuted, 'refuted'],
    [neverUsed, 'never used'],
  ];
  const named = parts.flatMap(([number, what]) => (number === 0 ? [] : [`${count(number)} ${what}`]));
  return `${percent(pollutionRate)} (${named.length === 0 ? 'none' : named.join(', ')} of ${count(memories)} here)`;
}

function staleText({ staleShare, stale, checked }: MemoryHealth): string | null {
  if (staleShare === null) return null;
  return `${percent(staleShare)} (${count(stale)} of ${count(checked)} here ${stale === 1 ? 'names' : 'name'} what is gone)`;
}

export function cacheText(cache: CacheStats, facts: Shown & { readonly now: Date }): string {
  const { paint } = facts;
  const shown = cache.breaks.slice(0, TERMINAL_LIMITS.cacheBreaks);
  const left = cache.breaks.length - shown.length;
  const rows = shown.map(({ at, session, tokens, cause }) => [
    { text: facts.isTerminal ? timeAgo(at, facts.now) : plainLine(at), paint: paint.dim },
    { text: plainLine(session), paint: paint.yellow },
    { text: `${count(tokens)} tokens` },
    { text: plainLine(cause), paint: paint.bold },
  ]);
  const parts = [
    rows.length === 0
      ? ['The prompt cache was not broken.']
      : fitColumns(rows, { columns: BREAK_COLUMNS, width: facts.width }),
    left > 0 ? [`and ${count(left)} more; --json has them all`] : [],
    titled(
      'by cause',
      cache.byCause.map(({ cause, breaks, tokens }) => {
        return [plainLine(cause), `${count(breaks)} ${breaks === 1 ? 'break' : 'breaks'}`, `${count(tokens)} tokens`];
      }),
      paint,
    ),
    titled(
      'hit share by day',
      cache.byDay.map(({ day, hitShare }) => [plainLine(day), percent(hitShare)!]),
      paint,
    ),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const BREAK_COLUMNS: readonly Column[] = [
  { fit: 'whole' },
  { fit: 'middle', drop: 1 },
  { fit: 'whole' },
  { fit: 'rest', below: true },
];

function titled(title: string, rows: readonly (readonly string[])[], paint: Paint): string[] {
  if (rows.length === 0) return [];
  const lines = alignColumns(
    rows.map((row) => row.map((text) => ({ text }))),
    { indent: '  ' },
  );
  return [paint.bold(title), ...lines];
}

function spendingLines(title: string, list: readonly Spending[], { paint, width }: Shown): string[] {
  const header = ['', 'calls', 'input', 'cache read', 'cache written', 'output', 'cost', 'time'];
  const rows = list.map(({ name, calls, failed, usage, milliseconds, ...cost }) => [
    plainLine(name),
    failed === 0 ? count(calls) : `${count(calls)} (${count(failed)} failed)`,
    ...[usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens, usage.outputTokens].map(count),
    costText({ ...cost, calls }),
    `${count(Math.round(milliseconds / 1_000))} s`,
  ]);
  const table = titled(title, [header, ...rows], paint);
  if (width === undefined || table.slice(1).every((line) => textWidth(line) <= width)) return table;
  const blocks = rows.flatMap(([name, ...values]) => {
    const facts = values.map((value, at) => `${header[at + 1]} ${value}`).join(', ');
    return [`  ${name}`, ...wrapWords(facts, width - 4).map((line) => `    ${line}`)];
  });
  return [paint.bold(title), ...blocks];
}

function costText({ money, unpriced, calls }: Pick<Spending, 'money' | 'unpriced' | 'calls'>): string {
  if (unpriced === calls) return 'unknown';
  const known = `$${money.toFixed(money < 1 ? 4 : 2)}`;
  return unpriced === 0 ? known : `${known} (${count(unpriced)} without a price)`;
}

function percent(share: number | null): string | null {
  return share === null ? null : `${(100 * share).toFixed(1)}%`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
