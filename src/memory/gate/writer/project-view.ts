/** What the project shows of the names in a memory: looked up before the gate decides, in little time; what was not found in it is not there. */

import { readGit } from '../../../disk/git/read-git.ts';
import type { Limits } from '../../../limits.ts';
import { claimsIn, verifyClaims } from '../../../search/verify/verify.ts';
import { commitsIn, type ProjectView } from '../index.ts';

export interface ProjectPlace {
  readonly projectRoot: string;
  /** Not searched: a memory must not prove itself. */
  readonly memoryFolders: readonly string[];
  readonly limits: Pick<Limits, 'recall'>;
}

export async function viewProject(text: string, place: ProjectPlace): Promise<ProjectView> {
  const { projectRoot, memoryFolders, limits } = place;
  const claims = claimsIn(text, limits.recall);
  // Only a path below the project is something that the project shows.
  const paths = claims.paths.filter((path) => !/^[~/]/.test(path));
  const verifying = { projectRoot, budgetMs: limits.recall.verifyMs, except: memoryFolders, limits: limits.recall };
  const [{ found }, commits] = await Promise.all([
    verifyClaims({ ...claims, paths }, { ...verifying, now: () => performance.now() }),
    knownCommits(commitsIn(text).slice(0, limits.recall.claims), place),
  ]);
  const isFound = new Set(found);
  return {
    hasPath: (path) => isFound.has(path),
    hasIdentifier: (name) => isFound.has(name),
    hasCommit: (hash) => commits.some((commit) => commit.startsWith(hash)),
  };
}

async function knownCommits(hashes: readonly string[], { projectRoot, limits }: ProjectPlace): Promise<string[]> {
  const known: string[] = [];
  if (hashes.length === 0) return known;
  await readGit(['rev-list', '--no-walk', '--ignore-missing', ...hashes], {
    ...{ cwd: projectRoot, separator: '\n', signal: AbortSignal.timeout(limits.recall.verifyMs) },
    onRecord: (commit) => known.push(commit),
  });
  return known;
}
