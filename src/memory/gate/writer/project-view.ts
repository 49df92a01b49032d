/** What the project shows of the names in a memory: looked up before the gate decides; what is not found in time is not there. */

import { readGit } from '../../../disk/git/read-git.ts';
import type { Limits } from '../../../limits.ts';
import { claimsIn, verifyClaims } from '../../../search/verify/verify.ts';
import { commitsIn, type ProjectView } from '../index.ts';

/** A write is rare and nobody waits for it, so it may take longer than a look while something is recalled. */
const LOOK_MS = 2_000;

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
  const verifying = { projectRoot, budgetMs: LOOK_MS, except: memoryFolders, limits: limits.recall };
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

async function knownCommits(hashes: readonly string[], { projectRoot }: ProjectPlace): Promise<string[]> {
  const known: string[] = [];
  if (hashes.length === 0) return known;
  await readGit(['rev-list', '--no-walk', '--ignore-missing', ...hashes], {
    ...{ cwd: projectRoot, separator: '\n', signal: AbortSignal.timeout(LOOK_MS) },
    onRecord: (commit) => known.push(commit),
  });
  return known;
}
