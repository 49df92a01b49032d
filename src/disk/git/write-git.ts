/** The few things that are written to a repository: its own settings, and a commit on a new branch, without touching the work tree. */

import { runProgram } from '../programs.ts';
import { planGit } from './start-git.ts';

/** Plumbing that runs neither hooks nor filters nor an editor. */
export type GitWriting =
  | 'config'
  | 'var'
  | 'rev-parse'
  | 'hash-object'
  | 'read-tree'
  | 'update-index'
  | 'write-tree'
  | 'commit-tree'
  | 'update-ref';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES = 1_048_576;

export interface WritingPlace {
  readonly cwd: string;
  /** An index beside the repository's own, so that what the user staged stays as it is. */
  readonly indexFile?: string;
}

/** Null when git is missing or refuses. With the user's own configuration, since it says who they are. */
export function writeGit(
  command: GitWriting,
  words: readonly string[],
  { cwd, indexFile }: WritingPlace,
): string | null {
  const plan = planGit(cwd);
  if (plan === null) return null;
  const { GIT_CONFIG_GLOBAL: _none, ...environment } = plan.environment;
  const index = indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile };
  const names = Object.fromEntries(IDENTITY.map((name) => [name, process.env[name]]));
  const answer = runProgram(plan.program, [...plan.words, command, ...words], {
    ...{ cwd, timeoutMs: TIMEOUT_MS, mostBytes: ANSWER_BYTES },
    environment: { ...environment, ...names, ...index },
  });
  return answer.status === 0 ? answer.stdout.replace(/\n$/, '') : null;
}

/** Who they are, and where their own configuration says it. */
const IDENTITY = [
  'GIT_CONFIG_GLOBAL',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'EMAIL',
];
