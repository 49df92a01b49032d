/** Removes a work tree with its branch and its lease, where nobody's work is lost by that. */

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { changeGit } from '../../../disk/git/change-git.ts';
import { findGitFolders } from '../../../disk/git/git-folder.ts';
import { readGit } from '../../../disk/git/read-git.ts';
import { type Lease, removeLease } from './lease-file.ts';

/** How long git may take for a question, and to make or remove a work tree. */
const ASK_MS = 10_000;
export const CHANGE_MS = 600_000;

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

/** False when it holds work, or when that cannot be told. */
export async function removeIfUnchanged(lease: Lease): Promise<boolean> {
  const isThere = existsSync(lease.path);
  const isWorkedIn = isThere && lease.state !== 'making';
  if (isWorkedIn && (await headOf(lease.path)) !== lease.base) return false;
  // Without --force git itself refuses where a file was changed or added; with it twice it also removes what it was killed in the middle of.
  const force = isWorkedIn ? [] : ['--force', '--force'];
  const place = { cwd: lease.repository, timeoutMs: CHANGE_MS };
  const { isDone } = await changeGit('worktree', ['remove', ...force, lease.path], place);
  if (!isDone && isWorkedIn) return false;
  if (!isDone) await removeHalfMade(lease);
  // Only while it is where it began: a commit on it is work.
  await changeGit('update-ref', ['-d', `refs/heads/${lease.branch}`, lease.base], place);
  removeLease(dirname(lease.path), lease.id);
  return true;
}

/** What git does not know as a work tree yet, or no longer: its folder, and what the repository keeps about it under the lease's own name. */
async function removeHalfMade({ repository, path, id }: Lease): Promise<void> {
  await rm(path, { recursive: true, force: true });
  const common = findGitFolders(repository)?.common;
  if (common !== undefined) await rm(join(common, 'worktrees', id), { recursive: true, force: true });
}
