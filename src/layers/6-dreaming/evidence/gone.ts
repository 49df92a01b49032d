/** Which paths are gone: in no work tree and no branch of the project. A path that cannot be checked in time is not gone. */

import { findGitFolders } from '../../../disk/git/git-folder.ts';
import { readGit } from '../../../disk/git/read-git.ts';
import { DREAMING_LIMITS, type Limits } from '../../../limits.ts';
import { endsLike } from '../../../search/verify/search.ts';
import { claimsIn, verifyClaims } from '../../../search/verify/verify.ts';
import type { GoneClaim } from '../index.ts';

export interface GonePlace {
  /** Null when there is none: global memory belongs to no project. */
  readonly projectRoot: string | null;
  /** Not searched: a memory must not prove itself. */
  readonly memoryFolder: string;
  readonly limits: Pick<Limits, 'dreaming' | 'recall'>;
}

export async function findGone(claims: readonly GoneClaim[], place: GonePlace): Promise<ReadonlySet<string>> {
  const { projectRoot, memoryFolder, limits } = place;
  // Any other word is not a file either.
  const isPath = ({ sentence, path }: GoneClaim) =>
    [sentence, `\`${path}\``].some((text) => claimsIn(text, limits.recall).paths.includes(path));
  const paths = [...new Set(claims.filter(isPath).map(({ path }) => path))];
  if (projectRoot === null || paths.length === 0) return new Set();
  const { gone } = await verifyClaims(
    { paths, identifiers: [] },
    {
      ...{ projectRoot, budgetMs: DREAMING_LIMITS.verifyMs, except: [memoryFolder], limits: limits.recall },
      now: () => performance.now(),
    },
  );
  if (gone.length === 0 || findGitFolders(projectRoot) === null) return new Set(gone);
  return missingInBranches(gone, { projectRoot, budgetMs: DREAMING_LIMITS.verifyMs });
}

/** Every branch, including remote ones this repository knows. */
async function missingInBranches(
  paths: readonly string[],
  facts: { readonly projectRoot: string; readonly budgetMs: number },
): Promise<ReadonlySet<string>> {
  const signal = AbortSignal.timeout(facts.budgetMs);
  const trees = new Set<string>();
  const isListed = await readGit(['for-each-ref', '--format=%(tree)', 'refs/heads', 'refs/remotes'], {
    ...{ cwd: facts.projectRoot, separator: '\n', signal },
    onRecord: (tree) => void (/^[0-9a-f]{40,64}$/.test(tree) && trees.add(tree)),
  });
  if (!isListed) return new Set();
  const missing = new Set(paths);
  for (const tree of trees) {
    const isRead = await readGit(['ls-tree', '-r', '-z', '--full-tree', '--name-only', tree], {
      ...{ cwd: facts.projectRoot, separator: '\0', signal },
      onRecord(file) {
        for (const path of missing) if (endsLike(file, path)) missing.delete(path);
      },
    });
    if (!isRead) return new Set();
  }
  return missing;
}
