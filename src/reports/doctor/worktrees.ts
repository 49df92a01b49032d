/** Looks for work trees of agents that are gone: what can be cleared away, and what holds work. */

import { existsSync } from 'node:fs';
import { quoted } from '../../base/text/shell-words.ts';
import { findGitFolders } from '../../disk/git/git-folder.ts';
import { sweepWorktrees, worktreeLeftovers } from '../../layers/7-agents/worktrees/index.ts';
import type { Lease } from '../../layers/7-agents/worktrees/lease-file.ts';
import { findPlace, type PlaceOptions } from '../../settings/place.ts';
import type { Finding } from '../finding.ts';

/** What `--clear-worktrees` does: removes those without work in them. Returns what was removed. */
export async function clearWorktrees(options: PlaceOptions = {}): Promise<readonly string[]> {
  return sweepWorktrees({ home: findPlace(options).home, now: () => new Date() });
}

export function examineWorktrees(home: string): Finding[] {
  const { leases, strays } = worktreeLeftovers(home);
  const abandoned = leases.filter(({ state }) => state !== 'kept');
  const kept = leases.filter(({ state }) => state === 'kept');
  return [...abandoned.map(abandonedFinding), ...kept.flatMap(keptFinding), ...strays.map(strayFinding)];
}

function abandonedFinding({ owner, path, branch }: Lease): Finding {
  const what = `The agent ${owner} is gone and left a work tree (branch ${branch})`;
  return { severity: 'warning', what, where: path, fix: 'reverie doctor --clear-worktrees' };
}

/** Nothing is said of one that the user has removed by now. */
function keptFinding({ owner, repository, path, branch }: Lease): readonly Finding[] {
  if (!existsSync(path)) return [];
  const what = `The agent ${owner} left work in a work tree (branch ${branch})`;
  const git = `git -C ${quoted(repository)}`;
  const fix =
    findGitFolders(repository) === null
      ? `rm -r ${quoted(path)}`
      : [
          `git -C ${quoted(path)} status`,
          `${git} worktree remove --force ${quoted(path)} && ${git} branch -D ${branch}`,
        ].join('\n');
  return [{ severity: 'note', what, where: path, fix }];
}

function strayFinding(path: string): Finding {
  const what = 'There is something among the work trees of agents that no lease accounts for';
  return { severity: 'warning', what, where: path, fix: `ls -la ${quoted(path)}\nrm -r ${quoted(path)}` };
}
