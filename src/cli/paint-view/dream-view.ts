/** Dreams for people: how far the running one is, what one did, and what is waiting. */

import type { DreamProgress } from '../../layers/6-dreaming/progress.ts';
import type { DreamChange, DreamDrop, DreamRecord } from '../../layers/6-dreaming/records/record.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { counted, duration, money } from './amounts.ts';
import { cellsOf, cleanLine, type Row, renderRows, type Span, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

export interface DreamFooter {
  readonly rounds: number;
  /** How many it wrote so far. */
  readonly files: number;
}

/** Null when none is running. */
export function dreamFooter(progress: DreamProgress | null): DreamFooter | null {
  if (progress?.status !== 'running') return null;
  return { rounds: progress.rounds, files: progress.files.length };
}

/** For the footer: `dreaming · 4 rounds · 2 files`. */
export function dreamWords({ rounds, files }: DreamFooter): string {
  const touched = files === 0 ? [] : [counted(files, 'file')];
  return ['dreaming', counted(rounds, 'round'), ...touched].join(' · ');
}

function wordsOf({ rounds, files }: DreamProgress): string {
  return dreamWords({ rounds, files: files.length });
}

/** On one line, with what it is doing right now. */
export function progressLine(progress: DreamProgress): string {
  const last = progress.lastRounds.at(-1);
  const doing = last === undefined ? [] : [plainLine(last.text) || last.tools.map(plainLine).join(', ')];
  const tools = progress.toolCalls === 0 ? [] : [counted(progress.toolCalls, 'tool call')];
  return [wordsOf(progress), ...tools, ...doing.filter((words) => words !== '')].join(' · ');
}

/** For `/tasks`: what it has done so far, round by round. */
export function dreamTaskLines(facts: {
  readonly progress: DreamProgress;
  readonly width: number | undefined;
  readonly paint: Paint;
}): string[] {
  const { progress, paint } = facts;
  const width = cellsOf(facts.width);
  const { status, state, toolCalls, files, closing } = progress;
  const how =
    status === 'running' ? `${state}, ${wordsOf(progress)}` : `${status}, ${counted(progress.rounds, 'round')}`;
  const cost = [counted(toolCalls, 'tool call'), `cost ${money(progress.money)}`].join(' · ');
  const indented = (spans: readonly Span[]) => wrapSpans(spans, { width, first: [span('  ')], at: 'words' });
  const rows: Row[] = [
    ...wrapSpans([span(`dream ${cleanLine(progress.id)}`, paint.bold), span(`  ${how} · ${cost}`)], {
      width,
      at: 'words',
    }),
    ...(files.length === 0 ? [] : indented([span(`files: ${files.map(cleanLine).join(', ')}`)])),
    ...progress.lastRounds.flatMap(({ text, tools }) => {
      const called = tools.length === 0 ? [] : [span(`[${tools.map(cleanLine).join(', ')}] `, paint.cyan)];
      return indented([...called, span(cleanLine(text), paint.dim)]);
    }),
    ...(closing === null ? [] : indented([span(cleanLine(closing))])),
  ];
  return renderRows(rows, width);
}

const BY: Readonly<Record<DreamRecord['by'], string>> = { itself: 'by itself', hand: 'by hand', timer: 'by a timer' };

/** When, for how long, how it ended, and what it cost. */
export function dreamHeading(record: DreamRecord, scope: string): string {
  const seconds = record.endedAt === null ? null : (Date.parse(record.endedAt) - Date.parse(record.startedAt)) / 1_000;
  const facts = [
    `Dream ${plainLine(record.id)} of the ${scope} memory, ${BY[record.by]}: ${record.status}`,
    ...(seconds === null ? [] : [duration(seconds)]),
    counted(record.rounds, 'round'),
    counted(record.toolCalls, 'tool call'),
    `cost ${money(record.money)}`,
  ];
  return facts.join(', ');
}

/** What was wrong with the list, including changes that were not made. */
export function remarkLines({ remarks = [] }: Pick<DreamRecord, 'remarks'>, paint: Paint): string[] {
  return remarks.map((remark) => paint.yellow(`  ${plainLine(remark)}`));
}

export interface DreamStyle {
  readonly paint: Paint;
  /** It had no effect: this shows what it would have done. */
  readonly isDryRun?: boolean;
  /** It landed, but no longer holds. */
  readonly isTakenBack?: boolean;
}

/** What is to be done, why, on what evidence, and what happened to it. */
export function changeLines(change: DreamChange, style: DreamStyle): string[] {
  const { paint } = style;
  const into = change.into.length === 0 ? '' : ` → ${change.into.map(plainLine).join(', ')}`;
  return [
    `  ${paint.yellow(String(change.number))}  ${paint.cyan(change.action)} ${paint.bold(plainLine(change.file))}${into}  ${stateText(change, style)}`,
    `     ${plainLine(change.reason)}`,
    ...change.evidence.map(({ from, quote }) => paint.dim(`     ${plainLine(from)}: “${plainLine(quote)}”`)),
    ...(change.drops ?? []).map((drop) => paint.dim(`     drops “${plainLine(drop.quote)}”: ${dropText(drop)}`)),
  ];
}

function dropText(drop: DreamDrop): string {
  switch (drop.because) {
    case 'duplicate':
      return `${plainLine(drop.of.file)} says “${plainLine(drop.of.quote)}”`;
    case 'superseded':
      return `${plainLine(drop.by.file)} says later “${plainLine(drop.by.quote)}”`;
    case 'expired':
      return `over since ${plainLine(drop.day)}`;
    case 'gone':
      return `${plainLine(drop.path)} is gone`;
  }
}

function stateText({ state, why }: DreamChange, { paint, isDryRun = false, isTakenBack = false }: DreamStyle): string {
  const reason = why === '' ? '' : `: ${plainLine(why)}`;
  switch (state) {
    case 'landed':
    case 'approved':
      return isTakenBack ? paint.dim(`${state}, then taken back`) : paint.green(isDryRun ? 'would land' : state);
    case 'waiting':
      return paint.yellow(`${isDryRun ? 'would wait' : 'waits'}${reason}`);
    case 'refused':
      return paint.red(`refused${reason}`);
    case 'rejected':
      return paint.dim('rejected');
  }
}

/** `2 landed, 1 waits`; for a dry run `2 would land`; `nothing to change` when nothing was proposed. */
export function tallyText(
  changes: readonly { readonly state: DreamChange['state'] | 'taken back' }[],
  { isDryRun }: { readonly isDryRun: boolean } = { isDryRun: false },
): string {
  const count = (state: (typeof changes)[number]['state']) => changes.filter((change) => change.state === state).length;
  const waiting = count('waiting');
  const parts = (['landed', 'approved', 'taken back', 'refused', 'rejected'] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${isDryRun && state === 'landed' ? 'would land' : state}`);
  if (waiting > 0) parts.push(`${waiting} ${isDryRun ? 'would wait' : waiting === 1 ? 'waits' : 'wait'}`);
  return parts.length === 0 ? 'nothing to change' : parts.join(', ');
}
