/**
 * What the journal knows of each memory file: the hash it was left with, and for files seen on disk since then the
 * stamp and the parsed facts, so that a listing parses only what changed. Kept between processes in a derived snapshot;
 * deleting that loses nothing, the journal tells it again.
 */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { atOnce, inTurns, type Steps } from '../../base/async/in-turns.ts';
import { createFolder, openFolder } from '../../disk/folder.ts';
import type { Change } from '../../disk/journal/change.ts';
import type { Journal } from '../../disk/journal/journal.ts';
import { removeLeftovers } from '../../disk/staged-name.ts';
import { isSettled, type Stamp, sameStamp } from '../../disk/stamp.ts';
import type { MemoryFacts } from './header.ts';
import { INDEX_FILE } from './walk.ts';

export type StoredFacts = MemoryFacts & { readonly modified: string | null };

export interface KnownFile {
  /** The content the journal last recorded. */
  readonly hash: string;
  /** Set once the file was seen with that content. */
  readonly seen: { readonly stamp: Stamp; readonly atMs: number; readonly facts: StoredFacts } | null;
}

export interface KnownFiles {
  /** Reads the snapshot while others have their turn; without it, the first use does so at once. */
  load(): Promise<void>;
  get(file: string): KnownFile | undefined;
  size(): number;
  files(): IterableIterator<string>;
  /** Takes in what the journal has gained since the last time. */
  catchUp(journal: Journal): void;
  record(change: Change, journalEnd: number): void;
  markSeen(file: string, seen: NonNullable<KnownFile['seen']>): void;
  /** The stamp under which MEMORY.md was last found to match the files. */
  indexSeen(): { readonly stamp: Stamp; readonly atMs: number } | null;
  markIndexSeen(seen: { readonly stamp: Stamp; readonly atMs: number }): void;
  /** Writes the snapshot if enough has changed to be worth it. */
  saveSnapshot(options: { readonly always: boolean }): Promise<void>;
}

const SNAPSHOT_FILE = 'headers.json';
const SNAPSHOT_VERSION = 3;
/** Files a line of the snapshot: what is read, or written, between two chances to pause. */
const FILES_PER_LINE = 256;
const LINE_END = 0x0a;

/** The first line; each of those behind it is a list of files. */
interface SnapshotHead {
  readonly version: number;
  readonly journal: string | null;
  readonly position: number;
  readonly index: { readonly stamp: Stamp; readonly atMs: number } | null;
  /** How many files follow: what a power cut took the end of counts as not there. */
  readonly count: number;
}

type SnapshotFile = readonly [string, KnownFile];

interface Snapshot extends SnapshotHead {
  readonly files: Map<string, KnownFile>;
}

export function openKnownFiles(cacheDirectory: string | null): KnownFiles {
  let files = new Map<string, KnownFile>();
  let journalId: string | null = null;
  let position = 0;
  let index: SnapshotHead['index'] = null;
  let changedSinceSnapshot = 0;

  function* loadingFrom(bytes: Buffer | null): Steps<void> {
    const snapshot = bytes === null ? null : yield* parsingSnapshot(bytes);
    if (snapshot !== null) {
      ({ files, journal: journalId, position, index } = snapshot);
    }
    isLoaded = true;
  }

  let isLoaded = cacheDirectory === null;
  let loading: Steps<void> | null = null;
  /** Before anything is told or noted: at once what `load` has not got to yet. */
  function loaded(): Map<string, KnownFile> {
    if (!isLoaded) {
      loading ??= loadingFrom(readSnapshot(cacheDirectory));
      atOnce(loading);
    }
    return files;
  }

  function take(change: Change): void {
    const known = loaded();
    for (const { file, after } of change.files) {
      if (file === INDEX_FILE) continue;
      if (after === null) known.delete(file);
      else if (known.get(file)?.hash !== after) known.set(file, { hash: after, seen: null });
      changedSinceSnapshot += 1;
    }
  }

  return {
    async load() {
      if (isLoaded) return;
      const bytes = await readSnapshotAside(cacheDirectory);
      if (isLoaded) return;
      loading ??= loadingFrom(bytes);
      await inTurns(loading);
    },
    get: (file) => loaded().get(file),
    size: () => loaded().size,
    files: () => loaded().keys(),
    catchUp(journal) {
      loaded();
      const id = journal.id();
      if (id !== journalId || journal.size() < position) {
        files = new Map();
        journalId = id;
        position = 0;
      }
      if (journal.size() === position) return;
      let news = journal.readFrom(position);
      if (news.abandonsEarlier) {
        files = new Map();
        news = journal.readFrom(0);
      }
      for (const change of news.changes) take(change);
      position = news.end;
    },
    record(change, journalEnd) {
      take(change);
      position = journalEnd;
    },
    markSeen(file, seen) {
      const known = loaded().get(file);
      if (known === undefined) return;
      files.set(file, { hash: known.hash, seen });
      changedSinceSnapshot += 1;
    },
    indexSeen() {
      loaded();
      return index;
    },
    markIndexSeen(seen) {
      loaded();
      index = seen;
      changedSinceSnapshot += 1;
    },
    async saveSnapshot({ always }) {
      const isWorthIt = changedSinceSnapshot > 0 && (always || changedSinceSnapshot > Math.max(16, files.size / 50));
      if (!isWorthIt || cacheDirectory === null) return;
      changedSinceSnapshot = 0;
      const version = SNAPSHOT_VERSION;
      // Derived: where it cannot be written, the journal tells it again.
      const head = { version, journal: journalId, position, index, count: files.size };
      await writeSnapshot(cacheDirectory, { head, files: [...files] }).catch(() => undefined);
    },
  };
}

/** Whether a file on disk is, without reading it, what the journal last recorded. */
export function isUnchanged(known: KnownFile | undefined, stamp: Stamp): known is KnownFile & { seen: object } {
  const seen = known?.seen ?? null;
  return seen !== null && sameStamp(seen.stamp, stamp) && isSettled(stamp, seen.atMs);
}

function readSnapshot(directory: string | null): Buffer | null {
  try {
    const folder = directory === null ? null : openFolder(directory);
    if (folder === null) return null;
    try {
      removeLeftovers(folder);
      return folder.read(SNAPSHOT_FILE);
    } finally {
      folder.close();
    }
  } catch {
    return null;
  }
}

/** The same without blocking the thread, which would take a while for a hundred thousand files. */
async function readSnapshotAside(directory: string | null): Promise<Buffer | null> {
  try {
    const folder = directory === null ? null : openFolder(directory);
    if (folder === null) return null;
    try {
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
      const file = await open(folder.at(SNAPSHOT_FILE), O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
      try {
        return (await file.stat()).isFile() ? await file.readFile() : null;
      } finally {
        await file.close();
      }
    } finally {
      folder.close();
    }
  } catch {
    return null;
  }
}

/** Whatever is wrong with it, it counts as not there. */
function* parsingSnapshot(bytes: Buffer): Steps<Snapshot | null> {
  try {
    const lines = linesIn(bytes);
    const head = lines.next().value as SnapshotHead | undefined;
    if (head?.version !== SNAPSHOT_VERSION) return null;
    const files = new Map<string, KnownFile>();
    for (const line of lines) {
      yield;
      if (!Array.isArray(line) || !line.every(isEntry)) return null;
      for (const [file, known] of line) files.set(file, known);
    }
    return files.size === head.count ? { ...head, files } : null;
  } catch {
    return null;
  }
}

function* linesIn(bytes: Buffer): Generator<unknown, undefined> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from);
    const to = end === -1 ? bytes.length : end;
    yield JSON.parse(bytes.toString('utf8', from, to));
    from = to + 1;
  }
}

function isEntry(entry: unknown): entry is SnapshotFile {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1]?.hash === 'string';
}

interface SnapshotToWrite {
  readonly head: SnapshotHead;
  readonly files: readonly SnapshotFile[];
}

function* renderingSnapshot({ head, files }: SnapshotToWrite): Steps<readonly Buffer[]> {
  const lines = [Buffer.from(`${JSON.stringify(head)}\n`)];
  for (let from = 0; from < files.length; from += FILES_PER_LINE) {
    yield;
    lines.push(Buffer.from(`${JSON.stringify(files.slice(from, from + FILES_PER_LINE))}\n`));
  }
  return lines;
}

async function writeSnapshot(directory: string, snapshot: SnapshotToWrite): Promise<void> {
  const folder = createFolder(directory);
  try {
    // Derived, so a power cut may have it; renamed into place, so no reader sees half of it.
    const name = await folder.stage(await inTurns(renderingSnapshot(snapshot)), { durable: false });
    try {
      folder.moveIn({ from: folder, name }, SNAPSHOT_FILE, 'replace');
    } catch (error) {
      folder.discard(name);
      throw error;
    }
    removeLeftovers(folder);
  } finally {
    folder.close();
  }
}
