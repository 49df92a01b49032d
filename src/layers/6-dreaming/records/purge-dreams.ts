/** What dreams still hold of a purged memory: their records, the data of a running one, and copies of the folder. */

import { normalize } from 'node:path';
import type { MemoryScope } from '../../../base/taxonomy.ts';
import type { LockPatience } from '../../../disk/lock.ts';
import type { Place } from '../../../settings/place.ts';
import { removeAbandonedCopies } from '../session/copy.ts';
import { settleDeadDreams } from './dead.ts';
import { askStop, clearProgress, readProgress } from './progress.ts';
import type { DreamChange, DreamRecord } from './record.ts';
import { readDreamRecords, updateDreamRecord } from './records.ts';

export async function purgeDreamsOf(
  purged: { readonly scope: MemoryScope; readonly file: string },
  facts: { readonly place: Place; readonly memoryFolder: string },
): Promise<void> {
  const { place, memoryFolder } = facts;
  // A running one has read the memory: it ends, and its copy is removed.
  const seen = readProgress(memoryFolder);
  await settleDeadDreams(memoryFolder, { patience: place.limits.lock });
  if (seen?.liveness === 'gone') clearProgress(memoryFolder, seen.progress.id);
  else if (seen !== null) await askStop(memoryFolder, seen.progress.id);
  await removeAbandonedCopies({ home: place.home, limits: place.limits, now: () => new Date() });
  await purgeFromDreams(memoryFolder, { file: purged.file, patience: place.limits.lock });
}

// Removes a purged memory from the records of dreams: what was proposed for it, quoted from it, or made from its words.

/** Returns how many records held something of it. */
export async function purgeFromDreams(
  memoryFolder: string,
  wish: { readonly file: string; readonly patience: LockPatience },
): Promise<number> {
  const { file, patience } = wish;
  let purged = 0;
  const update = (record: DreamRecord): DreamRecord => {
    const remarks = record.remarks?.filter((remark) => !remark.includes(file));
    const changes = changesWithout(record.changes, file);
    return { ...record, changes, ...(remarks === undefined ? {} : { remarks }) };
  };
  for (const record of readDreamRecords(memoryFolder).records) {
    if (JSON.stringify(update(record)) === JSON.stringify(record)) continue;
    await updateDreamRecord(memoryFolder, { id: record.id, patience, update });
    purged += 1;
  }
  return purged;
}

function changesWithout(changes: readonly DreamChange[], file: string): readonly DreamChange[] {
  const isOf = (from: string) => normalize(from) === file;
  const heirs = new Set(changes.flatMap((change) => (change.file === file ? change.into : [])));
  return changes.flatMap((given): DreamChange[] => {
    // Nothing of it stays, not even what would confirm a guess.
    const change = given.into.some(isOf) ? withoutHolders(given) : given;
    const { evidence, state } = change;
    if (change.file === file) return [];
    // An index line may belong to the purged memory, whoever quoted it.
    const kept = evidence.filter(({ from }) => !isOf(from) && normalize(from) !== 'MEMORY.md');
    const isMadeOfIt = heirs.has(change.file) || evidence.some(({ from }) => isOf(from));
    if (!isMadeOfIt) return kept.length === evidence.length ? [change] : [{ ...change, evidence: kept }];
    // Its text would bring the words back once it is approved.
    return state === 'waiting' ? [] : [{ ...change, evidence: kept, reason: PURGED, why: '' }];
  });
}

function withoutHolders({ intoBase: _hashes, ...change }: DreamChange): DreamChange {
  return change;
}

const PURGED = 'Left out: it rested on a memory that was purged.';
