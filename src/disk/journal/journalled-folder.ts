/** A folder with its journal: `.reverie/` below it holds the journal, the contents it names, the lock and staged files. */

import { type Contents, openContents } from '../contents.ts';
import { createFolder, type Folder, openFolder } from '../folder.ts';
import { type HeldLock, type LockPatience, takeLock } from '../lock.ts';
import { type Journal, openJournal } from './journal.ts';

export const CONTROL_FOLDER = '.reverie';

export interface JournalledFolder {
  readonly root: Folder;
  readonly journal: Journal;
  readonly contents: Contents;
  readonly journalFolder: Folder;
  /** Files being written; after a crash whatever is left here is rubbish. */
  readonly temporary: Folder;
  readonly lockFolder: Folder;
  close(): void;
}

/** For reading: null when the folder or its journal is not there yet. */
export function openJournalled(path: string): JournalledFolder | null {
  const root = openFolder(path);
  if (root === null) return null;
  const folders = controlFolders(root, { create: false });
  if (folders) return joined(root, folders);
  root.close();
  return null;
}

export function createJournalled(path: string): JournalledFolder {
  const root = createFolder(path);
  const folders = controlFolders(root, { create: true });
  if (folders) return joined(root, folders);
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

function controlFolders(root: Folder, options: { create: boolean }): ControlFolders | null {
  const opened: Folder[] = [];
  const open = (parent: Folder | null, name: string): Folder | null => {
    const folder = parent?.sub(name, options) ?? null;
    if (folder) opened.push(folder);
    return folder;
  };
  const control = open(root, CONTROL_FOLDER);
  const journal = open(control, 'journal');
  const contents = open(journal, 'contents');
  const temporary = open(control, 'temporary');
  const lock = open(control, 'lock');
  if (control && journal && contents && temporary && lock) return { control, journal, contents, temporary, lock };
  for (const folder of opened) folder.close();
  return null;
}

function joined(root: Folder, folders: ControlFolders): JournalledFolder {
  const { control, journal, contents, temporary, lock } = folders;
  return {
    root,
    journal: openJournal({ journal, temporary }),
    contents: openContents({ contents, temporary }),
    journalFolder: journal,
    temporary,
    lockFolder: lock,
    close() {
      for (const folder of [lock, temporary, contents, journal, control, root]) folder.close();
    },
  };
}
