/** One look at a memory folder: the facts of every file, and how the disk differs from what the journal knows. */

import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import type { MemorySource } from '../../base/taxonomy.ts';
import { readFile, within } from '../../disk/commit.ts';
import { hashOf } from '../../disk/contents.ts';
import type { Folder } from '../../disk/folder.ts';
import { type Stamp, stampOf } from '../../disk/stamp.ts';
import { ReverieError } from '../../errors.ts';
import { HEADER_LIMITS, PATH_LIMITS } from '../../limits.ts';
import type { FolderContext } from '../history/folder-context.ts';
import { factsOf } from './header.ts';
import { isUnchanged, type KnownFiles, type StoredFacts } from './known-files.ts';
import { parseMemoryFile, parseMemoryHeader } from './memory-file.ts';
import { secretInName } from './secret-name.ts';
import { type SeenFile, type Walk, walkingMemoryFiles } from './walk.ts';

export interface LookedFile extends SeenFile {
  readonly facts: StoredFacts;
  /** Of the content, where it is known without reading the file. */
  readonly hash: string | null;
}

export interface Look extends Pick<Walk, 'passedOver'> {
  readonly files: readonly LookedFile[];
  /** Files whose content the journal has not recorded. */
  readonly changedOutside: readonly SeenFile[];
  readonly removedOutside: readonly string[];
}

export type LookFacts = Pick<FolderContext, 'known' | 'limits' | 'unmarked'>;

/** Most headers end within the first page; reading more would cost more than parsing. */
const FIRST_READ_BYTES = 4096;
/** Up to here a changed file is read whole, to compare its hash; above, only its header. */
const SMALL_FILE_BYTES = 65_536;

export function lookAt(root: Folder, facts: LookFacts): Look {
  return atOnce(lookingAt(root, facts));
}

/** One file a step. */
export function* lookingAt(root: Folder, { known, unmarked }: LookFacts): Steps<Look> {
  const walk = yield* walkingMemoryFiles(root, PATH_LIMITS.depth);
  const files: LookedFile[] = [];
  const changedOutside: SeenFile[] = [];
  const passedOver = [...walk.passedOver];
  let knownAndPresent = 0;
  for (const seen of walk.files) {
    yield;
    const { file, stamp } = seen;
    const before = known.get(file);
    if (before !== undefined) knownAndPresent += 1;
    if (isUnchanged(before, stamp)) {
      files.push({ file, stamp, facts: before.seen.facts, hash: before.hash });
      continue;
    }
    const secret = before === undefined ? secretInName(file) : null;
    if (secret !== null) {
      passedOver.push({ file, reason: `its name holds a secret (${secret.label})` });
      continue;
    }
    const looked = tryReadFacts(root, seen, { knownHash: before?.hash ?? null, unmarked });
    if (looked === null) continue;
    if ('reason' in looked) {
      passedOver.push({ file, reason: looked.reason });
      continue;
    }
    files.push({ ...seen, facts: looked.facts, hash: looked.isAsRecorded ? (before?.hash ?? null) : null });
    if (looked.isAsRecorded) known.markSeen(seen.file, { stamp: looked.stamp, atMs: looked.atMs, facts: looked.facts });
    else changedOutside.push(seen);
  }
  const removedOutside = knownAndPresent === known.size() ? [] : absentFiles(known, walk);
  return { files, changedOutside, removedOutside, passedOver };
}

/** What lies in a folder that cannot be read just now is not gone. */
function absentFiles(known: KnownFiles, walk: Walk): string[] {
  const present = new Set(walk.files.map(({ file }) => file));
  const isHidden = (file: string) =>
    walk.passedOver.some((each) => file === each.file || file.startsWith(`${each.file}/`));
  return [...known.files()].filter((file) => !present.has(file) && !isHidden(file));
}

/** One file that cannot be read must not hide the others. */
function tryReadFacts(root: Folder, seen: SeenFile, options: ReadOptions): Read | { reason: string } | null {
  try {
    return readFacts(root, seen, options);
  } catch (error) {
    if (error instanceof ReverieError) return { reason: error.message };
    throw error;
  }
}

interface ReadOptions {
  readonly knownHash: string | null;
  readonly unmarked: MemorySource;
}

interface Read {
  readonly facts: StoredFacts;
  readonly stamp: Stamp;
  readonly atMs: number;
  readonly isAsRecorded: boolean;
}

function readFacts(root: Folder, seen: SeenFile, options: ReadOptions): Read | null {
  const atMs = Date.now();
  if (options.knownHash === null || seen.stamp.size > SMALL_FILE_BYTES) {
    const facts = readHeader(root, seen.file, options.unmarked);
    return facts && { facts, stamp: seen.stamp, atMs, isAsRecorded: false };
  }
  const whole = readFile(root, seen.file);
  if (whole === null) return null;
  const { body: _body, ...parsed } = parseMemoryFile(whole.bytes);
  const isAsRecorded = hashOf(whole.bytes) === options.knownHash;
  return { facts: factsOf(seen.file, parsed, options.unmarked), stamp: whole.stamp, atMs, isAsRecorded };
}

/** Front matter alone: a memory of ten megabytes costs as much as one of ten lines. */
function readHeader(root: Folder, file: string, unmarked: MemorySource): StoredFacts | null {
  return within(root, file, { create: false }, (folder, name) => {
    const stats = folder.stat(name);
    if (stats === null) return null;
    const { size } = stampOf(stats);
    for (const maxBytes of [FIRST_READ_BYTES, HEADER_LIMITS.bytes]) {
      const bytes = folder.read(name, Math.min(maxBytes, size));
      if (bytes === null) return null;
      const parsed = parseMemoryHeader(bytes, { wholeFile: size <= maxBytes });
      if (parsed !== 'need-more') return factsOf(file, parsed, unmarked);
    }
    return null;
  });
}
