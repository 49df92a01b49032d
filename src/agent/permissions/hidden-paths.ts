/** What a command in the sandbox must not see: paths that a rule denies, files whose names mean secrets, and doors to other programs. */

import { type Dirent, existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin, isWithinAny } from '../../base/paths.ts';
import { ReverieError } from '../../errors.ts';
import { pathPatternMatches } from './path-pattern.ts';
import { secretReason } from './path-problem.ts';
import { realPathOf } from './real-path.ts';
import type { PathTool, SourcedRule } from './rule.ts';

export interface HiddenFacts {
  readonly deny: readonly SourcedRule[];
  /** The folders that the sandbox shows. */
  readonly folders: readonly string[];
  /** The project and where the session was started: a pattern may be meant from either. */
  readonly roots: readonly string[];
  readonly userHome: string;
  /** Folders of programs that are shown besides, and hold nothing of the user's unless a rule says so. */
  readonly programs: { readonly system: readonly string[]; readonly toolchains: readonly string[] };
}

export interface HiddenPaths {
  /** Nothing of them can be read. */
  readonly denied: readonly string[];
  /** They can be read, and stay as they are. */
  readonly kept: readonly string[];
  /** Every `.git` that was met: what is in it, git runs or obeys. */
  readonly repositories: readonly string[];
}

/** Whether a rule forbids reading a file, by the name it was found under or by where it really is. */
export function hidesFrom(facts: Omit<HiddenFacts, 'folders' | 'programs'>): (path: string) => boolean {
  const patterns = patternsOf(facts.deny, ['Read']);
  if (patterns.length === 0) return () => false;
  return (path) => [path, realPathOf(path)].some((each) => matchesAny(patterns, each, facts));
}

function matchesAny(
  patterns: readonly string[],
  path: string,
  { roots, userHome }: Pick<HiddenFacts, 'roots' | 'userHome'>,
): boolean {
  return roots.some((projectRoot) =>
    patterns.some((pattern) => pathPatternMatches(pattern, path, { projectRoot, userHome, ignoreCase: true })),
  );
}

/** Looked at before each command: a file that was not there a moment ago counts too. More entries than this cannot be vouched for. */
const MOST_ENTRIES = 300_000;
/** Full of sample keys of other people's tests, and of nobody's secrets. A rule is still followed into them. */
const NOBODYS = new Set(['node_modules', '.git', '.venv', 'vendor', 'target']);

export async function findHiddenPaths(facts: HiddenFacts): Promise<HiddenPaths> {
  const unread = patternsOf(facts.deny, ['Read']);
  const unedited = patternsOf(facts.deny, ['Edit', 'Write']);
  const matches = (patterns: readonly string[], path: string) => matchesAny(patterns, path, facts);
  const found = { denied: new Set<string>(), kept: new Set<string>(), repositories: new Set<string>() };
  let entries = 0;

  async function note(set: Set<string>, path: string, entry: Dirent): Promise<void> {
    set.add(path);
    // A link is only another name: what it leads to is what must not be read.
    if (entry.isSymbolicLink()) set.add(await realpath(path).catch(() => path));
  }

  async function walk(folder: string, isSearched: boolean): Promise<void> {
    const names = await readdir(folder, { withFileTypes: true }).catch(() => []);
    entries += names.length;
    if (entries > MOST_ENTRIES) throw tooLarge();
    for (const entry of names) {
      const path = join(folder, entry.name);
      if (
        isDoor(entry) ||
        matches(unread, path) ||
        (isSearched && !entry.isDirectory() && secretReason(path) !== null)
      ) {
        await note(found.denied, path, entry);
        continue;
      }
      if (matches(unedited, path)) await note(found.kept, path, entry);
      if (entry.name === '.git') found.repositories.add(path);
      if (!entry.isDirectory()) continue;
      const isLookedInto = isSearched && !NOBODYS.has(entry.name);
      const isNamed = () => [...unread, ...unedited].some((pattern) => mayMatchBelow(pattern, path, facts));
      if (isLookedInto || isNamed()) await walk(path, isLookedInto);
      else if (isSearched) await noteDoors(path);
    }
  }

  /** Not deeper: git's own monitor listens right in its folder. */
  async function noteDoors(folder: string): Promise<void> {
    const names = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of names) if (isDoor(entry)) found.denied.add(join(folder, entry.name));
  }

  for (const folder of facts.folders) await walk(folder, true);
  const programs = programFoldersNamed(unread, facts).filter((folder) => !isWithinAny(folder, facts.folders));
  for (const folder of programs) await walk(folder, false);
  return {
    denied: [...found.denied, ...namedOutright(unread, facts)],
    kept: [...found.kept, ...missingFolders(unedited, facts)],
    repositories: [...found.repositories],
  };
}

/** A pattern leads only where its own first folders lead, and one of the project only into that. */
function mayMatchBelow(pattern: string, folder: string, facts: Pick<HiddenFacts, 'roots' | 'userHome'>): boolean {
  const absolute = pattern.startsWith('~/') ? `/${join(facts.userHome, pattern.slice(2))}` : pattern;
  if (!absolute.startsWith('//')) return isWithinAny(folder, facts.roots);
  const beginning = absolute
    .split('/')
    .slice(0, folder.split('/').length + 1)
    .join('/');
  return beginning.includes('**') || matchesAny([beginning], folder, facts);
}

/**
 * Where a wildcard leads among programs, which are many: only into folders that it begins in, and into those outside of the system that lie
 * where it begins.
 */
function programFoldersNamed(patterns: readonly string[], { userHome, programs }: HiddenFacts): readonly string[] {
  const { system, toolchains } = programs;
  const named = patterns.flatMap((pattern) => {
    const start = startOf(pattern, userHome);
    if (start === null) return [];
    const isInside = isWithinAny(start, [...system, ...toolchains]);
    return isInside ? [start] : toolchains.filter((folder) => isWithin(folder, start));
  });
  return [...new Set(named)].filter(
    (folder) =>
      !isWithinAny(
        folder,
        named.filter((each) => each !== folder),
      ),
  );
}

/** A folder that may not be changed and is not there may not be made either; of such a pattern any path below stands for the folder. */
function missingFolders(patterns: readonly string[], { roots, userHome }: HiddenFacts): readonly string[] {
  const folders = patterns.flatMap((pattern) => {
    const folder = /^([^*?[\]{}\\]*[^*?[\]{}\\/])\/\*\*?$/.exec(pattern)?.[1];
    if (folder === undefined) return [];
    if (folder.startsWith('~/')) return [join(userHome, folder.slice(2))];
    return folder.startsWith('//') ? [folder.slice(1)] : roots.map((root) => join(root, folder));
  });
  const isMissing = (folder: string) => !existsSync(folder) && existsSync(dirname(folder));
  return folders.filter(isMissing).map((folder) => join(folder, '*'));
}

/** The folder that a pattern outside of the project begins in, up to its first wildcard; null for all others. */
function startOf(pattern: string, userHome: string): string | null {
  if (!pattern.startsWith('//') && !pattern.startsWith('~/')) return null;
  const parts = pattern.split('/').slice(1);
  const wild = parts.findIndex((part) => WILD.test(part));
  if (wild === -1) return null;
  return join(pattern.startsWith('~') ? userHome : '/', ...parts.slice(0, wild));
}

const WILD = /[*?[\]{}\\]/;

/** Whoever listens behind a socket or a pipe is outside, and a read-only mount keeps nobody from speaking to them. */
function isDoor(entry: Dirent): boolean {
  return entry.isSocket() || entry.isFIFO();
}

function patternsOf(rules: readonly SourcedRule[], tools: readonly PathTool[]): readonly string[] {
  return rules.flatMap(({ rule }) => (rule.kind === 'path' && tools.includes(rule.tool) ? rule.patterns : []));
}

/** Without a wildcard a pattern is a path: it need not lie in a folder that was looked through. */
function namedOutright(patterns: readonly string[], { roots, userHome }: HiddenFacts): readonly string[] {
  return patterns.flatMap((pattern) => {
    if (WILD.test(pattern)) return [];
    if (pattern.startsWith('~/')) return [join(userHome, pattern.slice(2))];
    if (pattern.startsWith('//')) return [pattern.slice(1)];
    return pattern.includes('/') && !isAbsolute(pattern) ? roots.map((root) => resolve(root, pattern)) : [];
  });
}

function tooLarge(): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `There are more than ${MOST_ENTRIES.toLocaleString('en-US')} files here, too many to look for those that a command must not see.`,
    fix: 'Set outside_sandbox: the user is asked.',
  });
}
