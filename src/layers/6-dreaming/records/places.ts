/** The folders for dream records, each held by its descriptor, so that no link leads out of the memory folder. */

import { createFolder, type Folder, openFolder } from '../../../disk/folder.ts';
import { CONTROL_FOLDER } from '../../../disk/journal/journalled-folder.ts';

export interface DreamPlaces {
  readonly root: Folder;
  readonly dreams: Folder;
  readonly lock: Folder;
  /** Files being written; those left by dead processes are removed whenever the lock is taken. */
  readonly staging: Folder;
  close(): void;
}

export function createDreamPlaces(memoryFolder: string): DreamPlaces {
  const opened: Folder[] = [createFolder(memoryFolder)];
  const close = () => {
    for (const folder of opened) folder.close();
  };
  const make = (parent: Folder, name: string): Folder => {
    const folder = parent.sub(name, { create: true });
    if (folder === null) throw new Error(`could not create ${name}`);
    opened.push(folder);
    return folder;
  };
  try {
    const root = opened[0]!;
    const control = make(root, CONTROL_FOLDER);
    const lock = make(control, 'dream-lock');
    return { root, lock, staging: lock, dreams: make(control, 'dreams'), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Read only: null for what is not there, and nothing is created. */
export interface SeenDreamPlaces {
  readonly root: Folder | null;
  readonly dreams: Folder | null;
  readonly lock: Folder | null;
}

export function withDreamPlaces<T>(memoryFolder: string, look: (places: SeenDreamPlaces) => T): T {
  const opened: Folder[] = [];
  const hold = (folder: Folder | null): Folder | null => {
    if (folder) opened.push(folder);
    return folder;
  };
  try {
    const root = hold(openFolder(memoryFolder));
    const control = hold(root?.sub(CONTROL_FOLDER) ?? null);
    const lock = hold(control?.sub('dream-lock') ?? null);
    return look({ root, lock, dreams: hold(control?.sub('dreams') ?? null) });
  } finally {
    for (const folder of opened) folder.close();
  }
}
