/** Removes a work tree with its branch and its lease, where nobody's work is lost by that. */

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { changeGit } from '../../../disk/git/change-git.ts';
import { findGitFolders } from '../../../disk/git/git-folder.ts';
import { readGit } from '../../../disk/git/read-git.ts';
import { CHANGE_MS, changeWorktrees, untilUncontended } from './in-turn.ts';
import { type Lease, removeLease } from './lease-file.ts';

/** How long git may take for a question. */
const ASK_MS = 10_000;

/** Null when git does not know. */
export async function headOf(cwd: string): Promise<string | null> {
  let head: string | null = null;
  const isAnswered = await readGit(['rev-list', '--max-count=1', 'HEAD', '--'], {
    cwd,
    separator: '\n',
    signal: AbortSignal.timeout(ASK_MS),
    onRecord: (line) => {
      head ??= line;
    },
  });
  return isAnswered ? head : null;
}

/** `unknown`: git did not answer, so that it may or may not hold work. */
export type Removal = 'removed' | 'holds work' | 'unknown';

export async function removeIfUnchanged(lease: Lease): Promise<Removal> {
  const isThere = existsSync(lease.path);
  const isWorkedIn = isThere && lease.state !== 'making';
  const head = isWorkedIn ? await headOf(lease.path) : lease.base;
  if (head === null) return 'unknown';
  if (head !== lease.base) return 'holds work';
  // Without --force git itself refuses where a file was changed or added; with it twice it also removes what it was killed in the middle of.
  const force = isWorkedIn ? [] : ['--force', '--force'];
  const folder = dirname(lease.path);
  const words = ['remove', ...force, lease.path];
  const { isDone, why } = await untilUncontended(() => changeWorktrees(words, { folder, cwd: lease.repository }));
  if (!isDone && isWorkedIn) return CHANGED.test(why) ? 'holds work' : 'unknown';
  if (!isDone) await removeHalfMade(lease);
  // Only while it is where it began: a commit on it is work.
  const place = { cwd: lease.repository, timeoutMs: CHANGE_MS };
  await changeGit('update-ref', ['-d', `refs/heads/${lease.branch}`, lease.base], place);
  removeLease(folder, lease.id);
  return 'removed';
}

/** In git's words. */
const CHANGED = /contains modified or untracked files|contains modifications/;

/** What git does not know as a work tree yet, or no longer: its folder, and what the repository keeps about it under the lease's own name. */
async function removeHalfMade({ repository, path, id }: Lease): Promise<void> {
  await rm(path, { recursive: true, force: true });
  const common = findGitFolders(repository)?.common;
  if (common !== undefined) await rm(join(common, 'worktrees', id), { recursive: true, force: true });
}
