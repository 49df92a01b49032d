/** Reads the memories of another place, a folder of markdown or Claude Code's own, without changing anything there. */

import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { MemoryScope } from '../../base/taxonomy.ts';
import { errnoOf } from '../../errors.ts';
import { isInLogs } from '../daily-log/place.ts';
import { parseMemoryFile } from '../files/memory-file.ts';
import { INDEX_FILE } from '../files/walk.ts';
import type { FileWarning } from '../files/warning.ts';
import { parseIndex } from '../index/index-file.ts';
import { collectFiles, type FileJudgement, type ImportProblem, openSource, readBounded } from './import-walk.ts';

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

/** What one of the readers found; the source is as it was. */
export interface SourceReading {
  readonly candidates: readonly ImportCandidate[];
  readonly problems: readonly ImportProblem[];
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
  const root = openSource(path, problems);
  if (root === null) return { candidates: [], prose: [], problems };
  try {
    const files = collectFiles(root, { problems, judge: judgeMarkdown });
    const text = readBounded(root, { name: INDEX_FILE, file: INDEX_FILE, problems })?.toString('utf8') ?? '';
    const { entries, prose, warnings } = parseIndex(text, { exists: (file) => files.has(file) });
    problems.push(...warnings.map((one) => problemOf(INDEX_FILE, one)));
    const hooks = new Map(entries.map(({ file, title, hook }) => [file, { title, hook }]));
    const candidates = [...files].toSorted(byName).map(([file, bytes]) => {
      if (!isInLogs(file.toLowerCase())) {
        problems.push(...parseMemoryFile(bytes).warnings.map((one) => problemOf(file, one)));
      }
      const hook = hooks.get(file);
      return { file, bytes, from: join(path, file), ...(hook ? { hook } : {}) };
    });
    return { candidates, prose, problems };
  } finally {
    root.close();
  }
}

/** On some disks `Memory.md` would be the index; a name in capitals is found by no scan. */
export function judgeMarkdown(name: string): FileJudgement {
  if (!/\.md$/i.test(name)) return 'ignore';
  if (name.toLowerCase() === INDEX_FILE.toLowerCase()) {
    return { reason: `only ${INDEX_FILE} at the top is an index`, fix: 'Rename it, or import its folder by itself.' };
  }
  return name.endsWith('.md') ? 'take' : { reason: 'its name does not end in .md', fix: 'Write .md in small letters.' };
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
