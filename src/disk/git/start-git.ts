/** Starts git so that nothing in a repository can run a program: neither its configuration, nor its hooks, nor a git that lies in it. */

import { join } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { realPath } from '../disk.ts';
import { type ChildProcess, findProgram, type ProgramEnvironment, runProgram, startProgram } from '../programs.ts';
import { findGitFolders, type GitFolders, mainWorkTreeOf } from './git-folder.ts';

/**
 * Commands that only read the index, objects and references. Those that compare files with the index (`status`, `diff`) are left
 * out: they run the filters that a repository configures. So does `ls-files --modified`: only for a project that is trusted.
 * `diff-index` is meant with `--cached`, which looks at no file; `log` without patches, `cat-file` without filters.
 */
export type GitCommand =
  | 'rev-list'
  | 'ls-files'
  | 'ls-tree'
  | 'for-each-ref'
  | 'grep'
  | 'symbolic-ref'
  | 'diff-index'
  | 'log'
  | 'cat-file';

export interface GitStart {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Null when there is no repository, or one that is not what it says it is, or no git. */
export function startGit(command: GitCommand, words: readonly string[], start: GitStart): ChildProcess | null {
  const plan = planGit(start.cwd);
  if (plan === null) return null;
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return startProgram(plan.program, [...plan.words, command, ...words], { ...start, ...plan, stdio: [...stdio] });
  } catch {
    return null;
  }
}

export interface GitAnswer {
  /** Null when git could not be started or did not finish in time. */
  readonly status: number | null;
  readonly stdout: string;
}

export function askGit(
  command: GitCommand,
  words: readonly string[],
  start: Required<Pick<GitStart, 'cwd' | 'timeoutMs'>> & { readonly mostBytes: number; readonly indexFile?: string },
): GitAnswer {
  const plan = planGit(start.cwd);
  if (plan === null) return { status: null, stdout: '' };
  // A commit that takes more than what was staged has an index of its own, which its hooks are told of.
  const index = start.indexFile === undefined ? {} : { GIT_INDEX_FILE: start.indexFile };
  const environment = { ...plan.environment, ...index };
  return runProgram(plan.program, [...plan.words, command, ...words], { ...start, environment });
}

export interface GitPlan {
  readonly program: string;
  readonly words: readonly string[];
  readonly environment: ProgramEnvironment;
  readonly workTree: string;
}

/** How a reading command that somebody else wrote is started: the words before it, the program and its environment. */
export type GitReader = GitPlan;

/** Ten thousand filters or drivers would be no honest configuration. */
const CONFIGURED_BYTES = 1_000_000;
const CONFIGURED_MS = 5_000;

/**
 * For `log`, `show` and the like, and with `comparesFiles` for `status` and `diff`: git would run each file that changed through the filters
 * of the configuration, so each filter it names is emptied. Null as for `startGit`, and where the configuration cannot be read.
 */
export function planGitReader(cwd: string, { comparesFiles }: { readonly comparesFiles: boolean }): GitReader | null {
  const plan = planGit(cwd);
  if (plan === null) return null;
  const settings = [...READER_SETTINGS];
  if (comparesFiles) {
    const filters = filtersOf(plan, cwd);
    if (filters === null) return null;
    settings.push(...filters.flatMap((name) => FILTER_SETTINGS.map((setting) => `filter.${name}.${setting}`)));
  }
  return { ...plan, words: [...plan.words, ...settings.flatMap((setting) => ['-c', setting])] };
}

/** Signatures are checked by programs that the configuration names, and a format may ask for that. */
const READER_SETTINGS = [
  ...['gpg.program=false', 'gpg.openpgp.program=false', 'gpg.x509.program=false', 'gpg.ssh.program=false'],
  ...['status.submoduleSummary=false', 'diff.submodule=short', 'diff.ignoreSubmodules=all'],
];
const FILTER_SETTINGS = ['clean=', 'smudge=', 'process=', 'required=false'];

function filtersOf(plan: GitPlan, cwd: string): readonly string[] | null {
  const words = [...plan.words, 'config', '--null', '--name-only', '--get-regexp', '^filter\\.'];
  const bounds = { timeoutMs: CONFIGURED_MS, mostBytes: CONFIGURED_BYTES };
  const { status, stdout } = runProgram(plan.program, words, { cwd, environment: plan.environment, ...bounds });
  // 1: nothing of that name is configured.
  if (status === 1) return [];
  if (status !== 0) return null;
  const names = stdout.split('\0').flatMap((key) => key.match(/^filter\.(.*)\.[^.]*$/s)?.[1] ?? []);
  // A name with `=` in it cannot be said on the command line.
  return names.some((name) => name.includes('=')) ? null : [...new Set(names)];
}

/** How git is started around a folder; null when there is no repository that may be asked. */
export function planGit(cwd: string): GitPlan | null {
  const folders = findGitFolders(realPath(cwd) ?? cwd);
  if (folders === null || !isOwn(folders)) return null;
  const program = findProgram('git', { cwd, environment: process.env });
  if (program === null) return null;
  const isBare = folders.workTree === folders.common;
  // The files of a bare repository can be committed like any others, and git would take them for the repository.
  const ofWorkTree = isBare ? [] : ['safe.bareRepository=explicit'];
  const settings = [...SETTINGS, ...ofWorkTree, `core.excludesFile=${excludesFile(process.env)}`];
  return {
    program,
    workTree: folders.workTree,
    words: [...OPTIONS, ...settings.flatMap((setting) => ['-c', setting])],
    // The work tree is the one that was found, wherever `core.worktree` leads.
    environment: { ...passed(process.env), ...FIXED, ...(isBare ? {} : { GIT_WORK_TREE: folders.workTree }) },
  };
}

const OPTIONS = ['--no-pager', '--no-replace-objects', '--no-optional-locks'];

/** Above whatever the repository's configuration says: the keys that name a program, and those that lead elsewhere. */
const SETTINGS = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.untrackedCache=false', 'core.pager=cat'],
  ...['core.editor=false', 'core.sshCommand=false', 'core.askPass=', 'core.alternateRefsCommand=false'],
  ...['core.attributesFile=/dev/null', 'credential.helper=', 'diff.external=', 'log.showSignature=false'],
  ...['protocol.allow=never', 'submodule.recurse=false', 'grep.fallbackToNoIndex=false'],
];

/** All that git needs of the user's environment: an inherited GIT_DIR would answer for another repository. */
const PASSED = ['HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'SYSTEMROOT', 'USERPROFILE', 'TEMP', 'TMP'];

const FIXED: ProgramEnvironment = {
  // What git itself would start by name.
  PATH: '/usr/bin:/bin',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Before `protocol.<name>.allow`, which a repository may set; no protocol has this name.
  GIT_ALLOW_PROTOCOL: 'none',
};

function passed(given: ProgramEnvironment): ProgramEnvironment {
  return Object.fromEntries(PASSED.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

/** The user's own, where git looks for it by itself: the configuration could name an endless one. */
function excludesFile({ XDG_CONFIG_HOME, HOME }: ProgramEnvironment): string {
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, 'git', 'ignore');
  return HOME ? join(HOME, '.config', 'git', 'ignore') : '/dev/null';
}

/** A `.git` file or link may claim any repository of the disk, but not one that has another work tree. */
function isOwn({ workTree, common, main }: GitFolders): boolean {
  // For a linked work tree this was looked up when it was found.
  if (isWithin(common, workTree) || main !== workTree) return true;
  return [workTree, common].includes(mainWorkTreeOf(common));
}
