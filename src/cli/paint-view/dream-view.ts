/** Dreams for people: how far the one under way has come, what came of one, and what waits. */

import type { DreamProgress } from '../../layers/6-dreaming/progress.ts';
import type { DreamChange, DreamRecord } from '../../store/dream-record.ts';
import type { Paint } from '../paint.ts';
import { plainLine } from '../plain-text.ts';
import { counted, duration, money, percent } from './amounts.ts';

/** For the footer: `dreaming · 4 rounds · 2 files`. */
export function dreamWords({ rounds, files }: Pick<DreamProgress, 'rounds' | 'files'>): string {
  const touched = files.length === 0 ? [] : [counted(files.length, 'file')];
  return ['dreaming', counted(rounds, 'round'), ...touched].join(' · ');
}

/** On one line, with what it does just now. */
export function progressLine(progress: DreamProgress): string {
  const last = progress.lastRounds.at(-1);
  const doing = last === undefined ? [] : [plainLine(last.text) || last.tools.map(plainLine).join(', ')];
  const tools = progress.toolCalls === 0 ? [] : [counted(progress.toolCalls, 'tool call')];
  return [dreamWords(progress), ...tools, ...doing.filter((words) => words !== '')].join(' · ');
}

/** For `/tasks`: what it has done so far, round by round. */
export function dreamTaskLines(facts: { readonly progress: DreamProgress; readonly paint: Paint }): string[] {
  const { progress, paint } = facts;
  const { status, state, toolCalls, files, closing } = progress;
  const how = status === 'running' ? `${state}, ${dreamWords(progress)}` : status;
  const head = `${paint.bold(`dream ${plainLine(progress.id)}`)}  ${how} · ${counted(toolCalls, 'tool call')} · ${money(progress.money)}`;
  const touched = files.length === 0 ? [] : [`  files: ${files.map(plainLine).join(', ')}`];
  const rounds = progress.lastRounds.map(({ text, tools }) => {
    const called = tools.length === 0 ? '' : paint.cyan(`[${tools.map(plainLine).join(', ')}] `);
    return `  ${called}${paint.dim(plainLine(text))}`.trimEnd();
  });
  return [head, ...touched, ...rounds, ...(closing === null ? [] : [`  ${plainLine(closing)}`])];
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

/** What is to be done, why, on what evidence, and what became of it. */
export function changeLines(change: DreamChange, paint: Paint): string[] {
  const into = change.into.length === 0 ? '' : ` → ${change.into.map(plainLine).join(', ')}`;
  const coverage =
    change.coverage === null ? [] : [`     kept elsewhere: ${percent(change.coverage)} of its rare terms`];
  return [
    `  ${paint.yellow(String(change.number))}  ${paint.cyan(change.action)} ${paint.bold(plainLine(change.file))}${into}  ${stateText(change, paint)}`,
    `     ${plainLine(change.reason)}`,
    ...change.evidence.map(({ from, quote }) => paint.dim(`     ${plainLine(from)}: “${plainLine(quote)}”`)),
    ...coverage.map(paint.dim),
  ];
}

function stateText({ state, why }: DreamChange, paint: Paint): string {
  const reason = why === '' ? '' : `: ${plainLine(why)}`;
  switch (state) {
    case 'landed':
    case 'approved':
      return paint.green(state);
    case 'waiting':
      return paint.yellow(`waits${reason}`);
    case 'refused':
      return paint.red(`refused${reason}`);
    case 'rejected':
      return paint.dim('rejected');
  }
}

/** `2 landed, 1 waits`; `nothing to change` where nothing was proposed. */
export function tallyText(changes: readonly Pick<DreamChange, 'state'>[]): string {
  const count = (state: DreamChange['state']) => changes.filter((change) => change.state === state).length;
  const waiting = count('waiting');
  const parts = (['landed', 'approved', 'refused', 'rejected'] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${state}`);
  if (waiting > 0) parts.push(`${waiting} ${waiting === 1 ? 'waits' : 'wait'}`);
  return parts.length === 0 ? 'nothing to change' : parts.join(', ');
}
