/** Makes the team's folder in a repository, with the pre-commit hook and the merge driver of this clone; and takes all of it back. */

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoted } from '../base/text/shell-words.ts';
import { findGitFolders } from '../disk/git/git-folder.ts';
import { askGit } from '../disk/git/start-git.ts';
import { writeGit } from '../disk/git/write-git.ts';
import { TEAM_FOLDER } from '../disk/home.ts';
import { readTeamFolder } from './read-folder.ts';
import { writeNew } from './share.ts';

export interface InstallFacts {
  readonly workTree: string;
  /** How this program is started: the hook and the driver call it the same way. */
  readonly program: readonly string[];
}

export interface Installed {
  readonly folder: string;
  readonly isNew: boolean;
  /** `other`: there is a hook already, or another program manages them; it is left alone. */
  readonly hook: 'installed' | 'present' | 'other' | 'left out';
  readonly driver: 'installed' | 'refused' | 'left out';
  /** The repository ignores the folder, so that nothing in it would be committed. */
  readonly isIgnored: boolean;
}

const GITIGNORE = [
  '# What Reverie derives from these memories stays out of git; it keeps its own in your home.',
  'MEMORY.md',
  '.reverie/',
  '',
].join('\n');
const GITATTRIBUTES = ['*.md text eol=lf merge=reverie-team', 'removed/* text eol=lf', ''].join('\n');
const DRIVER = 'merge.reverie-team';
const HOOK_MARK = '# reverie team check';

export function installTeam(
  facts: InstallFacts,
  wanted: { readonly hook: boolean; readonly driver: boolean },
): Installed {
  const { workTree } = facts;
  const folder = join(workTree, TEAM_FOLDER);
  const isNew = !existsSync(folder);
  writeNew(workTree, '.gitignore', GITIGNORE);
  writeNew(workTree, '.gitattributes', GITATTRIBUTES);
  return {
    ...{ folder, isNew },
    hook: wanted.hook ? installHook(facts) : 'left out',
    driver: wanted.driver ? installDriver(facts) : 'left out',
    isIgnored: isIgnored(workTree),
  };
}

export interface Uninstalled {
  readonly memories: number;
  readonly hook: boolean;
  readonly driver: boolean;
}

/** What was committed stays in git's history, and the private memories that were shared stay private ones. */
export function uninstallTeam(workTree: string): Uninstalled {
  const memories = readTeamFolder(workTree).files.length;
  const hookFile = hookFileOf(workTree);
  const hook = hookFile !== null && isOurHook(hookFile);
  if (hook) rmSync(hookFile);
  const driver = writeGit('config', ['--local', '--remove-section', DRIVER], { cwd: workTree }) !== null;
  rmSync(join(workTree, TEAM_FOLDER), { recursive: true, force: true });
  return { memories, hook, driver };
}

/** What a person adds to a hook of their own. */
export function hookLine({ program }: Pick<InstallFacts, 'program'>): string {
  return `${program.map(quoted).join(' ')} team check --staged || exit 1`;
}

function installHook(facts: InstallFacts): Installed['hook'] {
  const file = hookFileOf(facts.workTree);
  if (file === null) return 'other';
  if (existsSync(file)) return isOurHook(file) ? 'present' : 'other';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hookText(facts), { flag: 'wx' });
  chmodSync(file, 0o755);
  return 'installed';
}

/** Null where another place is configured for hooks: whoever manages that is not overruled. */
function hookFileOf(workTree: string): string | null {
  const folders = findGitFolders(workTree);
  const places = writeGit('config', ['--show-scope', '--get-all', 'core.hooksPath'], { cwd: workTree }) ?? '';
  // Our own way to start git sets it too, on the command line.
  const isElsewhere = places.split('\n').some((line) => line !== '' && !line.startsWith('command'));
  return folders === null || isElsewhere ? null : join(folders.common, 'hooks', 'pre-commit');
}

function isOurHook(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').includes(HOOK_MARK);
}

/** Commits that touch no team memory start nothing. Those that do are refused when they cannot be checked. */
function hookText({ program }: InstallFacts): string {
  const [node = '', main = ''] = program;
  const words = program.map(quoted).join(' ');
  return [
    '#!/bin/sh',
    `${HOOK_MARK}: keeps secrets and private memories out of team memory. Taken out by: reverie team init --remove`,
    `git diff --cached --quiet -- ${TEAM_FOLDER} && exit 0`,
    `if [ -x ${quoted(node)} ] && [ -f ${quoted(main)} ]; then exec ${words} team check --staged; fi`,
    'if command -v reverie >/dev/null 2>&1; then exec reverie team check --staged; fi',
    'echo "Team memory is part of this commit and cannot be checked: reverie was not found. Install it, or commit with --no-verify." >&2',
    'exit 1',
    '',
  ].join('\n');
}

function installDriver({ workTree, program }: InstallFacts): Installed['driver'] {
  const command = `${program.map(quoted).join(' ')} team merge %O %A %B %P`;
  const set = (key: string, value: string) =>
    writeGit('config', ['--local', `${DRIVER}.${key}`, value], { cwd: workTree }) !== null;
  return set('name', 'Reverie team memory') && set('driver', command) ? 'installed' : 'refused';
}

function isIgnored(workTree: string): boolean {
  const answer = askGit('ls-files', ['--others', '--ignored', '--exclude-standard', '--', TEAM_FOLDER], {
    ...{ cwd: workTree, timeoutMs: 2_000, mostBytes: 1_048_576 },
  });
  return answer.status === 0 && answer.stdout.includes('.gitattributes');
}
