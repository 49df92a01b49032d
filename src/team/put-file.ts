/** Puts a derived file in place whole, for this user alone: whoever reads meanwhile sees the one before or this one. */

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../disk/folder.ts';
import { stagedName } from '../disk/staged-name.ts';
import { storageError } from '../disk/storage-error.ts';

const FILE_MODE = 0o600;

export function putFile(path: string, name: string, text: string): void {
  const folder = createFolder(path);
  try {
    const staged = stagedName();
    writeFileSync(folder.at(staged), text, { flag: 'wx', mode: FILE_MODE });
    renameSync(folder.at(staged), folder.at(name));
  } catch (error) {
    throw storageError({ path: join(path, name), doing: 'write', error });
  } finally {
    folder.close();
  }
}
