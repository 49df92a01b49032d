/** A dream whose process was killed: how far it came and what it had cost stands in its progress until the next one begins. */

import { readProgress, type SeenProgress } from './dream-progress.ts';
import type { DreamRecord } from './dream-record.ts';
import { readDreamRecords, updateDreamRecord } from './dream-records.ts';
import type { LockPatience } from './lock.ts';
import { livenessOf } from './process-identity.ts';

/** The record of one that did not come to its end, with the figures of its progress. */
export function asLastSeen(record: DreamRecord, seen: SeenProgress | null): DreamRecord {
  if (record.status !== 'running' || seen?.progress.id !== record.id) return record;
  const { rounds, toolCalls, equivalentTokens, money } = seen.progress;
  return { ...record, rounds, toolCalls, equivalentTokens, money };
}

/** The same, and as killed where its process is gone. */
export function asEnded(record: DreamRecord, seen: SeenProgress | null): DreamRecord {
  const known = asLastSeen(record, seen);
  if (record.status !== 'running' || livenessOf(record.process) !== 'gone') return known;
  return { ...known, status: 'killed', problem: 'its process was killed' };
}

/** Before progress is cleared or another's takes its place: what is known of a dead one goes with it. */
export async function settleDeadDreams(memoryFolder: string, patience: LockPatience): Promise<void> {
  const seen = readProgress(memoryFolder);
  for (const record of readDreamRecords(memoryFolder).records) {
    if (asEnded(record, seen).status === record.status) continue;
    await updateDreamRecord(memoryFolder, { id: record.id, patience, update: (newest) => asEnded(newest, seen) });
  }
}
