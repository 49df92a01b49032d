/** What the last look at the team's folder found, kept so that the next one opens changed files only. Derived: whatever is wrong with it, it is made again. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stamp } from '../disk/stamp.ts';
import type { StoredFacts } from '../memory/files/known-files.ts';
import { putFile } from './put-file.ts';
import type { TeamFile } from './read-folder.ts';

export interface ShownFile {
  readonly file: string;
  readonly id: string;
  /** What the shown text was made of; another one means that it is made again. */
  readonly key: string;
  /** Of the shown text. */
  readonly hash: string;
  readonly facts: StoredFacts;
  readonly stamp: Stamp;
}

export interface Manifest {
  readonly version: number;
  readonly files: readonly TeamFile[];
  readonly shown: readonly ShownFile[];
}

const MANIFEST_FILE = 'team.json';
const VERSION = 1;
export const NO_MANIFEST: Manifest = { version: VERSION, files: [], shown: [] };

export function readManifest(cacheDirectory: string): Manifest {
  try {
    const parsed: Partial<Manifest> | null = JSON.parse(readFileSync(join(cacheDirectory, MANIFEST_FILE), 'utf8'));
    const isWhole = parsed?.version === VERSION && Array.isArray(parsed.files) && Array.isArray(parsed.shown);
    return isWhole ? (parsed as Manifest) : NO_MANIFEST;
  } catch {
    return NO_MANIFEST;
  }
}

/** Another one whenever something of the team's memory changed; null before the first look. */
export function manifestMark(cacheDirectory: string): string | null {
  const stats = statSync(join(cacheDirectory, MANIFEST_FILE), { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino}/${stats.mtimeMs}/${stats.size}`;
}

export function writeManifest(cacheDirectory: string, manifest: Manifest): void {
  putFile(cacheDirectory, MANIFEST_FILE, JSON.stringify(manifest));
}
