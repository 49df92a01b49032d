/** The work tree that an agent with `isolation: "worktree"` works in, at the same place below its root as its parent is. */

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { realPath } from '../../disk/disk.ts';
import { findGitFolders } from '../../disk/git/git-folder.ts';
import type { ChildWork } from '../../layers/7-agents/index.ts';
import { leaseWorktree } from '../../layers/7-agents/worktrees/index.ts';
import type { ParentAgent } from './parent.ts';

export interface WorktreeLease {
  readonly cwd: string;
  /** Where its changes are; null where there are none, and the tree is gone. */
  release(): Promise<string | null>;
}

export async function leaseFor({ name, parent, signal }: ChildWork<ParentAgent>): Promise<WorktreeLease> {
  const { place, now } = parent;
  const cwd = realPath(parent.cwd) ?? parent.cwd;
  const root = findGitFolders(cwd)?.workTree ?? cwd;
  const { path, release } = await leaseWorktree({ home: place.home, projectRoot: root, owner: name, now, signal });
  const below = join(path, relative(root, cwd));
  // A folder that is not committed is not in the work tree.
  return { cwd: existsSync(below) ? below : path, release };
}
