/** What the user has decided about earlier dreams, or has yet to: read from their records, and what a rejection is noted with. */

import { checkInside } from '../../../disk/check-inside.ts';
import { readFile } from '../../../disk/commit.ts';
import { hashOf } from '../../../disk/contents.ts';
import { openFolder } from '../../../disk/folder.ts';
import type { BaseMemory, EarlierChange } from '../index.ts';
import { readEndedDreams } from '../records/dead.ts';
import { CUT_OFF } from '../records/landing.ts';
import type { DreamChange } from '../records/record.ts';

/** Newest first; what the journal knows to be approved by now has another text and counts for nothing. */
export function earlierDecisions(memoryFolder: string): readonly EarlierChange[] {
  return readEndedDreams(memoryFolder).records.flatMap(({ id, changes }) =>
    changes.flatMap((change) => (isOpen(change) ? [{ dream: id, change }] : [])),
  );
}

/** Memories that the user was asked to let go, and that are what they were then. */
export function askedRemovals(memoryFolder: string, base: ReadonlyMap<string, BaseMemory>): ReadonlySet<string> {
  return new Set(
    earlierDecisions(memoryFolder).flatMap(({ change: { action, file, base: hash } }) =>
      action === 'remove' && base.get(file)?.hash === hash ? [file] : [],
    ),
  );
}

/** What was only cut off was to land by itself: no rule asked the user about it, so the next dream may do it. */
function isOpen({ state, why }: DreamChange): boolean {
  return (state === 'waiting' && why !== CUT_OFF) || state === 'rejected';
}

/** By number: when it was rejected, and what was to hold it by then. */
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
