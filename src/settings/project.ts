/** What a project is: the folder that its memory is keyed by, the name of that key, and how a moved one is known again. */

import { readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { sha256 } from '../base/text/sha256.ts';
import { realPath } from '../disk/disk.ts';
import { isCommitId, readRootCommit } from '../disk/git/git.ts';
import { findGitFolders } from '../disk/git/git-folder.ts';
import { homeLayout, projectLayout } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';
import { errnoOf } from '../errors.ts';
import { LIMITS, PATH_LIMITS } from '../limits.ts';

/** The main work tree's root for every work tree and subfolder of a repository; outside git the folder itself. */
export function findProjectRoot(cwd: string): string {
  const start = realPath(cwd) ?? resolve(cwd);
  return findGitFolders(start)?.main ?? start;
}

/** The root of the work tree around a folder, linked or not; null outside git. */
export function findWorkTree(cwd: string): string | null {
  const found = findGitFolders(realPath(cwd) ?? resolve(cwd));
  return found === null || found.workTree === found.common ? null : found.workTree;
}

/** Readable, and different for different roots: `/a/b-c` and `/a-b/c` would meet without the digest. */
export function projectSlug(root: string, slugCharacters: number = LIMITS.project.slugCharacters): string {
  const digest = sha256(root).slice(0, 8);
  const room = PATH_LIMITS.nameBytes - digest.length - 1;
  return `${claudeCodeSlug(root).slice(0, Math.min(slugCharacters, room))}-${digest}`;
}

/** The folder name that Claude Code gives a project below `~/.claude/projects`. */
export function claudeCodeSlug(root: string): string {
  return root.replace(/[^A-Za-z0-9]/g, '-');
}

/** Kept as `project.json` beside a project's memory. */
export interface ProjectRecord {
  readonly root: string;
  readonly rootCommit: string | null;
  /** Which folder of the disk the project is, for one without a commit. */
  readonly mark?: string;
  /** A memory folder elsewhere that is used in place of the default one. */
  readonly attached?: string;
}

export function renderProjectRecord(record: ProjectRecord): string {
  const { root, rootCommit, mark, attached } = record;
  return `${JSON.stringify({ root, rootCommit, mark, attached }, null, 2)}\n`;
}

/** Stays the same when a folder is renamed on its disk, and no other folder has it. Null where there is none, or the disk does not tell. */
export function folderMark(path: string): string | null {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isDirectory() && stats.birthtimeNs > 0n ? `${stats.ino}-${stats.birthtimeNs}` : null;
  } catch {
    return null;
  }
}

/** Null when there is none, or when it is damaged: it can be written again, so it is never worth failing for. */
export function readProjectRecord(home: string, slug: string): ProjectRecord | null {
  if (!/^[A-Za-z0-9-]+$/.test(slug)) return null;
  const file = readSmallFile(projectLayout(home, slug).recordFile);
  return file.kind === 'text' ? parseProjectRecord(file.text) : null;
}

function parseProjectRecord(text: string): ProjectRecord | null {
  let fields: Partial<Record<keyof ProjectRecord, unknown>> | null;
  try {
    fields = JSON.parse(text);
  } catch {
    return null;
  }
  const { root, rootCommit, mark, attached } = fields ?? {};
  if (typeof root !== 'string' || !isAbsolute(root)) return null;
  return {
    root,
    rootCommit: typeof rootCommit === 'string' && isCommitId(rootCommit) ? rootCommit : null,
    ...(typeof mark === 'string' && /^\d+-\d+$/.test(mark) ? { mark } : {}),
    ...(typeof attached === 'string' && isAbsolute(attached) ? { attached } : {}),
  };
}

export interface KnownProject {
  readonly slug: string;
  readonly record: ProjectRecord;
}

export function listProjectRecords(home: string): KnownProject[] {
  let slugs: string[];
  try {
    slugs = readdirSync(homeLayout(home).projects).sort();
  } catch {
    return [];
  }
  return slugs.flatMap((slug) => {
    const record = readProjectRecord(home, slug);
    return record === null ? [] : [{ slug, record }];
  });
}

export interface MovedProject {
  readonly slug: string;
  /** Where the project was. */
  readonly root: string;
}

interface WhereItIs {
  readonly home: string;
  readonly root: string;
  readonly rootCommit: string | null;
  readonly mark: string | null;
}

/** Projects of the same origin, or in the very folder, that are no longer where they were: the one at `root` may be one of them. */
export function findMovedProjects(facts: WhereItIs): MovedProject[] {
  return listProjectRecords(facts.home)
    .filter(({ record }) => record.root !== facts.root && hasMoved(record, facts))
    .map(({ slug, record }) => ({ slug, root: record.root }));
}

function hasMoved(record: ProjectRecord, { rootCommit, mark }: WhereItIs): boolean {
  if (rootCommit !== null && record.rootCommit === rootCommit) return !isStillThere(record);
  return mark !== null && record.mark === mark && isGone(record.root);
}

/** A repository that cannot be read just now counts as still there: its memory must not be offered to another. */
function isStillThere(record: ProjectRecord): boolean {
  const marks = [join(record.root, '.git'), join(record.root, 'HEAD')];
  if (marks.every(isGone)) return false;
  const commit = readRootCommit(record.root);
  return commit === null || commit === record.rootCommit;
}

function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return errnoOf(error) === 'ENOTDIR';
  }
}
