/** Checks all of the team's folder, or what is staged of it: for the pre-commit hook and for CI. */

import { isAbsolute, resolve } from 'node:path';
import { describeSecrets, findSecrets } from '../base/secrets/secrets.ts';
import { messageOf } from '../base/values.ts';
import type { Folder } from '../disk/folder.ts';
import { askGit } from '../disk/git/start-git.ts';
import { TEAM_FOLDER } from '../disk/home.ts';
import { checkTeamText, type TeamProblem } from './check-text.ts';
import { REMOVED_FOLDER, TEAM_FILE_BYTES, tombstoneText } from './layout.ts';
import { inTeamFolder } from './read-folder.ts';

export interface TeamCheck {
  readonly checked: number;
  readonly problems: readonly TeamProblem[];
}

interface Found {
  readonly file: string;
  /** Null for what is no regular file, or larger than may be. */
  readonly bytes: Buffer | null;
  readonly problem?: string;
}

/** As the files lie in the work tree. */
export async function checkWorkTree(workTree: string): Promise<TeamCheck> {
  return checkAll(inTeamFolder(workTree, [], (root) => filesBelow(root, '')));
}

const GIT = { timeoutMs: 10_000, mostBytes: 33_554_432 };
const LINK_MODE = '120000';

/** As the next commit has it. `indexFile`: the one that git names to its hooks. */
export async function checkStaged(workTree: string, indexFile: string | undefined): Promise<TeamCheck> {
  const index =
    indexFile === undefined ? {} : { indexFile: isAbsolute(indexFile) ? indexFile : resolve(workTree, indexFile) };
  const ask = (command: 'ls-files' | 'diff-index' | 'cat-file', words: readonly string[]) =>
    askGit(command, words, { cwd: workTree, ...GIT, ...index });
  const changed = ask('diff-index', ['--cached', '--name-only', '-z', '--diff-filter=d', 'HEAD', '--', TEAM_FOLDER]);
  const listed = ask('ls-files', ['--stage', '-z', '--', TEAM_FOLDER]);
  if (listed.status !== 0) {
    const problem = 'could not be checked: git does not answer';
    return {
      checked: 0,
      problems: [{ file: TEAM_FOLDER, problem, fix: 'Run it in the repository: reverie team check' }],
    };
  }
  // Before the first commit there is nothing to compare with: then all of it is new.
  const names = changed.status === 0 ? new Set(changed.stdout.split('\0')) : null;
  const found = listed.stdout.split('\0').flatMap((line): Found[] => {
    const [, mode, id, path] = /^(\d+) ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || id === undefined || path === undefined) return [];
    if (names !== null && !names.has(path)) return [];
    const file = path.slice(TEAM_FOLDER.length + 1);
    if (mode === LINK_MODE) return [{ file, bytes: null, problem: 'is a link' }];
    const blob = ask('cat-file', ['blob', id]);
    return [{ file, bytes: blob.status === 0 ? Buffer.from(blob.stdout) : null }];
  });
  return checkAll(found);
}

function filesBelow(folder: Folder, prefix: string): readonly Found[] {
  return folder.entries().flatMap((entry): readonly Found[] => {
    const file = prefix + entry.name;
    if (entry.isSymbolicLink()) return [{ file, bytes: null, problem: 'is a link' }];
    if (entry.isDirectory()) return inSub(folder, entry.name, (sub) => filesBelow(sub, `${file}/`));
    if (!entry.isFile()) return [{ file, bytes: null, problem: 'is not a regular file' }];
    try {
      return [{ file, bytes: folder.read(entry.name, TEAM_FILE_BYTES + 1) }];
    } catch (error) {
      return [{ file, bytes: null, problem: `cannot be read: ${messageOf(error)}` }];
    }
  });
}

function inSub(folder: Folder, name: string, use: (sub: Folder) => readonly Found[]): readonly Found[] {
  const sub = folder.sub(name);
  try {
    return sub === null ? [] : use(sub);
  } finally {
    sub?.close();
  }
}

async function checkAll(found: readonly Found[]): Promise<TeamCheck> {
  const problems: TeamProblem[] = [];
  for (const each of found) problems.push(...(await checkOne(each)));
  return { checked: found.length, problems };
}

async function checkOne({ file, bytes, problem }: Found): Promise<readonly TeamProblem[]> {
  if (bytes === null) {
    return [{ file, problem: problem ?? 'cannot be read, or is far too large', fix: 'Take it out of the repository.' }];
  }
  const inFolder = file.split('/');
  if (inFolder.length === 2 && inFolder[0] === REMOVED_FOLDER) return checkTombstone(file, { bytes, id: inFolder[1]! });
  if (inFolder.length === 1 && file.endsWith('.md')) return checkTeamText(file, bytes);
  const secrets = await findSecrets(bytes.toString('utf8'));
  if (secrets.length > 0) {
    return [{ file, problem: `holds a secret. ${describeSecrets(secrets)}`, fix: 'Take it out.' }];
  }
  if (OWN_FILES.includes(file)) return [];
  return [
    { file, problem: 'is no memory, and nothing reads it', fix: 'Take it out: memories lie directly in the folder.' },
  ];
}

const OWN_FILES = ['.gitignore', '.gitattributes'];

/** Nothing else may hide where nobody looks. */
function checkTombstone(file: string, { bytes, id }: { bytes: Buffer; id: string }): readonly TeamProblem[] {
  if (bytes.toString('utf8').replaceAll('\r\n', '\n') === tombstoneText(id)) return [];
  return [
    {
      file,
      problem: 'is not the tombstone that Reverie writes',
      fix: 'Remove it, and run: reverie memory unshare FILE',
    },
  ];
}
