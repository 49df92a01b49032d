/** What the journal says happened to a dream's changes. It is written before the record: a kill or another process may come in between. */

import type { Journal } from '../../../disk/journal/journal.ts';
import { openJournalled } from '../../../disk/journal/journalled-folder.ts';
import type { DreamChange, DreamChangeState, DreamRecord } from '../records/record.ts';

export interface Journalled {
  /** Its id, for undo. */
  readonly change: string;
  /** The id of the change that undid it; null while it holds. */
  readonly undoneBy: string | null;
}

/** In the journal; approved changes are found by it. */
export function approvalReason(id: string, numbers: readonly number[]): string {
  return `approved from dream ${id}: ${numbers.join(', ')}`;
}

/** By number: what landed by itself or on approval, whether or not the record shows it. */
export function journalledOf(
  record: Pick<DreamRecord, 'id' | 'change' | 'changes'>,
  journal: Pick<Journal, 'newestFirst'>,
): ReadonlyMap<number, Journalled> {
  const byItself = record.changes.flatMap(({ number, state }) => (state === 'landed' ? [number] : []));
  const found = new Map<number, Journalled>();
  const undoneBy = new Map<string, string>();
  for (const { id, who, why, undoes } of journal.newestFirst()) {
    if (undoes !== undefined && !undoneBy.has(id)) undoneBy.set(undoes, id);
    const numbers = id === record.change ? byItself : who === 'dream' ? approvedIn(why, record.id) : [];
    for (const number of numbers) {
      if (!found.has(number)) found.set(number, { change: id, undoneBy: undoneBy.get(id) ?? null });
    }
  }
  return found;
}

/** The current state: what landed or was approved may have been undone since. */
export function stateOf(
  { number, state }: Pick<DreamChange, 'number' | 'state'>,
  journalled: ReadonlyMap<number, Journalled>,
): DreamChangeState | 'taken back' {
  const isTakenBack = (journalled.get(number)?.undoneBy ?? null) !== null;
  return isTakenBack && (state === 'landed' || state === 'approved') ? 'taken back' : state;
}

export function readJournalled(
  memoryFolder: string,
  record: Pick<DreamRecord, 'id' | 'change' | 'changes'>,
): ReadonlyMap<number, Journalled> {
  const store = openJournalled(memoryFolder);
  if (store === null) return new Map();
  try {
    return journalledOf(record, store.journal);
  } finally {
    store.close();
  }
}

/** The record as it would be if nothing had come between landing and recording. */
export function withApprovals(record: DreamRecord, journalled: ReadonlyMap<number, Journalled>): DreamRecord {
  const changes = record.changes.map((change) => {
    const isApproved = change.state === 'waiting' && journalled.get(change.number)?.undoneBy === null;
    return isApproved ? { ...change, state: 'approved' as const, text: null } : change;
  });
  return { ...record, changes };
}

function approvedIn(why: string, id: string): readonly number[] {
  const lead = approvalReason(id, []);
  return why.startsWith(lead) ? why.slice(lead.length).split(', ').map(Number) : [];
}
