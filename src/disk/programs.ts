/** Starts programs of ours: by absolute path, found on a PATH without the project's folders, with no shell and with an environment that is given in full. */

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin, isWithinAny } from '../base/paths.ts';
import { realPath } from './disk.ts';
import { findGitFolders } from './git/git-folder.ts';

export type { ChildProcess } from 'node:child_process';

export type ProgramEnvironment = Readonly<Record<string, string | undefined>>;

export interface ProgramStart {
  readonly cwd: string;
  /** All that the program learns; nothing of our own is added. */
  readonly environment: ProgramEnvironment;
  readonly stdio: NonNullable<SpawnOptions['stdio']>;
  readonly argv0?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Throws what the system throws when there are too many words. */
export function startProgram(program: string, words: readonly string[], start: ProgramStart): ChildProcess {
  return childProcess().spawn(absolute(program), [...words], optionsOf(start));
}

/** Starts one that goes on when we end: nothing of ours hears of it again. */
export function leaveProgram(
  program: string,
  words: readonly string[],
  start: Pick<ProgramStart, 'cwd' | 'environment'> & {
    /** An open file that takes what it prints. */
    readonly output?: number;
  },
): void {
  const { output = 'ignore' } = start;
  const options = { ...optionsOf({ ...start, stdio: ['ignore', output, output] }), detached: true };
  const child = childProcess().spawn(absolute(program), [...words], options);
  child.on('error', () => undefined);
  child.unref();
}

/** `status` is null when it could not be started, or did not end in time. */
export function runProgram(
  program: string,
  words: readonly string[],
  start: Omit<ProgramStart, 'signal' | 'stdio'> & { readonly mostBytes: number },
): { readonly status: number | null; readonly stdout: string } {
  const options = { ...optionsOf({ ...start, stdio: ['ignore', 'pipe', 'ignore'] }), maxBuffer: start.mostBytes };
  const answer = childProcess().spawnSync(absolute(program), [...words], { ...options, encoding: 'utf8' });
  return { status: answer.error === undefined ? answer.status : null, stdout: answer.stdout ?? '' };
}

/** Loaded when it is needed: it costs milliseconds of every start, and most starts need none. */
function childProcess(): typeof import('node:child_process') {
  return process.getBuiltinModule('node:child_process');
}

function optionsOf({ cwd, environment, stdio, argv0, signal, timeoutMs }: ProgramStart) {
  const always = { shell: false, windowsHide: true, killSignal: 'SIGKILL' } as const;
  return {
    ...{ cwd, env: { ...environment }, stdio, ...always },
    ...(argv0 === undefined ? {} : { argv0 }),
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  };
}

function absolute(program: string): string {
  if (!isAbsolute(program)) throw new Error(`${program} is not an absolute path`);
  return program;
}

export interface ProgramSearch {
  /** Where the program will work; the project around it brings no programs. */
  readonly cwd: string;
  readonly environment: ProgramEnvironment;
}

/** Null when it is nowhere but in the project. A name with a slash in it is a path, as shells have it. */
export function findProgram(name: string, search: ProgramSearch): string | null {
  const project = projectFolders(search);
  if (name.includes('/')) return runnable(resolve(search.cwd, name), project);
  for (const folder of cleanFolders(search.environment.PATH, project)) {
    const found = runnable(join(folder, process.platform === 'win32' ? `${name}.exe` : name), project);
    if (found !== null) return found;
  }
  return null;
}

/** The environment for what the user configured: their own, but with a PATH that leads neither into the project nor to wherever the program happens to work. */
export function userEnvironment(search: ProgramSearch): Record<string, string | undefined> {
  return { ...search.environment, PATH: joined(cleanFolders(search.environment.PATH, projectFolders(search))) };
}

/** In a project that the user trusts, their PATH may lead into it, as that of an activated Python environment does; but never to `.` */
export function trustedEnvironment(environment: ProgramEnvironment): Record<string, string | undefined> {
  return { ...environment, PATH: joined(absoluteFolders(environment.PATH)) };
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
/** `npx` and `npm run` put these first on the PATH. */
const PACKAGE_PROGRAMS = /[\\/]node_modules[\\/]\.bin[\\/]*$/;

/** An empty PATH would mean the current folder. */
function joined(folders: readonly string[]): string {
  return folders.length === 0 ? DEFAULT_PATH : folders.join(delimiter);
}

function absoluteFolders(path: string | undefined): readonly string[] {
  return (path ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute);
}

function cleanFolders(path: string | undefined, project: readonly string[]): readonly string[] {
  return absoluteFolders(path).filter((folder) => {
    const places = [resolve(folder), realPath(folder) ?? resolve(folder)];
    return !places.some((place) => PACKAGE_PROGRAMS.test(place) || isWithinAny(place, project));
  });
}

/** The folders around `cwd`, and around where we were started, that somebody else may have filled. */
function projectFolders({ cwd, environment }: ProgramSearch): readonly string[] {
  const home = realPath(environment.HOME ?? homedir());
  const folders = new Set([resolve(cwd), ...around(resolve(cwd)), ...around(process.cwd())]);
  // The home folder may be the place of work, and programs of the user's own are in it.
  return [...folders].filter((folder) => folder !== '/' && (home === null || !isWithin(home, folder)));
}

/** The folder itself and every repository that it lies in. */
function around(cwd: string): readonly string[] {
  const start = realPath(cwd) ?? cwd;
  const folders = [start];
  for (let at = start; ; ) {
    const found = findGitFolders(at);
    if (found === null) return folders;
    folders.push(found.workTree, found.main, found.common);
    if (dirname(found.workTree) === found.workTree) return folders;
    at = dirname(found.workTree);
  }
}

function runnable(path: string, project: readonly string[]): string | null {
  try {
    if (!statSync(path).isFile()) return null;
    accessSync(path, constants.X_OK);
  } catch {
    return null;
  }
  return [path, realPath(path) ?? path].some((place) => isWithinAny(place, project)) ? null : path;
}
