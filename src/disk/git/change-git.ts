/** Lets git make and remove work trees and references of ours: as safely as it is asked, and without the filters that a repository configures. */

import { type ProgramEnvironment, runProgram, startProgram } from '../programs.ts';
import { type GitPlan, planGit } from './start-git.ts';

export type GitChange = 'worktree' | 'update-ref';

export interface GitChanged {
  readonly isDone: boolean;
  /** What git says of it, where it did not do it. */
  readonly why: string;
}

const NO_REPOSITORY: GitChanged = { isDone: false, why: 'there is no repository that git may be asked about' };
const CONFIG_TIMEOUT_MS = 5_000;
const CONFIG_BYTES = 262_144;
/** Characters of what git says. */
const WHY_CHARACTERS = 400;

export function changeGit(
  command: GitChange,
  words: readonly string[],
  start: { readonly cwd: string; readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<GitChanged> {
  const plan = planGit(start.cwd);
  if (plan === null) return Promise.resolve(NO_REPOSITORY);
  const filters = withoutFilters(plan, start.cwd);
  if (filters === null) return Promise.resolve({ isDone: false, why: 'its configuration cannot be read' });
  // `worktree` says itself where each of its steps works.
  const { GIT_WORK_TREE: _, ...environment } = plan.environment;
  return new Promise((resolve) => {
    const child = startProgram(plan.program, [...plan.words, command, ...words], {
      ...start,
      environment: { ...environment, ...filters },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let why = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      why = (why + chunk).slice(-WHY_CHARACTERS);
    });
    child.on('error', (error) => resolve({ isDone: false, why: error.message }));
    child.on('close', (status) => resolve({ isDone: status === 0, why: why.trim() }));
  });
}

/** A filter is a program that git runs for files; its name may hold anything, so it is given as a variable. Null when they cannot be told. */
function withoutFilters(plan: GitPlan, cwd: string): ProgramEnvironment | null {
  const list = ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'];
  const bounds = { cwd, timeoutMs: CONFIG_TIMEOUT_MS, mostBytes: CONFIG_BYTES };
  const { status, stdout } = runProgram(plan.program, [...plan.words, ...list], {
    ...bounds,
    environment: plan.environment,
  });
  // 1: there are none.
  if (status !== 0 && status !== 1) return null;
  const keys = stdout.split('\0').filter((key) => key.startsWith('filter.'));
  const names = [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('.'))))];
  const settings = names.flatMap((name) => [
    ...['clean', 'smudge', 'process'].map((way) => [`${name}.${way}`, ''] as const),
    [`${name}.required`, 'false'] as const,
  ]);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}
