/**
 * A note beside the recall index: under which marks of the folders it was last brought up to date. A hook that finds the
 * same marks walks through no folder. The price: a file that was edited in place, or lies in a subfolder, changes no mark;
 * its new words are found after the next full look, which a session's start and the note's age bring about. What is
 * shown comes from the file itself in any case.
 */

import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentSource } from '../search/local-index.ts';

export interface RecallMark {
  readonly marks: string;
  /** Which memories with which content. */
  readonly listing: string;
  /** Entries of the index. */
  readonly count: number;
  /** Those that were superseded or refuted. */
  readonly noFacts: readonly string[];
  /** The index on disk that this is about. */
  readonly index: string;
  readonly atMs: number;
}

const FILE = 'looked.json';

/** What was seen; null when the index on disk is not there to speak of. */
export function recallMark(
  directory: string,
  seen: Pick<RecallMark, 'marks' | 'noFacts' | 'atMs' | 'count'> & { documents: readonly Named[] },
): RecallMark | null {
  const index = indexIdentity(directory);
  if (index === null) return null;
  const { documents, ...rest } = seen;
  return { ...rest, listing: listingOf(documents), index };
}

type Named = Pick<DocumentSource, 'key' | 'hash'>;

export function listingOf(documents: readonly Named[]): string {
  const lines = documents.map(({ key, hash }) => `${key}\0${hash}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** Null when there is none, or it is about another index than the one on disk. */
export function readRecallMark(directory: string): RecallMark | null {
  try {
    const mark = JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as RecallMark;
    return Array.isArray(mark.noFacts) && mark.index === indexIdentity(directory) ? mark : null;
  } catch {
    return null;
  }
}

/** Never throws: without the note, the next hook looks at every file. */
export function writeRecallMark(directory: string, mark: RecallMark): void {
  const path = join(directory, FILE);
  const temporary = `${path}.${process.pid}.temporary`;
  try {
    writeFileSync(temporary, JSON.stringify(mark), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {}
}

export function removeRecallMark(directory: string): void {
  try {
    rmSync(join(directory, FILE), { force: true });
  } catch {}
}

function indexIdentity(directory: string): string | null {
  const stats = statSync(join(directory, 'manifest.json'), { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino}/${stats.size}/${stats.mtimeMs}`;
}
