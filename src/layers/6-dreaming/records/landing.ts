/** A dream that was about to land when it was last heard of: the journal tells whether it did, and the record is completed by that. */

import type { Change } from '../../../disk/journal/change.ts';
import type { Journal } from '../../../disk/journal/journal.ts';
import type { DreamRecord } from './record.ts';

/** As much of a journal as is asked here. */
export type ReadJournal = Pick<Journal, 'newestFirst'>;

/** Of a change that was about to land, for as long as nobody knows better. */
export const CUT_OFF = 'It was to land by itself, and that was cut off.';

/** What the journal says of the change: that a dream landed is found by it. */
export function landingReason(id: string, summary: string): string {
  return `dream ${id}: ${summary}`;
}

/** Of a dream that will not land any more: completed where it had, else all of it waits. */
export function afterLanding(record: DreamRecord, journal: ReadJournal): DreamRecord {
  const { landing, ...rest } = record;
  if (landing === undefined) return record;
  const change = landedAs(record.id, journal);
  if (change === null) return rest;
  return {
    ...rest,
    status: 'completed',
    problem: null,
    endedAt: change.at,
    change: change.id,
    changes: record.changes.map((each) =>
      landing.includes(each.number) ? { ...each, state: 'landed', why: '', text: null } : each,
    ),
    remarks: [...(record.remarks ?? []), 'It was cut off once this had landed.'],
  };
}

/** In the journal means landed: what is not in place yet is put there by whoever takes the folder's lock next. */
function landedAs(id: string, journal: ReadJournal): Change | null {
  for (const change of journal.newestFirst()) {
    if (change.who === 'dream' && change.why.startsWith(landingReason(id, ''))) return change;
  }
  return null;
}
