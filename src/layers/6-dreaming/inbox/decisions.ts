/** What the user decided about earlier dreams or still has to decide, read from their records; and what a rejection is recorded with. */

import { checkInside } from '../../../disk/check-inside.ts';
import { readFile } from '../../../disk/commit.ts';
import { hashOf } from '../../../disk/contents.ts';
import { openFolder } from '../../../disk/folder.ts';
import type { BaseMemory, EarlierChange } from '../index.ts';
import { readEndedDreams } from '../records/dead.ts';
import { CUT_OFF } from '../records/landing.ts';
import type { DreamChange } from '../records/record.ts';

/** Newest first; a change the journal shows as approved has another text by now and does not count. */
export function earlierDecisions(memoryFolder: string): readonly EarlierChange[] {
  return readEndedDreams(memoryFolder).records.flatMap(({ id, changes }) =>
    changes.flatMap((change) => (isOpen(change) ? [{ dream: id, change }] : [])),
  );
}

/** Memories the user was asked to remove and that have not changed since. */
export function askedRemovals(memoryFolder: string, base: ReadonlyMap<string, BaseMemory>): ReadonlySet<string> {
  return new Set(
    earlierDecisions(memoryFolder).flatMap(({ change: { action, file, base: hash } }) =>
      action === 'remove' && base.get(file)?.hash === hash ? [file] : [],
    ),
  );
}

/** A change that was only cut off was going to land by itself: no rule asked the user, so the next dream may do it. */
function isOpen({ state, why }: DreamChange): boolean {
  return (state === 'waiting' && why !== CUT_OFF) || state === 'rejected';
}

/** By number: when it was rejected, and what was to replace it at that time. */
export function rejectionsOf(
  memoryFolder: string,
  { chosen, now }: { readonly chosen: readonly DreamChange[]; readonly now: Date },
): ReadonlyMap<number, Pick<DreamChange, 'decidedAt' | 'intoBase'>> {
  const root = openFolder(memoryFolder);
  try {
    const hashNow = (file: string) => {
      const isInside = checkInside(memoryFolder, file, 'read').verdict === 'allow';
      const bytes = root === null || !isInside ? undefined : readFile(root, file)?.bytes;
      return bytes === undefined ? null : hashOf(bytes);
    };
    return new Map(
      chosen.map(({ number, into }) => [number, { decidedAt: now.toISOString(), intoBase: into.map(hashNow) }]),
    );
  } finally {
    root?.close();
  }
}
