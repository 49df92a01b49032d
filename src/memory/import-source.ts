/** Reads the memories of another place, a folder of markdown or Claude Code's own, without changing anything there. */

import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errnoOf, ReverieError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type Folder, openFolder } from '../store/folder.ts';
import { parseIndex } from './index-file.ts';
import { parseMemoryFile } from './memory-file.ts';
import type { FileWarning } from './memory-file-warning.ts';
import type { MemoryScope } from './taxonomy.ts';
import { INDEX_FILE } from './walk.ts';

export interface ImportCandidate {
  /** Path below the source, with forward slashes. */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly scope?: MemoryScope;
  /** What the source's own index says about it. */
  readonly hook?: { readonly title: string; readonly hook: string };
  /** Absolute path it was read from. */
  readonly from: string;
}

/** Something that was left out, or that reads other than its author meant; `file` is a path below the source. */
export interface ImportProblem {
  readonly file: string;
  /** One-based. */
  readonly line?: number;
  readonly problem: string;
  readonly fix: string;
}

export interface MemoryDirectory {
  readonly candidates: ImportCandidate[];
  /** The lines of the source's MEMORY.md that are no entries. */
  readonly prose: string[];
  readonly problems: ImportProblem[];
}

export function readMemoryDirectory(directory: string): MemoryDirectory {
  const path = resolve(directory);
  const problems: ImportProblem[] = [];
  const root = openRoot(path, problems);
  if (root === null) return { candidates: [], prose: [], problems };
  try {
    const files = collectFiles(root, problems);
    const text = readBounded(root, { name: INDEX_FILE, file: INDEX_FILE, problems })?.toString('utf8') ?? '';
    const { entries, prose, warnings } = parseIndex(text, { exists: (file) => files.has(file) });
    problems.push(...warnings.map((one) => problemOf(INDEX_FILE, one)));
    const hooks = new Map(entries.map(({ file, title, hook }) => [file, { title, hook }]));
    const candidates = [...files].toSorted(byName).map(([file, bytes]) => {
      problems.push(...parseMemoryFile(bytes).warnings.map((one) => problemOf(file, one)));
      const hook = hooks.get(file);
      return { file, bytes, from: join(path, file), ...(hook ? { hook } : {}) };
    });
    return { candidates, prose, problems };
  } finally {
    root.close();
  }
}

/** The folder that was named may itself be a link, as a folder in a cloud drive often is; nothing below it may. */
function openRoot(path: string, problems: ImportProblem[]): Folder | null {
  try {
    const folder = openFolder(realpathSync(path));
    if (folder !== null) return folder;
    problems.push({ file: path, problem: 'there is no such folder', fix: 'Check the path.' });
  } catch (error) {
    problems.push({ file: path, ...failure(error) });
  }
  return null;
}

interface Place {
  readonly folder: Folder;
  /** Path below the source, with a closing slash; empty at the top. */
  readonly prefix: string;
  readonly depth: number;
}

function collectFiles(root: Folder, problems: ImportProblem[]): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const skip = (file: string, why: { reason: string; fix: string }) => {
    problems.push({ file, problem: `not imported: ${why.reason}`, fix: why.fix });
  };

  function visit(place: Place): void {
    for (const entry of place.folder.entries()) {
      const { name } = entry;
      const file = place.prefix + name;
      if (name.startsWith('.') || file === INDEX_FILE) continue;
      if (entry.isSymbolicLink()) {
        if (mayHoldMemories(place.folder, name)) skip(file, LINK);
      } else if (entry.isDirectory()) {
        if (place.depth < LIMITS.path.depth) enter(place, name);
        else skip(file, TOO_DEEP);
      } else if (/\.md$/i.test(name)) {
        const odd = nameReason(name);
        const bytes = odd === null ? readBounded(place.folder, { name, file, problems }) : null;
        if (odd !== null) skip(file, odd);
        if (bytes !== null) files.set(file, bytes);
      }
    }
  }

  function enter({ folder, prefix, depth }: Place, name: string): void {
    try {
      const sub = folder.sub(name);
      if (sub === null) return;
      try {
        visit({ folder: sub, prefix: `${prefix}${name}/`, depth: depth + 1 });
      } finally {
        sub.close();
      }
    } catch (error) {
      problems.push({ file: prefix + name, ...failure(error) });
    }
  }

  visit({ folder: root, prefix: '', depth: 0 });
  return files;
}

const LINK = { reason: 'it is a link', fix: 'Import the place it points to.' };
const TOO_DEEP = { reason: `it is deeper than ${LIMITS.path.depth} folders`, fix: 'Import that folder by itself.' };
const TOO_LARGE = {
  reason: `it is larger than ${LIMITS.importing.fileBytes} bytes`,
  fix: 'Split it, one memory in each file.',
};

/** On some disks `Memory.md` would be the index; a name in capitals is found by no scan. */
function nameReason(name: string): { reason: string; fix: string } | null {
  if (name.toLowerCase() === INDEX_FILE.toLowerCase()) {
    return { reason: `only ${INDEX_FILE} at the top is an index`, fix: 'Rename it, or import its folder by itself.' };
  }
  return name.endsWith('.md') ? null : { reason: 'its name does not end in .md', fix: 'Write .md in small letters.' };
}

/** Null when there is nothing, or nothing that may be read; the latter is reported. */
function readBounded(folder: Folder, from: { name: string; file: string; problems: ImportProblem[] }): Buffer | null {
  const { name, file, problems } = from;
  const most = LIMITS.importing.fileBytes;
  try {
    if ((folder.stat(name)?.size ?? 0) <= most) {
      const bytes = folder.read(name);
      if (bytes === null || bytes.length <= most) return bytes;
    }
    problems.push({ file, problem: `not imported: ${TOO_LARGE.reason}`, fix: TOO_LARGE.fix });
  } catch (error) {
    problems.push({ file, ...failure(error) });
  }
  return null;
}

function mayHoldMemories(folder: Folder, name: string): boolean {
  if (name.endsWith('.md')) return true;
  try {
    return statSync(folder.at(name)).isDirectory();
  } catch {
    return false;
  }
}

function failure(error: unknown): { problem: string; fix: string } {
  const reason = error instanceof Error ? error.message : String(error);
  const fix = error instanceof ReverieError ? error.fix : '';
  return { problem: `not imported: ${reason}`, fix: fix === '' ? 'Check what it is with `ls -l`.' : fix };
}

/** A warning says what is odd and then what to do about it. */
function problemOf(file: string, { line, message }: FileWarning): ImportProblem {
  const [problem, ...fix] = message.split(/(?<=\.) /);
  return { file, line, problem: problem!, fix: fix.join(' ') };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Claude Code keeps a project's memory under a folder named after its root, each other character made a dash. */
export function findClaudeCodeMemory(facts: {
  userHome: string;
  env: NodeJS.ProcessEnv;
  projectRoot: string;
}): { found: string } | { looked: string[] } {
  const home = resolve(facts.env.CLAUDE_CONFIG_DIR || join(facts.userHome, '.claude'));
  const root = resolve(facts.projectRoot);
  const slugs = new Set([root, realPathOf(root)].map((path) => path.replace(/[^A-Za-z0-9]/g, '-')));
  const looked = [...slugs].map((slug) => join(home, 'projects', slug, 'memory'));
  const found = looked.find(isFolder);
  return found === undefined ? { looked } : { found };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return false;
  }
}
