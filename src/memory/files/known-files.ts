/**
 * What the journal knows of each memory file: the hash it was left with, and for files seen on disk since then the
 * stamp and the parsed facts, so that a listing parses only what changed. Kept between processes in a derived snapshot;
 * deleting that loses nothing, the journal tells it again.
 */

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
const SNAPSHOT_VERSION = 2;

interface Snapshot {
  readonly version: number;
  readonly journal: string | null;
  readonly position: number;
  readonly index: { readonly stamp: Stamp; readonly atMs: number } | null;
  readonly files: readonly (readonly [string, KnownFile])[];
}

export function openKnownFiles(cacheDirectory: string | null): KnownFiles {
  const snapshot = readSnapshot(cacheDirectory);
  let files = new Map<string, KnownFile>(snapshot?.files);
  let journalId = snapshot?.journal ?? null;
  let position = snapshot?.position ?? 0;
  let index = snapshot?.index ?? null;
  let changedSinceSnapshot = 0;

  function take(change: Change): void {
    for (const { file, after } of change.files) {
      if (file === INDEX_FILE) continue;
      if (after === null) files.delete(file);
      else if (files.get(file)?.hash !== after) files.set(file, { hash: after, seen: null });
      changedSinceSnapshot += 1;
    }
  }

  return {
    get: (file) => files.get(file),
    size: () => files.size,
    files: () => files.keys(),
    catchUp(journal) {
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
      const known = files.get(file);
      if (known === undefined) return;
      files.set(file, { hash: known.hash, seen });
      changedSinceSnapshot += 1;
    },
    indexSeen: () => index,
    markIndexSeen(seen) {
      index = seen;
      changedSinceSnapshot += 1;
    },
    async saveSnapshot({ always }) {
      const isWorthIt = changedSinceSnapshot > 0 && (always || changedSinceSnapshot > Math.max(16, files.size / 50));
      if (!isWorthIt || cacheDirectory === null) return;
      changedSinceSnapshot = 0;
      const version = SNAPSHOT_VERSION;
      // Derived: where it cannot be written, the journal tells it again.
      await writeSnapshot(cacheDirectory, { version, journal: journalId, position, index, files: [...files] }).catch(
        () => undefined,
      );
    },
  };
}

/** Whether a file on disk is, without reading it, what the journal last recorded. */
export function isUnchanged(known: KnownFile | undefined, stamp: Stamp): known is KnownFile & { seen: object } {
  const seen = known?.seen ?? null;
  return seen !== null && sameStamp(seen.stamp, stamp) && isSettled(stamp, seen.atMs);
}

/** Whatever is wrong with it, it counts as not there. */
function readSnapshot(directory: string | null): Snapshot | null {
  try {
    const folder = directory === null ? null : openFolder(directory);
    if (folder === null) return null;
    try {
      removeLeftovers(folder);
      const snapshot = JSON.parse(folder.read(SNAPSHOT_FILE)?.toString('utf8') ?? 'null') as Snapshot | null;
      return snapshot?.version === SNAPSHOT_VERSION && snapshot.files.every(isEntry) ? snapshot : null;
    } finally {
      folder.close();
    }
  } catch {
    return null;
  }
}

function isEntry(entry: unknown): boolean {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1]?.hash === 'string';
}

async function writeSnapshot(directory: string, snapshot: Snapshot): Promise<void> {
  const folder = createFolder(directory);
  try {
    // Derived, so a power cut may have it; renamed into place, so no reader sees half of it.
    const name = await folder.stage(Buffer.from(JSON.stringify(snapshot)), { durable: false });
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
