/** The two questions that only git can answer, asked so that nothing in the repository can run a program. */

import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { realPath } from '../disk.ts';
import { findGitFolders } from './git-folder.ts';
import { askGit } from './start-git.ts';

/** How long git may take to answer at start-up; a repository too large for that has no root commit for us. */
const GIT_TIMEOUT_MS = 2_000;
/** Bytes of an answer of git that are read. */
const GIT_ANSWER_BYTES = 1_048_576;
const BOUNDS = { timeoutMs: GIT_TIMEOUT_MS, mostBytes: GIT_ANSWER_BYTES };

/** The id of the oldest commit: what stays the same when a repository moves. Null when there is none, or git does not know. */
export function readRootCommit(root: string): string | null {
  // In a shallow clone the oldest commit is wherever the copy was cut, which says nothing about the project.
  const folders = findGitFolders(root);
  if (folders === null || existsSync(join(folders.common, 'shallow'))) return null;
  const answer = askGit('rev-list', ['--max-parents=0', 'HEAD', '--'], { cwd: root, ...BOUNDS });
  if (answer.status !== 0) return null;
  const oldest = answer.stdout.trim().split('\n').at(-1) ?? '';
  return isCommitId(oldest) ? oldest : null;
}

export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** `unknown`: there is a repository, but git is missing, refuses it or is too slow. */
export type Tracking = 'tracked' | 'untracked' | 'no-repository' | 'unknown';

export function trackingByGit(root: string, path: string): Tracking {
  const file = resolve(root, path);
  const folder = realPath(dirname(file));
  if (folder === null) return 'untracked';
  if (lstatSync(dirname(file), { throwIfNoEntry: false })?.isSymbolicLink()) {
    // A link that was committed leads to what its author chose, tracked there or not.
    const link = trackingByGit(root, dirname(file));
    if (link === 'tracked' || link === 'unknown') return link;
  }
  const repository = findGitFolders(folder);
  if (repository === null) return 'no-repository';
  if (holdsBareRepository(folder, repository.workTree)) return 'unknown';
  // Asked from the file's own real folder, so that a submodule or a linked folder answers for what it brought;
  // without regard to case, because a disk may find the file under another spelling than the one committed.
  const answer = askGit('ls-files', ['--', `:(icase,literal)${basename(file)}`], { cwd: folder, ...BOUNDS });
  if (answer.status !== 0) return 'unknown';
  return answer.stdout.trim() === '' ? 'untracked' : 'tracked';
}

/** The files of a bare repository can be committed like any others; git would take them for the repository, and believe its index. */
function holdsBareRepository(folder: string, workTree: string): boolean {
  for (let each = folder; ; each = dirname(each)) {
    if (each === workTree) return !existsSync(join(each, '.git'));
    if (existsSync(join(each, 'HEAD')) || each === dirname(each)) return true;
  }
}
