/** `reverie memory usefulness`: how often each memory was recalled, and whether that helped. */

import { TERMINAL_LIMITS } from '../../../limits.ts';
import { readUsefulness } from '../../../memory/history/usefulness.ts';
import type { Memory } from '../../../memory/memory.ts';
import { gatherLedgerProblems } from '../../../reports/doctor/ledger.ts';
import { listUsefulness, type UsefulnessList, type UsefulnessRow } from '../../../reports/usefulness-rows.ts';
import { findPlace } from '../../../settings/place.ts';
import { defineCommand } from '../../command.ts';
import { placeOptions } from '../../options/place-options.ts';
import { usageError } from '../../options/usage.ts';
import { problemLines } from '../../problem-lines.ts';
import { dateOf, timeAgo } from '../../relative-time.ts';
import { type Column, fitColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { startProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { wrapWords } from '../../terminal/wrap.ts';

const DAY_MS = 24 * 60 * 60_000;

export const command = defineCommand({
  arguments: [],
  about:
    'What never helped comes first. Used: an answer or a call held words of it that nobody else had said, or its file was opened. Contradicted: it was corrected, refuted or removed after it had been recalled.',
  options: {
    days: {
      kind: 'number',
      value: 'N',
      help: `Only the last N days (${TERMINAL_LIMITS.usefulnessDays}, today included)`,
    },
  },
  examples: ['reverie memory usefulness', 'reverie memory usefulness --days 7 --json'],
  async run({ options, place, environment, terminal, now, openMemory }) {
    const days = options.days ?? TERMINAL_LIMITS.usefulnessDays;
    if (!Number.isInteger(days) || days < 1) {
      throw usageError('--days takes a whole number from 1 on.', 'memory usefulness');
    }
    const memory = await openMemory();
    const memories = await memory.list();
    const found = findPlace(placeOptions(place, environment));
    const ledger = gatherLedgerProblems(found.home);
    const progress = startProgress(terminal, 'Reading the ledger, day');
    const counts = await readUsefulness({
      ...{ place: found, now, days, onProblem: ledger.onProblem },
      onProgress: (at) => progress.report(days - Math.floor((now.getTime() - Date.parse(at)) / DAY_MS), days),
    });
    progress.end();
    const list = listUsefulness(counts, { memories });
    const problems = ledger.lines();
    const told = list.rows.length === 0 ? emptyText(memory, list, days) : listText(list, terminal, now);
    // Recalls are only in the ledger: without one, nobody knows that there were none.
    const text = list.rows.length === 0 && problems.length > 0 ? 'What was recalled cannot be told.' : told;
    return { data: { ...list, problems }, text: [text, ...problemLines(problems, terminal.paint)].join('\n') };
  },
});

const COLUMNS: readonly Column[] = [
  { fit: 'whole' },
  { fit: 'whole' },
  { fit: 'whole' },
  { fit: 'whole', drop: 1 },
  { fit: 'rest', below: true },
];
const NOT_SEEN = '-';

function listText(list: UsefulnessList, terminal: Terminal, now: Date): string {
  const { paint, width, isTerminal } = terminal;
  const header = ['recalled', 'used', 'contradicted', 'last recalled', 'memory'];
  const rows = list.rows.map((row) => [
    { text: String(row.recalled) },
    { text: row.watched === 0 ? NOT_SEEN : String(row.used), paint: usedPaint(row, terminal) },
    { text: String(row.contradicted), ...(row.contradicted > 0 ? { paint: paint.yellow } : {}) },
    { text: isTerminal ? timeAgo(row.lastRecalledAt, now) : dateOf(row.lastRecalledAt), paint: paint.dim },
    { text: plainLine(row.scope === 'global' ? `global:${row.file}` : row.file), paint: paint.bold },
  ]);
  const notes = [
    countText(list.neverRecalled, 'was', 'were', 'not recalled'),
    countText(list.gone, 'was', 'were', 'recalled and then removed'),
    list.rows.some(({ watched }) => watched === 0)
      ? `${NOT_SEEN} where a memory was recalled by a hook or in another loop: what came of it is not seen there.`
      : '',
  ].filter((note) => note !== '');
  const heading = header.map((text) => ({ text, paint: paint.dim }));
  const wrapped = notes.flatMap((note) => wrapWords(note, width ?? Number.POSITIVE_INFINITY));
  return [
    ...fitColumns([heading, ...rows], { columns: COLUMNS, width }),
    ...(wrapped.length === 0 ? [] : ['', ...wrapped.map((line) => paint.dim(line))]),
  ].join('\n');
}

function usedPaint({ verdict }: UsefulnessRow, { paint }: Terminal): (text: string) => string {
  switch (verdict) {
    case 'used':
      return paint.green;
    case 'never-used':
      return paint.yellow;
    case 'contradicted':
    case 'not-yet-used':
    case 'not-seen':
      return paint.dim;
  }
}

function countText(count: number, ...[one, many, what]: readonly [string, string, string]): string {
  if (count === 0) return '';
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'memory' : 'memories'} ${count === 1 ? one : many} ${what}.`;
}

function emptyText(memory: Memory, { neverRecalled, gone }: UsefulnessList, days: number): string {
  if (!memory.enabled) return memory.offReason ?? 'Memory is off.';
  if (neverRecalled === 0 && gone === 0) return 'Nothing is remembered here yet.';
  const when = days === 1 ? 'today' : `in the last ${days} days`;
  const others = countText(gone, 'was', 'were', 'recalled and then removed');
  return [
    `None of ${neverRecalled.toLocaleString('en-US')} ${neverRecalled === 1 ? 'memory' : 'memories'} was recalled ${when}. ${others}`.trim(),
    'An agent is told of memories while it works: in `reverie`, by the hooks of `reverie install`, or in a loop of yours.',
  ].join('\n');
}
