/** One search of a work tree for names and files, through git: it knows which files count and reads them faster than we do. */

import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { nextTurn } from '../../base/async/in-turns.ts';
import { findGitFolders } from '../../disk/git/git-folder.ts';
import { type GitCommand, startGit } from '../../disk/git/start-git.ts';

export interface TreeSearch {
  /** Real path of the folder that is searched. */
  readonly root: string;
  readonly identifiers: readonly string[];
  /** Relative paths that are not there as written; a file further down may end like that. */
  readonly endings: readonly string[];
  /** Folders below the root that are not searched: a memory must not prove itself. */
  readonly except: readonly string[];
  /** Aborting it ends the search at once. */
  readonly signal: AbortSignal;
  /** Called once for every name and every ending that was found. */
  readonly onFound: (claim: string) => void;
}

/** `unable`: there is no repository, or git is missing or refuses; then nothing is known about what was not found. */
export type SearchEnd = 'finished' | 'unable';

export async function searchWithGit(search: TreeSearch): Promise<SearchEnd> {
  if (!isUnderGit(search.root)) return 'unable';
  const ends = await Promise.all([findIdentifiers(search), findEndings(search)]);
  return ends.every((end) => end === 'finished') ? 'finished' : 'unable';
}

/** A repository with nothing ever added has no index file, and git would find nothing in it. */
function isUnderGit(root: string): boolean {
  const folders = findGitFolders(root);
  if (folders === null) return false;
  return folders.workTree !== folders.main || existsSync(join(folders.common, 'index'));
}

async function findIdentifiers(search: TreeSearch): Promise<SearchEnd> {
  if (search.identifiers.length === 0) return 'finished';
  const missing = new Set(search.identifiers);
  const patterns = search.identifiers.flatMap((identifier) => ['-e', identifier]);
  return runGit(search, {
    words: ['grep', ...GREP_OPTIONS, ...patterns, '--', ...everythingBut(search)],
    separator: '\n',
    nothingFoundStatus: 1,
    onRecord: (match, stop) => {
      if (missing.delete(match)) search.onFound(match);
      if (missing.size === 0) stop();
    },
  });
}

async function findEndings(search: TreeSearch): Promise<SearchEnd> {
  if (search.endings.length === 0) return 'finished';
  const missing = new Set(search.endings);
  const looks: Array<Promise<void>> = [];
  const end = await runGit(search, {
    words: [
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '--',
      ...search.endings.flatMap(pathspecsOf),
      ...exclusions(search),
    ],
    separator: '\0',
    nothingFoundStatus: 0,
    onRecord: (file, stop) => {
      for (const ending of missing) {
        if (!endsLike(file, ending)) continue;
        missing.delete(ending);
        // Git also lists deleted files that are not committed yet.
        const isThere = lstat(join(search.root, file)).then(
          () => search.onFound(ending),
          () => undefined,
        );
        looks.push(isThere);
      }
      if (missing.size === 0) stop();
    },
  });
  await Promise.all(looks);
  return end;
}

/** True for the path itself and for a file below it. */
export function endsLike(file: string, ending: string): boolean {
  return `/${file}/`.includes(`/${plainEnding(ending)}/`);
}

function plainEnding(ending: string): string {
  return ending.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

function pathspecsOf(ending: string): readonly string[] {
  const literal = plainEnding(ending).replace(/[\\*?[\]]/g, '\\$&');
  return [`:(glob)**/${literal}`, `:(glob)**/${literal}/**`];
}

function everythingBut(search: TreeSearch): readonly string[] {
  const excluded = exclusions(search);
  return excluded.length === 0 ? [] : ['.', ...excluded];
}

function exclusions(search: TreeSearch): readonly string[] {
  return search.except.flatMap((folder) => {
    const below = relative(search.root, folder);
    const isBelow = below !== '' && !isAbsolute(below) && below !== '..' && !below.startsWith(`..${sep}`);
    return isBelow ? [`:(exclude,literal)${below.split(sep).join('/')}`] : [];
  });
}

/** Whole words, one per line and nothing else on it, whatever the repository's configuration says. */
const GREP_OPTIONS = [
  ...['-I', '-F', '-w', '-o', '-h', '--no-color', '--no-line-number', '--no-column', '--no-textconv'],
  ...['--no-recurse-submodules', '--untracked', '--exclude-standard'],
];

interface GitRun {
  readonly words: readonly [GitCommand, ...string[]];
  readonly separator: '\n' | '\0';
  readonly nothingFoundStatus: number;
  readonly onRecord: (record: string, stop: () => void) => void;
}

/** A record longer than any claim is not one. */
const LONGEST_RECORD = 8_192;

async function runGit(search: TreeSearch, run: GitRun): Promise<SearchEnd> {
  // Node holds up everything else while it starts a program: so one in a turn.
  await nextTurn();
  return new Promise((resolve) => {
    let isStopped = false;
    let rest = '';
    const [command, ...words] = run.words;
    const child = startGit(command, words, { cwd: search.root, signal: search.signal });
    if (child === null) return resolve('unable');
    const stop = () => {
      isStopped = true;
      child.kill('SIGKILL');
      resolve('finished');
    };
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const records = (rest + chunk).split(run.separator);
      rest = (records.pop() ?? '').slice(-LONGEST_RECORD);
      for (const record of records) if (!isStopped) run.onRecord(record, stop);
    });
    child.on('error', () => resolve('unable'));
    child.on('close', (status) => resolve(status === 0 || status === run.nothingFoundStatus ? 'finished' : 'unable'));
  });
}
