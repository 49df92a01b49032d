/** What dreams still hold of a memory that is purged: their records, what is known of one under way, and copies of the folder. */

import type { MemoryScope } from '../memory/taxonomy.ts';
import { settleDeadDreams } from '../store/dream-dead.ts';
import { askStop, clearProgress, readProgress } from '../store/dream-progress.ts';
import { purgeFromDreams } from '../store/dream-purge.ts';
import { removeAbandonedCopies } from './dream-copy.ts';
import type { Place } from './place.ts';

export async function purgeDreamsOf(
  purged: { readonly scope: MemoryScope; readonly file: string },
  facts: { readonly place: Place; readonly memoryFolder: string },
): Promise<void> {
  const { place, memoryFolder } = facts;
  // One under way has read the memory: it ends, and takes its copy along.
  const seen = readProgress(memoryFolder);
  await settleDeadDreams(memoryFolder, { patience: place.limits.lock });
  if (seen?.liveness === 'gone') clearProgress(memoryFolder, seen.progress.id);
  else if (seen !== null) await askStop(memoryFolder, seen.progress.id);
  await removeAbandonedCopies({ home: place.home, limits: place.limits, now: () => new Date() });
  await purgeFromDreams(memoryFolder, { file: purged.file, patience: place.limits.lock });
}
