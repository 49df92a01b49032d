/** A dream that was about to land when last heard of: the journal says whether it did, and the record is completed from that. */

import type { Change } from '../../../disk/journal/change.ts';
import type { Journal } from '../../../disk/journal/journal.ts';
import type { DreamRecord } from './record.ts';

/** The part of a journal that is needed here. */
export type ReadJournal = Pick<Journal, 'newestFirst'>;

/** For a change that was about to land, until somebody knows better. */
export const CUT_OFF = 'It was to land by itself, and that was cut off.';

/** The journal's summary of the change, by which a landed dream is found. */
export function landingReason(id: string, summary: string): string {
  return `dream ${id}: ${summary}`;
}

/** For a dream that will not land any more: completed if it had landed, else all of it waits. */
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

/** In the journal means landed: whoever takes the folder's lock next puts in place what is missing. */
function landedAs(id: string, journal: ReadJournal): Change | null {
  for (const change of journal.newestFirst()) {
    if (change.who === 'dream' && change.why.startsWith(landingReason(id, ''))) return change;
  }
  return null;
}
