/** The names in a folder, kept between saves: listing ten thousand of them for each new one would be most of its cost. */

import type { Steps } from '../../base/async/in-turns.ts';
import type { Folder } from '../../disk/folder.ts';
import { type Stamp, sameStamp, stampOf } from '../../disk/stamp.ts';

const NAMES_PER_STEP = 500;

export interface TakenNames {
  /** Whether a name, in whatever case or composition, is there. */
  has(root: Folder, name: string): boolean;
  /** Lists the names in steps, where they are not known, so that `has` need not. */
  learning(root: Folder): Steps<void>;
  /** After a change of our own, under the lock: what it made is known, and so is the folder's new stamp. */
  add(root: Folder, names: readonly string[]): void;
}

/**
 * A name that somebody makes in the same instant as our own change may be missed. That costs a second attempt and never
 * a file, since a new file is put in place by `link`.
 */
export function keepTakenNames(): TakenNames {
  let kept: { stamp: Stamp; folded: Set<string> } | null = null;

  function stampNow(root: Folder): Stamp | null {
    const stats = root.stat('.');
    return stats && stampOf(stats);
  }

  const isKnown = (stamp: Stamp | null) => kept !== null && stamp !== null && sameStamp(kept.stamp, stamp);

  return {
    has(root, name) {
      const stamp = stampNow(root);
      if (kept !== null && isKnown(stamp)) return kept.folded.has(foldName(name));
      const folded = new Set(root.entries().map((entry) => foldName(entry.name)));
      kept = stamp && { stamp, folded };
      return folded.has(foldName(name));
    },
    *learning(root) {
      // Taken first: what comes while they are listed makes it an old one.
      const stamp = stampNow(root);
      if (stamp === null || isKnown(stamp)) return;
      const folded = new Set<string>();
      for (const [at, entry] of (yield* root.listing()).entries()) {
        if (at % NAMES_PER_STEP === 0) yield;
        folded.add(foldName(entry.name));
      }
      kept = { stamp, folded };
    },
    add(root, names) {
      const stamp = stampNow(root);
      if (kept === null || stamp === null) return;
      for (const name of names) kept.folded.add(foldName(name));
      kept = { stamp, folded: kept.folded };
    },
  };
}

function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
