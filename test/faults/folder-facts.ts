/** What a memory folder holds, told from its bytes alone: a second opinion that shares no code with the store. */

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Files = ReadonlyMap<string, Buffer>;

export const INDEX = 'MEMORY.md';
const CONTROL = '.reverie';

/** The user's files: everything outside the control folder. */
export function readUserFiles(directory: string): Files {
  const files = filesBelow(directory, '').filter((path) => !path.startsWith(`${CONTROL}/`));
  return new Map(files.map((path) => [path, readFileSync(join(directory, path))]));
}

function filesBelow(directory: string, below: string): string[] {
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(join(directory, below), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(directory, path) : [path];
  });
}

/** Two runs of one operation differ in the times they write down, and in nothing else. */
export function withoutTimes(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>');
}

export function areSame(one: Files, other: Files, options: { readonly times: 'exact' | 'any' }): boolean {
  const same = (left: Buffer, right: Buffer | undefined) =>
    right !== undefined &&
    (options.times === 'exact' ? left.equals(right) : withoutTimes(left) === withoutTimes(right));
  return one.size === other.size && [...one].every(([file, bytes]) => same(bytes, other.get(file)));
}

/** Files that are neither as they were before nor as they should be after: torn, or strangers. */
export function tornFiles(present: Files, versions: readonly Files[]): string[] {
  return [...present]
    .filter(([file, bytes]) => {
      const whole = versions.flatMap((version) => version.get(file) ?? []);
      return !whole.some((each) => withoutTimes(each) === withoutTimes(bytes));
    })
    .map(([file]) => `${file} is no whole version of itself`);
}

/** Lines of the index that no whole version of it has. */
export function strangeIndexLines(present: Files, versions: readonly Files[]): string[] {
  const linesOf = (files: Files) => (files.get(INDEX)?.toString('utf8') ?? '').split('\n');
  const known = new Set(versions.flatMap(linesOf));
  return linesOf(present)
    .filter((line) => !known.has(line))
    .map((line) => `the index has the strange line ${JSON.stringify(line)}`);
}

/** One line a memory file, none that leads nowhere. */
export function indexProblems(files: Files): string[] {
  const topics = [...files.keys()].filter((file) => file.endsWith('.md') && file !== INDEX);
  const text = files.get(INDEX)?.toString('utf8') ?? '';
  const links = [...text.matchAll(/^- \[.*\]\(([^)]+\.md)\)/gm)].map((match) => decodeURI(match[1]!));
  const dangling = links.filter((link) => !files.has(link)).map((link) => `the line of ${link} leads nowhere`);
  const miscounted = topics.flatMap((file) => {
    const count = links.filter((link) => link === file).length;
    return count === 1 ? [] : [`${file} has ${count} lines in the index`];
  });
  return [...dangling, ...miscounted];
}

interface JournalLine {
  readonly journal?: string;
  readonly done?: string;
  readonly abandoned?: string;
  readonly id?: string;
  readonly kind?: string;
  readonly why?: string;
  readonly files?: readonly {
    readonly file: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

export type JournalledChange = Required<Pick<JournalLine, 'id' | 'kind' | 'why' | 'files'>>;

export interface JournalFacts {
  /** Oldest first, without the abandoned ones. */
  readonly changes: readonly JournalledChange[];
  readonly unclosed: readonly string[];
  readonly damagedLines: number;
}

export function readJournalFacts(directory: string): JournalFacts {
  let text = '';
  try {
    text = readFileSync(join(directory, CONTROL, 'journal', 'changes.jsonl'), 'utf8');
  } catch {
    return { changes: [], unclosed: [], damagedLines: 0 };
  }
  const raw = text.split('\n').filter((line) => line !== '');
  const lines = raw.flatMap((line): JournalLine[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  const closed = new Set(lines.flatMap((line) => [line.done ?? [], line.abandoned ?? []].flat()));
  const abandoned = new Set(lines.flatMap((line) => line.abandoned ?? []));
  const all = lines.filter((line): line is JournalledChange => line.files !== undefined);
  return {
    changes: all.filter((change) => !abandoned.has(change.id)),
    unclosed: all.map((change) => change.id).filter((id) => !closed.has(id)),
    damagedLines: raw.length - lines.length,
  };
}

/** Staged files that no living process will ever move to their places. */
export function leftovers(directory: string): string[] {
  return filesBelow(join(directory, CONTROL), '').filter((path) => {
    const pid = /^(?:temporary|cache)\/(?:.*\/)?(\d+)-\d+-[0-9a-f]{12}$/.exec(path)?.[1];
    return path.startsWith('temporary/') || (pid !== undefined && Number(pid) !== process.pid);
  });
}

/** Everything is its owner's alone. */
export function modeProblems(directory: string, below = ''): string[] {
  const path = join(directory, below);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const wanted = stats.isDirectory() ? 0o700 : 0o600;
  const mode = stats.mode & 0o777;
  const own = mode === wanted ? [] : [`${below || '.'} has mode ${mode.toString(8)}`];
  return stats.isDirectory() ? [...own, ...readdirSync(path).flatMap((name) => modeProblems(path, name))] : own;
}
