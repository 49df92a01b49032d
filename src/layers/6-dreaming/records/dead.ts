/** Dreams that never finished: progress and journal say how far one got, what it cost and whether it landed. */

import { openJournalled } from '../../../disk/journal/journalled-folder.ts';
import type { LockPatience } from '../../../disk/lock.ts';
import { livenessOf } from '../../../disk/process-identity.ts';
import { afterLanding, type ReadJournal } from './landing.ts';
import { readProgress, type SeenProgress } from './progress.ts';
import type { DreamRecord } from './record.ts';
import { type KeptDreams, readDreamRecord, readDreamRecords, updateDreamRecord } from './records.ts';

/** The record of an unfinished dream, with the figures from its progress. */
export function asLastSeen(record: DreamRecord, seen: SeenProgress | null): DreamRecord {
  if (record.status !== 'running' || seen?.progress.id !== record.id) return record;
  const { rounds, toolCalls, equivalentTokens, money } = seen.progress;
  return { ...record, rounds, toolCalls, equivalentTokens, money };
}

export interface EndFacts {
  readonly seen: SeenProgress | null;
  readonly journal: ReadJournal;
  /** Whoever holds the dreamers' lock knows that no other dream is running. */
  readonly isAlone?: boolean;
}

/** The same as it ended, if its process is gone: completed if it had landed, else killed. One about to land is left undecided. */
export function asEnded(record: DreamRecord, facts: EndFacts): DreamRecord {
  const { seen, journal } = facts;
  if (record.status === 'failed') return afterLanding(record, journal);
  if (record.status !== 'running') return record;
  const known = asLastSeen(record, seen);
  if (!isOver(record, facts)) return record.landing === undefined ? known : { ...known, changes: [] };
  const ended = afterLanding(known, journal);
  return ended.status === 'completed' ? ended : { ...ended, status: 'killed', problem: 'its process was killed' };
}

function isOver({ id, process, landing }: DreamRecord, { seen, isAlone = false }: EndFacts): boolean {
  if (isAlone || livenessOf(process) === 'gone') return true;
  // Its end could not be recorded, so no more progress is shown for it.
  return landing !== undefined && seen?.progress.id !== id;
}

/** All of them, each as it ended; changes nothing. */
export function readEndedDreams(memoryFolder: string): KeptDreams {
  const { records, damaged } = readDreamRecords(memoryFolder);
  return { records: endedIn(memoryFolder, records), damaged };
}

export function readEndedDream(memoryFolder: string, id: string): DreamRecord | null {
  const record = readDreamRecord(memoryFolder, id);
  return record === null ? null : endedIn(memoryFolder, [record])[0]!;
}

/** Records of that folder, in their order. */
export function endedIn(memoryFolder: string, records: readonly DreamRecord[]): readonly DreamRecord[] {
  const isEnded = ({ status, landing }: DreamRecord) => status !== 'running' && landing === undefined;
  if (records.every(isEnded)) return records;
  const seen = readProgress(memoryFolder);
  const store = openJournalled(memoryFolder);
  try {
    const journal = store?.journal ?? NO_JOURNAL;
    return records.map((record) => asEnded(record, { seen, journal }));
  } finally {
    store?.close();
  }
}

const NO_JOURNAL: ReadJournal = {
  *newestFirst() {},
};

/** Before progress is cleared or replaced: records what is known about a dead one. */
export async function settleDeadDreams(
  memoryFolder: string,
  facts: Pick<EndFacts, 'isAlone'> & { readonly patience: LockPatience },
): Promise<void> {
  const { patience, isAlone = false } = facts;
  const seen = readProgress(memoryFolder);
  for (const { id, status, landing, process } of readDreamRecords(memoryFolder).records) {
    const isDead = status === 'running' && (isAlone || livenessOf(process) === 'gone');
    const isCutOff = status === 'failed' && landing !== undefined;
    if (!isDead && !isCutOff) continue;
    const update = (newest: DreamRecord, journal: ReadJournal) => asEnded(newest, { seen, journal, isAlone });
    await updateDreamRecord(memoryFolder, { id, patience, update });
  }
}
