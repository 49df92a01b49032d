/** What dreams still hold of a memory that is purged: their records, what is known of a running one, and copies of the folder. */

import type { MemoryScope } from '../../../base/taxonomy.ts';
import type { Place } from '../../../settings/place.ts';
import { removeAbandonedCopies } from '../session/copy.ts';
import { settleDeadDreams } from './dead.ts';
import { askStop, clearProgress, readProgress } from './progress.ts';
import { purgeFromDreams } from './purge.ts';

export async function purgeDreamsOf(
  purged: { readonly scope: MemoryScope; readonly file: string },
  facts: { readonly place: Place; readonly memoryFolder: string },
): Promise<void> {
  const { place, memoryFolder } = facts;
  // A running one has read the memory: it ends, and takes its copy along.
  const seen = readProgress(memoryFolder);
  await settleDeadDreams(memoryFolder, { patience: place.limits.lock });
  if (seen?.liveness === 'gone') clearProgress(memoryFolder, seen.progress.id);
  else if (seen !== null) await askStop(memoryFolder, seen.progress.id);
  await removeAbandonedCopies({ home: place.home, limits: place.limits, now: () => new Date() });
  await purgeFromDreams(memoryFolder, { file: purged.file, patience: place.limits.lock });
}
