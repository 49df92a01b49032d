/** The record of a dream: when it begins, right before it lands, and when it is over. */

import { countsOf } from './closing.ts';
import type { Landing, Withheld } from './ports.ts';
import type { DreamProgress } from './progress.ts';
import type { BaseMemory, JudgedProposal } from './proposal.ts';
import { CUT_OFF } from './records/landing.ts';
import type { DreamChange, DreamRecord } from './records/record.ts';

/** What is known from the start. */
export type Began = Pick<DreamRecord, 'id' | 'startedAt' | 'by' | 'process' | 'model'>;

/** How it went, as far as it got. */
export interface Course {
  readonly status: DreamRecord['status'];
  readonly problem: string | null;
  readonly change: string | null;
  readonly changes: readonly DreamChange[];
  /** What was odd about the dreamer's list. */
  readonly remarks: readonly string[];
  /** Numbers of the changes for which only the journal knows whether they landed; none when that is known. */
  readonly landing?: readonly number[] | undefined;
}

export const BEGUN: Course = { status: 'running', problem: null, change: null, changes: [], remarks: [] };

export function recordOf(
  began: Began,
  facts: { readonly course: Course; readonly progress: DreamProgress; readonly endedAt: string | null },
): DreamRecord {
  const { status, problem, change, changes, remarks, landing } = facts.course;
  const { rounds, toolCalls, equivalentTokens, money } = facts.progress;
  return {
    ...began,
    ...{ endedAt: facts.endedAt, status, problem, rounds, toolCalls, equivalentTokens, money, change, changes },
    ...(remarks.length === 0 ? {} : { remarks }),
    ...(landing === undefined ? {} : { landing }),
  };
}

export interface Judged {
  readonly judged: readonly JudgedProposal[];
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly withheld: Withheld;
}

export function changesOf(
  { judged, base, withheld }: Judged,
  { skipped }: Pick<Landing, 'skipped'>,
): readonly DreamChange[] {
  return judged.map(({ proposal, verdict: judgement }, position) => {
    const { action, file, reason, evidence, into, drops } = proposal;
    const secret = withheld.get(proposal);
    const verdict = secret === undefined ? judgement : { kind: 'refuse' as const, reason: secret };
    const why = secret ?? skipped.get(proposal);
    const isLanded = verdict.kind === 'land' && why === undefined;
    return {
      ...{ number: position + 1, action, file, reason, evidence, into },
      // Fields that may repeat a secret are stored no more than the text.
      ...(drops.length === 0 || secret !== undefined ? {} : { drops }),
      state: isLanded ? 'landed' : verdict.kind === 'refuse' ? 'refused' : 'waiting',
      why: why ?? (verdict.kind === 'land' ? '' : verdict.reason),
      base: base.get(file)?.hash ?? null,
      text: verdict.kind === 'refuse' ? null : verdict.text,
    };
  });
}

/** Before anybody knows whether they land: with their texts, so that nothing is lost if they do not. */
export function aboutToLand(changes: readonly DreamChange[]): Pick<Course, 'changes' | 'landing'> {
  const isLanding = ({ state }: DreamChange) => state === 'landed';
  return {
    changes: changes.map((each) => (isLanding(each) ? { ...each, state: 'waiting', why: CUT_OFF } : each)),
    landing: changes.filter(isLanding).map(({ number }) => number),
  };
}

export function changedFiles({ changes }: Pick<DreamRecord, 'changes'>): readonly string[] {
  return changes.flatMap(({ state, file }) => (state === 'landed' ? [file] : []));
}

/** For the ledger. */
export function numbersOf(record: DreamRecord): Readonly<Record<string, number>> {
  const { rounds, toolCalls, equivalentTokens, startedAt, endedAt } = record;
  const milliseconds = Date.parse(endedAt ?? startedAt) - Date.parse(startedAt);
  return { rounds, toolCalls, equivalentTokens: Math.round(equivalentTokens), milliseconds, ...countsOf(record) };
}
