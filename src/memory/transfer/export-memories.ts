/** Writes all memories and daily logs into one checksummed file that imports back byte for byte. */

import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { MemoryScope } from '../../base/taxonomy.ts';
import { quoted } from '../../base/text/shell-words.ts';
import { openFolder } from '../../disk/folder.ts';
import { storageError } from '../../disk/storage-error.ts';
import { ReverieError } from '../../errors.ts';
import { findPlace, type PlaceOptions } from '../../settings/place.ts';
import { logFile } from '../daily-log/place.ts';
import { loggedDays } from '../daily-log/read.ts';
import { INDEX_FILE } from '../files/walk.ts';
import { refuseWhenOff } from '../off.ts';
import { openScopes } from '../scopes.ts';
import { isMemory, renderExport } from './export-file.ts';

/** The text of an export, and what is in it. */
export interface Exported {
  readonly text: string;
  readonly memories: number;
  /** Files with secrets: they are in the export as they are, and an import will leave them out. */
  readonly warnings: readonly string[];
}

/** Exports all memories as one text with checksums. */
export async function exportMemories(options: PlaceOptions & { readonly scope?: MemoryScope } = {}): Promise<Exported> {
  const place = findPlace(options);
  refuseWhenOff(place);
  const scopes = await openScopes(place);
  try {
    await scopes.settled();
    const folders = options.scope === undefined ? scopes.folders : [scopes.folder(options.scope)];
    const files = folders.flatMap((folder) => {
      const names = folder.look().files.map(({ file }) => file);
      const logs = loggedDays(folder.path).map(logFile);
      return [...names.sort(), ...logs, INDEX_FILE].flatMap((file) => {
        const bytes = folder.read(file);
        return bytes === null ? [] : [{ scope: folder.scope, file, bytes, index: file === INDEX_FILE }];
      });
    });
    const text = renderExport({ created: scopes.now().toISOString(), files });
    const warnings: string[] = [];
    for (const { file, bytes } of files) {
      const secret = await scopes.secrets.describeSecretsIn(bytes.toString('utf8'));
      if (secret !== null)
        warnings.push(`${file} is exported with a secret in it, and will not be imported. ${secret}`);
    }
    return { text, memories: files.filter(isMemory).length, warnings };
  } finally {
    await Promise.all(scopes.folders.map((folder) => folder.close()));
  }
}

/** Puts an export at a path of the user's choice; what is there already is not overwritten. */
export async function writeExport(path: string, text: string): Promise<string> {
  const target = resolve(path);
  const folder = openFolder(dirname(target));
  if (folder === null) {
    throw new ReverieError({
      code: 'not-found',
      message: `There is no folder ${dirname(target)}`,
      fix: `Make it first: mkdir -p ${dirname(target)}`,
    });
  }
  try {
    const name = await folder.stage(Buffer.from(text)).catch((error: Error) => {
      throw storageError({ path: target, doing: 'write', error: error.cause ?? error });
    });
    if (!folder.moveIn({ from: folder, name }, basename(target), 'create')) {
      folder.remove(name);
      throw thereAlready(target);
    }
    await folder.sync();
    return target;
  } finally {
    folder.close();
  }
}

/** Nobody is told to remove a folder. */
function thereAlready(target: string): ReverieError {
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return new ReverieError({
    code: 'refused',
    message: isFolder ? `${target} is a folder` : `${target} exists already`,
    fix: isFolder
      ? `Name the file as well: reverie export ${quoted(join(target, 'memories.export'))}`
      : 'Choose another name, or remove it first.',
  });
}
