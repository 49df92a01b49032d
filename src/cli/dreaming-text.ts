/** What `reverie status` says about dreaming, in lines for people. */

import type { DreamingStatus, ScopeDreaming } from '../layers/6-dreaming/inbox/status.ts';
import { counted, money } from './paint-view/amounts.ts';
import { dreamWords, tallyText } from './paint-view/dream-view.ts';
import { timeAgo } from './relative-time.ts';
import type { Paint } from './terminal/paint.ts';
import { plainLine } from './terminal/plain-text.ts';

export function dreamingLines(
  status: DreamingStatus,
  facts: {
    readonly paint: Paint;
    readonly now: Date;
    readonly inbox: string;
    /** What its calls cost and what kept it from its work, for the end of the line. */
    readonly ledger?: string;
    /** The setting that switched it off, in brackets. */
    readonly offBy?: string;
  },
): string[] {
  const { ledger = '', offBy = '' } = facts;
  const head = !status.isOn
    ? ['off', offBy].join(' ').trim()
    : `on, ${status.isByItself ? 'starts by itself' : 'only by hand or by a timer'}; ${status.mode === 'review' ? 'every change waits for you' : 'changes that pass its rules take effect'}`;
  return [`  dreaming: ${head}${ledger}`, ...status.scopes.flatMap((scope) => scopeLines(scope, { ...facts, status }))];
}

function scopeLines(
  scope: ScopeDreaming,
  facts: { readonly status: DreamingStatus; readonly paint: Paint; readonly now: Date; readonly inbox: string },
): string[] {
  const { paint, now, status } = facts;
  const lines: string[] = [];
  const { underWay, last, backOff } = scope;
  if (underWay !== null) {
    const words = dreamWords(underWay);
    lines.push(paint.cyan(`running, begun ${timeAgo(underWay.startedAt, now)}: ${words} (process ${underWay.pid})`));
  }
  if (last !== null)
    lines.push(`last dream ${timeAgo(last.startedAt, now)}, ${lastText(last)}; cost ${money(last.money)}`);
  else if (scope.lastAt !== null) lines.push(`last dream ${timeAgo(scope.lastAt, now)}`);
  if (scope.waiting > 0) {
    const verb = scope.waiting === 1 ? 'change waits' : 'changes wait';
    lines.push(paint.yellow(`${scope.waiting} ${verb} for you: ${facts.inbox}`));
  }
  if (backOff !== null) {
    const times = backOff.failures === 1 ? 'it failed once' : `it failed ${backOff.failures} times`;
    const problem = backOff.problem === '' ? '' : `: ${plainLine(backOff.problem)}`;
    lines.push(paint.yellow(`waits until ${minuteOf(backOff.until)}, because ${times}${problem}`));
  } else if (status.isByItself && scope.nextAt !== null) {
    lines.push(`next one from ${minuteOf(scope.nextAt)} on, after ${counted(status.sessions, 'session')}`);
  } else if (status.isByItself && scope.due !== null) {
    lines.push(dueText(scope.due));
  }
  return lines.map((line) => `    ${scope.scope}: ${line}`);
}

function dueText({ sessions, needed }: NonNullable<ScopeDreaming['due']>): string {
  if (sessions >= needed) return 'a dream is due: it begins after an answer in a conversation';
  return `the next one starts after ${counted(needed, 'session')}; ${sessions} so far`;
}

function lastText({ status, problem, changes }: NonNullable<ScopeDreaming['last']>): string {
  if (status === 'completed') {
    const counts = Object.entries(changes) as [keyof typeof changes, number][];
    const states = counts.flatMap(([state, count]) =>
      Array.from({ length: count }, () => ({ state: state === 'undone' ? ('taken back' as const) : state })),
    );
    return `completed: ${tallyText(states)}`;
  }
  return problem === null ? status : `${status}: ${plainLine(problem)}`;
}

function minuteOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
