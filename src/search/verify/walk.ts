/** The same search where there is no git: a bounded walk over the files that people write. */

import type { Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Limits } from '../../limits.ts';
import { endsLike, type TreeSearch } from './search.ts';
import { DERIVED_FOLDERS } from './words.ts';

/** `cut`: there were more files than may be searched, or some cannot be read, so that nothing is known about what was not found. */
export type WalkEnd = 'finished' | 'cut';

export async function searchByWalking(
  search: TreeSearch,
  limits: Pick<Limits['recall'], 'searchedFiles' | 'searchedFileBytes'>,
): Promise<WalkEnd> {
  const identifiers = new Set(search.identifiers);
  const endings = new Set(search.endings);
  const folders = [search.root];
  let filesLeft = limits.searchedFiles;
  let hasPassedOver = false;

  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await entriesOf(folder);
    if (entries === null) hasPassedOver = true;
    for (const entry of entries ?? []) {
      if (search.signal.aborted) return 'cut';
      if (identifiers.size === 0 && endings.size === 0) return 'finished';
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (isFolder && (DERIVED_FOLDERS.has(entry.name) || search.except.includes(path))) continue;
      if (!isFolder && !entry.isFile()) continue;
      takeEndings(relative(search.root, path).split(sep).join('/'), endings, search.onFound);
      if (isFolder) folders.push(path);
      else if (filesLeft-- <= 0) return 'cut';
      else if (identifiers.size > 0) {
        const text = await readText(path, limits.searchedFileBytes);
        if (text === null) hasPassedOver = true;
        else takeIdentifiers(text, identifiers, search.onFound);
      }
    }
  }
  return hasPassedOver ? 'cut' : 'finished';
}

function takeEndings(file: string, endings: Set<string>, onFound: (claim: string) => void): void {
  for (const ending of endings) {
    if (!endsLike(file, ending)) continue;
    endings.delete(ending);
    onFound(ending);
  }
}

function takeIdentifiers(text: string, identifiers: Set<string>, onFound: (claim: string) => void): void {
  for (const identifier of identifiers) {
    if (!hasWord(text, identifier)) continue;
    identifiers.delete(identifier);
    onFound(identifier);
  }
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

async function entriesOf(folder: string): Promise<readonly Dirent[] | null> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}

/** Empty for what is no text or too large to be source; null when it cannot be read. */
async function readText(path: string, maxBytes: number): Promise<string | null> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > maxBytes) return '';
      const bytes = await file.readFile();
      return bytes.includes(0) ? '' : bytes.toString('latin1');
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
