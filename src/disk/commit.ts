/**
 * Carries a change out so that it happens whole or not at all: new contents are written beside their places first, the
 * change is put in the journal, and only then are the files moved in. What fails after that is taken back; what is
 * killed after that is finished by the next process from the journal.
 */

import { errnoOf, ReverieError } from '../errors.ts';
import type { Folder } from './folder.ts';
import type { Change } from './journal/change.ts';
import type { JournalledFolder } from './journal/journalled-folder.ts';
import type { HeldLock } from './lock.ts';
import { type Stamp, sameStamp, stampOf } from './stamp.ts';

export interface FileWrite {
  readonly file: string;
  /** Null removes the file. */
  readonly bytes: Uint8Array | null;
  /** What was there when the change was planned; if it is another one by now, a person's edit wins. */
  readonly previous: { readonly bytes: Uint8Array; readonly stamp: Stamp } | null;
}

export async function commit(
  store: JournalledFolder,
  request: {
    readonly change: Change;
    readonly writes: readonly FileWrite[];
    readonly lock: HeldLock;
    /** What else belongs to the change and can be made again after a crash. */
    readonly finish?: () => Promise<void>;
  },
): Promise<void> {
  const { change, writes, lock } = request;
  const staged = await stageAll(store, writes);
  try {
    await store.contents.sync();
    checkFence(lock);
    await store.journal.begin(change);
  } catch (error) {
    discardAll(store, staged);
    throw error;
  }

  const applied: FileWrite[] = [];
  try {
    for (const [position, write] of writes.entries()) {
      checkFence(lock);
      applied.push(write);
      putInPlace(store, write, staged[position] ?? null);
    }
    await syncFoldersOf(store.root, writes);
  } catch (error) {
    discardAll(store, staged);
    // Whoever took over has finished the change from the journal; taking it back now would undo their work.
    if (lock.stillHeld()) await takeBack(store, { change, applied, error });
    throw error;
  }
  // Everything is in place; without the closing line the next process merely checks that.
  try {
    await request.finish?.();
    await store.journal.close(change.id, 'done');
  } catch {}
}

async function stageAll(store: JournalledFolder, writes: readonly FileWrite[]): Promise<(string | null)[]> {
  const staged: (string | null)[] = [];
  try {
    for (const write of writes) staged.push(write.bytes === null ? null : await store.staging.stage(write.bytes));
    return staged;
  } catch (error) {
    discardAll(store, staged);
    throw error;
  }
}

function discardAll(store: JournalledFolder, staged: readonly (string | null)[]): void {
  for (const name of staged) if (name !== null) store.staging.discard(name);
}

/** Moves one staged file to its place, or removes what is there. */
function putInPlace(store: JournalledFolder, write: FileWrite, staged: string | null): void {
  within(store.root, write.file, { create: staged !== null }, (folder, name) => {
    const stats = folder.stat(name);
    const isAsPlanned =
      write.previous === null ? stats === null : stats !== null && sameStamp(stampOf(stats), write.previous.stamp);
    if (!isAsPlanned) throw changedMeanwhile(write.file);
    if (staged === null) folder.remove(name);
    else {
      const how = write.previous === null ? 'create' : 'replace';
      if (!folder.moveIn({ from: store.staging, name: staged }, name, how)) throw changedMeanwhile(write.file);
    }
  });
}

/** Puts a file in place (null removes it) whatever is there; for recovery, when the journal says what belongs there. */
export async function restoreFile(store: JournalledFolder, file: string, bytes: Uint8Array | null): Promise<void> {
  const staged = bytes === null ? null : await store.staging.stage(bytes);
  within(store.root, file, { create: staged !== null }, (folder, name) => {
    if (staged === null) folder.remove(name);
    else folder.moveIn({ from: store.staging, name: staged }, name, 'replace');
  });
  await syncFoldersOf(store.root, [{ file }]);
}

async function takeBack(
  store: JournalledFolder,
  failure: { change: Change; applied: readonly FileWrite[]; error: unknown },
): Promise<void> {
  try {
    for (const write of [...failure.applied].reverse()) {
      const now = readFile(store.root, write.file);
      const isOurs = write.bytes === null ? now === null : (now?.bytes.equals(write.bytes) ?? false);
      if (isOurs) await restoreFile(store, write.file, write.previous?.bytes ?? null);
    }
    await store.journal.close(failure.change.id, 'abandoned');
  } catch {
    throw new ReverieError({
      code: 'storage',
      message: `${messageOf(failure.error)}; the change was cut off halfway`,
      fix: 'The next reverie command finishes it from the journal: run `reverie doctor`.',
      cause: failure.error,
    });
  }
}

/** A file's bytes with the stamp they were read under. */
export function readFile(root: Folder, file: string): { bytes: Buffer; stamp: Stamp } | null {
  return within(root, file, { create: false }, (folder, name) => {
    const stats = folder.stat(name);
    const bytes = stats === null ? null : folder.read(name);
    return stats === null || bytes === null ? null : { bytes, stamp: stampOf(stats) };
  });
}

/** Opens the folder a path lies in, part by part and never through a link. */
export function within<T>(
  root: Folder,
  file: string,
  options: { create: boolean },
  use: (folder: Folder, name: string) => T,
): T | null {
  const parts = file.split('/');
  const name = parts.pop() ?? '';
  if (parts.some(leadsAway) || leadsAway(name)) {
    throw new ReverieError({ code: 'refused', message: `${file} is not a path inside ${root.path}` });
  }
  let folder: Folder | null = root;
  const opened: Folder[] = [];
  try {
    for (const part of parts) {
      folder = folder.sub(part, options);
      if (folder === null) return null;
      opened.push(folder);
    }
    return use(folder, name);
  } finally {
    for (const each of opened) each.close();
  }
}

function leadsAway(part: string): boolean {
  return part === '' || part === '.' || part === '..' || part.includes('\0');
}

async function syncFoldersOf(root: Folder, writes: readonly { readonly file: string }[]): Promise<void> {
  await root.sync();
  const parents = new Set(writes.map((write) => write.file.split('/').slice(0, -1).join('/')));
  parents.delete('');
  for (const parent of parents) {
    within(root, `${parent}/_`, { create: false }, (folder) => folder.syncNow());
  }
}

/** Asked before every step that cannot be taken back: the lock may have passed to another while this process was stopped. */
export function checkFence(lock: HeldLock): void {
  if (lock.stillHeld()) return;
  throw new ReverieError({
    code: 'locked',
    message: 'Another process took over while this one was stopped',
    fix: 'See with `reverie memory log` whether the change is there, and try again if not.',
  });
}

function changedMeanwhile(file: string): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `${file} was changed by someone else in this moment; nothing was changed`,
    fix: 'Look at it and try again.',
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `error ${errnoOf(error)}`;
}
