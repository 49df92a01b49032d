/** A folder with its journal: `.reverie/` below it, or a place of its own, holds the journal, the contents it names, the lock and staged files. */

import { type Contents, openContents } from '../contents.ts';
import { createFolder, type Folder, type FolderSharing, openFolder } from '../folder.ts';
import { type HeldLock, type LockPatience, takeLock } from '../lock.ts';
import { type Journal, openJournal } from './journal.ts';

export const CONTROL_FOLDER = '.reverie';

/** Where a journal is kept that may not be in the folder itself, as in a repository; and whether the files are for others too. */
export interface JournalPlace extends FolderSharing {
  /** Absolute; `.reverie` below the folder unless given. */
  readonly control?: string | undefined;
}

export interface JournalledFolder {
  readonly root: Folder;
  readonly journal: Journal;
  readonly contents: Contents;
  readonly journalFolder: Folder;
  /** Files being written; after a crash whatever is left here is rubbish. */
  readonly temporary: Folder;
  /** The same for files of the folder: they are moved in from here, which another disk would not allow. */
  readonly staging: Folder;
  readonly lockFolder: Folder;
  close(): void;
}

/** For reading: null when the folder or its journal is not there yet. */
export function openJournalled(path: string, place: JournalPlace = {}): JournalledFolder | null {
  const root = openFolder(path, place);
  if (root === null) return null;
  const folders = controlFolders(root, { ...place, create: false });
  if (folders) return joined(root, folders, place);
  root.close();
  return null;
}

export function createJournalled(path: string, place: JournalPlace = {}): JournalledFolder {
  const root = createFolder(path, place);
  const folders = controlFolders(root, { ...place, create: true });
  if (folders) return joined(root, folders, place);
  throw new Error(`could not create ${path}`);
}

/** One process at a time; `work` must ask the lock before each commit. */
export async function exclusively<T>(
  folder: JournalledFolder,
  patience: LockPatience,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const lock = await takeLock(folder.lockFolder, patience);
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

interface ControlFolders {
  readonly control: Folder;
  readonly journal: Folder;
  readonly contents: Folder;
  readonly temporary: Folder;
  readonly lock: Folder;
}

function controlFolders(root: Folder, options: JournalPlace & { create: boolean }): ControlFolders | null {
  const opened: Folder[] = [];
  const outside = (path: string): Folder | null => {
    const folder = options.create ? createFolder(path) : openFolder(path);
    if (folder) opened.push(folder);
    return folder;
  };
  const open = (parent: Folder | null, name: string): Folder | null => {
    const folder = parent?.sub(name, options) ?? null;
    if (folder) opened.push(folder);
    return folder;
  };
  const control = options.control === undefined ? open(root, CONTROL_FOLDER) : outside(options.control);
  const journal = open(control, 'journal');
  const contents = open(journal, 'contents');
  const temporary = open(control, 'temporary');
  const lock = open(control, 'lock');
  if (control && journal && contents && temporary && lock) return { control, journal, contents, temporary, lock };
  for (const folder of opened) folder.close();
  return null;
}

function joined(root: Folder, folders: ControlFolders, place: JournalPlace): JournalledFolder {
  const { control, journal, contents, temporary, lock } = folders;
  return {
    root,
    journal: openJournal({ journal, temporary }),
    contents: openContents({ contents, temporary }),
    journalFolder: journal,
    temporary,
    staging: place.control === undefined ? temporary : root,
    lockFolder: lock,
    close() {
      for (const folder of [lock, temporary, contents, journal, control, root]) folder.close();
    },
  };
}
