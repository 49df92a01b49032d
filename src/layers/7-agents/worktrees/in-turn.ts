/**
 * Making and removing work trees, one at a time among all processes: git reads the list of all work trees for each of them, and fails on one that
 * another git has made half. Somebody else's git may do the same beside us, so what fails by that is tried again.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolder, type Folder } from '../../../disk/folder.ts';
import { changeGit, type GitChanged } from '../../../disk/git/change-git.ts';
import { type HeldLock, tryLock } from '../../../disk/lock.ts';
import { LIMITS } from '../../../limits.ts';

/** How long git may take to make or remove a work tree, and how long one waits for its turn. */
export const CHANGE_MS = 600_000;
const TRIES = 6;
const FIRST_PAUSE_MS = 50;
const LOOK_AGAIN_MS = 20;
/** Beside the leases; no lease has such a name. */
const TURN_FOLDER = '.turn';

export interface WorktreeChange extends GitChanged {
  /** Another git was at work in the same moment. */
  readonly isContended: boolean;
}

/** `folder` has the leases. */
export async function changeWorktrees(
  words: readonly string[],
  { folder, cwd, signal }: { readonly folder: string; readonly cwd: string; readonly signal?: AbortSignal | undefined },
): Promise<WorktreeChange> {
  const turns = createFolder(join(folder, TURN_FOLDER));
  try {
    const turn = await takeTurn(turns, signal);
    if (turn === null) return { isDone: false, why: 'other work trees are being made', isContended: false };
    try {
      const bounds = { cwd, timeoutMs: CHANGE_MS, ...(signal === undefined ? {} : { signal }) };
      const changed = await changeGit('worktree', words, bounds);
      return { ...changed, isContended: !changed.isDone && CONTENDED.test(changed.why) };
    } finally {
      await turn.release();
    }
  } finally {
    turns.close();
  }
}

/** Calls again, after a longer pause each time, while another git is in the way. */
export async function untilUncontended(change: () => Promise<WorktreeChange>): Promise<WorktreeChange> {
  for (let tried = 1; ; tried++) {
    const changed = await change();
    if (!changed.isContended || tried === TRIES) return changed;
    await sleep(FIRST_PAUSE_MS * 2 ** tried * (0.5 + Math.random()));
  }
}

/** A lock of git's own, or a work tree that is half made or half gone. */
const CONTENDED =
  /failed to read .*(?:commondir|gitdir)|\.lock'?: File exists|(?:cannot|could not|unable to) (?:lock|create .*\.lock)/i;

async function takeTurn(turns: Folder, signal: AbortSignal | undefined): Promise<HeldLock | null> {
  const deadline = Date.now() + CHANGE_MS;
  for (;;) {
    const taken = await tryLock(turns, { staleAfterMs: LIMITS.lock.staleAfterMs });
    if (taken.kind === 'held') return taken.lock;
    if (signal?.aborted === true || Date.now() > deadline) return null;
    await sleep(LOOK_AGAIN_MS * (0.5 + Math.random()));
  }
}
