/** Reads the team's folder of a work tree: links, giants and whatever is no memory are left out, with the reason. */

import { join } from 'node:path';
import { MEMORY_TYPES, type MemoryType } from '../base/taxonomy.ts';
import { messageOf } from '../base/values.ts';
import { hashOf } from '../disk/contents.ts';
import { type Folder, openFolder } from '../disk/folder.ts';
import { TEAM_FOLDER } from '../disk/home.ts';
import { isSettled, type Stamp, sameStamp } from '../disk/stamp.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import { secretInName } from '../memory/files/secret-name.ts';
import { type SeenFile, walkMemoryFiles } from '../memory/files/walk.ts';
import { sidesOf } from './conflict.ts';
import { REMOVED_FOLDER, supersededIds, TEAM_FILE_BYTES, teamIdOf } from './layout.ts';
import { uniteVersions } from './unite.ts';

/** A file of the team's folder; its text is read when it is needed. */
export interface TeamFile {
  readonly file: string;
  readonly id: string;
  readonly stamp: Stamp;
  /** When it was looked at, by our clock. */
  readonly atMs: number;
  /** Of its bytes. */
  readonly hash: string;
  readonly type: MemoryType | null;
  readonly supersedes: readonly string[];
  readonly isConflicted: boolean;
}

export interface Skipped {
  readonly file: string;
  readonly reason: string;
}

export interface TeamReading {
  readonly files: readonly TeamFile[];
  /** Ids of what was removed. */
  readonly removed: ReadonlySet<string>;
  readonly skipped: readonly Skipped[];
}

const NOTHING: TeamReading = { files: [], removed: new Set(), skipped: [] };

/** `known`: what an earlier look found; what has the same stamp is not opened. */
export function readTeamFolder(workTree: string, known: ReadonlyMap<string, TeamFile> = new Map()): TeamReading {
  return inTeamFolder(workTree, NOTHING, (root) => readFiles(root, known));
}

/** The whole text of a file, without markers: both sides of a conflict, united. Null when it is not there any more. */
export function readTeamText(workTree: string, file: string): string | null {
  return inTeamFolder(workTree, null, (root) => {
    const bytes = root.read(file, TEAM_FILE_BYTES);
    return bytes === null ? null : withoutMarkers(bytes.toString('utf8'));
  });
}

export function withoutMarkers(text: string): string {
  return uniteVersions(sidesOf(text).map((side) => ({ text: side })));
}

/** Part by part, so that no link on the way leads elsewhere. */
export function inTeamFolder<T>(workTree: string, fallback: T, use: (root: Folder) => T): T {
  const opened: Folder[] = [];
  try {
    let folder = openFolder(workTree);
    for (const name of [...TEAM_FOLDER.split('/'), null]) {
      if (folder === null) return fallback;
      opened.push(folder);
      if (name !== null) folder = folder.sub(name);
    }
    return use(opened.at(-1)!);
  } finally {
    for (const folder of opened) folder.close();
  }
}

function readFiles(root: Folder, known: ReadonlyMap<string, TeamFile>): TeamReading {
  const walk = walkMemoryFiles(root, 0);
  const skipped: Skipped[] = walk.passedOver.filter(({ file }) => file !== REMOVED_FOLDER).map((each) => ({ ...each }));
  const files = walk.files.flatMap((seen) => {
    const found = tryReadFile(root, seen, known.get(seen.file));
    if ('reason' in found) skipped.push(found);
    return 'reason' in found ? [] : [found];
  });
  return { files, removed: readRemoved(root, skipped), skipped };
}

/** One file that cannot be read must not hide the others. */
function tryReadFile(root: Folder, seen: SeenFile, before: TeamFile | undefined): TeamFile | Skipped {
  const { file, stamp } = seen;
  if (before !== undefined && sameStamp(before.stamp, stamp) && isSettled(before.stamp, before.atMs)) return before;
  if (stamp.size > TEAM_FILE_BYTES) return { file, reason: `larger than ${TEAM_FILE_BYTES} bytes` };
  if (secretInName(file) !== null) return { file: 'A file', reason: 'its name holds a secret' };
  const atMs = Date.now();
  try {
    const bytes = root.read(file, TEAM_FILE_BYTES);
    if (bytes === null) return { file, reason: 'gone' };
    return { ...describeTeamFile(file, bytes), stamp, atMs };
  } catch (error) {
    return { file, reason: messageOf(error) };
  }
}

export function describeTeamFile(file: string, bytes: Buffer): Omit<TeamFile, 'stamp' | 'atMs'> {
  const text = bytes.toString('utf8');
  const sides = sidesOf(text);
  const { type, meta } = parseMemoryFile(Buffer.from(withoutMarkers(text)));
  const named = MEMORY_TYPES.find((each) => file.startsWith(`${each}_`)) ?? null;
  return {
    file,
    id: teamIdOf(file),
    hash: hashOf(bytes),
    // Private by its name is private, whatever its text says.
    type: named === 'user' ? 'user' : type,
    supersedes: supersededIds(meta.supersedes),
    isConflicted: sides.length > 1 || sides[0] !== text,
  };
}

function readRemoved(root: Folder, skipped: Skipped[]): ReadonlySet<string> {
  try {
    const folder = root.sub(REMOVED_FOLDER);
    if (folder === null) return new Set();
    try {
      return new Set(folder.entries().flatMap((entry) => (entry.isFile() ? [entry.name] : [])));
    } finally {
      folder.close();
    }
  } catch (error) {
    skipped.push({ file: join(TEAM_FOLDER, REMOVED_FOLDER), reason: messageOf(error) });
    return new Set();
  }
}
