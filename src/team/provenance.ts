/** Who put each memory into the repository, by git's word: one bounded log for all files, kept until the branch moves on. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../disk/folder.ts';
import { isCommitId } from '../disk/git/git.ts';
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
  readonly files: Readonly<Record<string, Provenance>>;
}

const CACHE_FILE = 'provenance.json';
/** A history too long for this is read no further; what it would have said is unknown. */
const GIT_MS = 5_000;
const MOST_COMMITS = 20_000;
const NAME_CHARACTERS = 80;
const [RECORD, FIELD] = ['\x1e', '\x1f'];

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
  const head = await headOf(workTree, signal);
  if (head === null || head === known?.head) return null;
  const files = new Map<string, Provenance>();
  const isRead = await readGit(LOG, {
    ...{ cwd: workTree, separator: RECORD!, signal },
    onRecord: (record) => takeCommit(record, files),
  });
  if (!isRead) return null;
  const fresh = { head, files: Object.fromEntries(files) };
  await keep(fresh, cacheDirectory);
  return fresh;
}

/** Newest first. The record's mark comes last, since a record is taken when its separator is met. */
const LOG = [
  ...([
    'log',
    `--max-count=${MOST_COMMITS}`,
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    '--no-mailmap',
  ] as const),
  ...['--no-show-signature', '--no-color', '--name-only', '-z', `--format=${RECORD}%H${FIELD}%an${FIELD}%aI${FIELD}`],
  ...['HEAD', '--', TEAM_FOLDER],
] as const;

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

function takeCommit(record: string, files: Map<string, Provenance>): void {
  const [commit = '', author = '', at = '', names = ''] = record.split(FIELD!);
  if (!isCommitId(commit)) return;
  const name = [...author.replace(/\s+/g, ' ').trim()].slice(0, NAME_CHARACTERS).join('');
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
