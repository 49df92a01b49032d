/** Reads the files of a source that may be anybody's: no link is followed, no file is larger than a memory, all odd things are told. */

import { realpathSync, statSync } from 'node:fs';
import { messageOf } from '../../base/values.ts';
import { type Folder, openFolder } from '../../disk/folder.ts';
import { ReverieError } from '../../errors.ts';
import { IMPORT_LIMITS, PATH_LIMITS } from '../../limits.ts';
import { INDEX_FILE } from '../files/walk.ts';

/** Something that was left out, or that reads other than its author meant; `file` is a path below the source. */
export interface ImportProblem {
  readonly file: string;
  /** One-based. */
  readonly line?: number;
  readonly problem: string;
  readonly fix: string;
}

/** The folder that was named may itself be a link, as a folder in a cloud drive often is; nothing below it may. */
export function openSource(path: string, problems: ImportProblem[]): Folder | null {
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

/** `ignore` is not for us; a reason is told. */
export type FileJudgement = 'take' | 'ignore' | { readonly reason: string; readonly fix: string };

/** The files below a folder that are wanted, by path; links, dot names and an index at the top are skipped. */
export function collectFiles(
  root: Folder,
  facts: { problems: ImportProblem[]; judge: (name: string) => FileJudgement },
): Map<string, Buffer> {
  const { problems, judge } = facts;
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
        if (mayHoldMemories(place.folder, { name, judge })) skip(file, LINK);
      } else if (entry.isDirectory()) {
        if (place.depth < PATH_LIMITS.depth) enter(place, name);
        else skip(file, TOO_DEEP);
      } else {
        const judgement = judge(name);
        if (judgement === 'ignore') continue;
        const bytes = judgement === 'take' ? readBounded(place.folder, { name, file, problems }) : null;
        if (judgement !== 'take') skip(file, judgement);
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
const TOO_DEEP = { reason: `it is deeper than ${PATH_LIMITS.depth} folders`, fix: 'Import that folder by itself.' };
const TOO_LARGE = {
  reason: `it is larger than ${IMPORT_LIMITS.fileBytes} bytes`,
  fix: 'Split it, one memory in each file.',
};

/** Null when there is nothing, or nothing that may be read; the latter is reported. */
export function readBounded(
  folder: Folder,
  from: { name: string; file: string; problems: ImportProblem[] },
): Buffer | null {
  const { name, file, problems } = from;
  const most = IMPORT_LIMITS.fileBytes;
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

function mayHoldMemories(folder: Folder, link: { name: string; judge: (name: string) => FileJudgement }): boolean {
  const { name, judge } = link;
  if (judge(name) === 'take') return true;
  try {
    return statSync(folder.at(name)).isDirectory();
  } catch {
    return false;
  }
}

function failure(error: unknown): { problem: string; fix: string } {
  const reason = messageOf(error);
  const fix = error instanceof ReverieError ? error.fix : '';
  return { problem: `not imported: ${reason}`, fix: fix === '' ? 'Check what it is with `ls -l`.' : fix };
}

export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
