/** Who put each memory into the repository, by git's word: one bounded log for all files, kept until the branch moves on. */

import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../disk/folder.ts';
import { isCommitId } from '../disk/git/git.ts';
import { findGitFolders } from '../disk/git/git-folder.ts';
import { readGit } from '../disk/git/read-git.ts';
import { TEAM_FOLDER } from '../disk/home.ts';

export interface Provenance {
  /** Who changed it last. Git believes whatever name is configured: it is shown, and nothing rests on it. */
  readonly author: string;
  readonly commit: string;
  /** ISO time. */
  readonly at: string;
  /** Who added it, where that was somebody else. */
  readonly addedBy?: string;
}

export interface KnownProvenance {
  readonly head: string;
  /** Of git's log of this work tree's branches, which grows with every commit, merge and checkout; null where it keeps none. */
  readonly log?: string | null;
  readonly files: Readonly<Record<string, Provenance>>;
}

const CACHE_FILE = 'provenance.json';
/** A history too long for this is read no further; what it would have said is unknown. */
const GIT_MS = 5_000;
const MOST_COMMITS = 20_000;
const NAME_CHARACTERS = 60;
/** What a name is made of; the rest could be an order, or pretend to be more than a name. */
const NO_NAME = /[^\p{L}\p{M}\p{N} .,'’_@+()-]+/gu;

export function readKnownProvenance(cacheDirectory: string): KnownProvenance | null {
  try {
    const parsed: Partial<KnownProvenance> | null = JSON.parse(readFileSync(join(cacheDirectory, CACHE_FILE), 'utf8'));
    return typeof parsed?.head === 'string' && typeof parsed.files === 'object' ? (parsed as KnownProvenance) : null;
  } catch {
    return null;
  }
}

/** Asks git when the branch has moved since; null when nothing changed, or git does not answer. */
export async function refreshProvenance(
  workTree: string,
  cacheDirectory: string,
  timeoutMs = GIT_MS,
): Promise<KnownProvenance | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  const known = readKnownProvenance(cacheDirectory);
  const log = logMark(workTree);
  if (log !== null && log === known?.log) return null;
  const head = await headOf(workTree, signal);
  if (head === null) return null;
  if (head === known?.head) {
    await keep({ ...known, log }, cacheDirectory);
    return null;
  }
  const files = new Map<string, Provenance>();
  const separators = newSeparators();
  const isRead = await readGit(logWords(separators), {
    ...{ cwd: workTree, separator: separators.record, signal },
    onRecord: (record) => takeCommit(record.split(separators.field), files),
  });
  if (!isRead) return null;
  const fresh = { head, log, files: Object.fromEntries(files) };
  await keep(fresh, cacheDirectory);
  return fresh;
}

/** A stat instead of a process: most sessions start where the last one ended. */
function logMark(workTree: string): string | null {
  const folders = findGitFolders(workTree);
  // A linked work tree has a log of its own; git itself is asked there.
  if (folders === null || folders.main !== folders.workTree) return null;
  const stats = statSync(join(folders.common, 'logs', 'HEAD'), { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino}/${stats.mtimeMs}/${stats.size}`;
}

interface Separators {
  readonly record: string;
  readonly field: string;
}

/** Nobody can guess them, so that no author's name forges a commit, or the date and the files of one. */
function newSeparators(): Separators {
  const secret = randomBytes(12).toString('hex');
  return { record: `\x1e${secret}`, field: `\x1f${secret}` };
}

/** Newest first. The record's mark comes last, since a record is taken when its separator is met. */
function logWords({ record, field }: Separators): readonly ['log', ...string[]] {
  return [
    ...(['log', `--max-count=${MOST_COMMITS}`, '--no-ext-diff', '--no-textconv', '--no-renames'] as const),
    ...['--no-mailmap', '--no-show-signature', '--no-color', '--name-only', '-z'],
    `--format=${record}%H${field}%an${field}%aI${field}`,
    ...['HEAD', '--', TEAM_FOLDER],
  ];
}

async function headOf(cwd: string, signal: AbortSignal): Promise<string | null> {
  let head: string | null = null;
  const isRead = await readGit(['rev-list', '--max-count=1', 'HEAD', '--'], {
    ...{ cwd, separator: '\n', signal },
    onRecord: (record) => {
      head ??= record;
    },
  });
  return isRead && head !== null && isCommitId(head) ? head : null;
}

function takeCommit(fields: readonly string[], files: Map<string, Provenance>): void {
  const [commit = '', author = '', at = '', names = ''] = fields;
  if (!isCommitId(commit)) return;
  const name = [...author.replace(NO_NAME, ' ').replace(/\s+/g, ' ').trim()].slice(0, NAME_CHARACTERS).join('');
  for (const path of names.split('\0')) {
    const file = path.trim().startsWith(`${TEAM_FOLDER}/`) ? path.trim().slice(TEAM_FOLDER.length + 1) : '';
    if (file === '' || file.includes('/')) continue;
    const newest = files.get(file);
    if (newest === undefined) files.set(file, { author: name, commit, at });
    else if (newest.author !== name) files.set(file, { ...newest, addedBy: name });
    else files.set(file, { author: newest.author, commit: newest.commit, at: newest.at });
  }
}

async function keep(known: KnownProvenance, cacheDirectory: string): Promise<void> {
  try {
    const folder = createFolder(cacheDirectory);
    try {
      const name = await folder.stage(Buffer.from(JSON.stringify(known)));
      folder.moveIn({ from: folder, name }, CACHE_FILE, 'replace');
    } finally {
      folder.close();
    }
  } catch {
    // Derived: the next session asks git again.
  }
}
