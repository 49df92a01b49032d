/** Which memories were found to be in order, by the state that each file had then: `reverie status` looks only at the others. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../base/values.ts';
import { createFolder } from '../../disk/folder.ts';
import { isSettled, type Stamp } from '../../disk/stamp.ts';
import type { SeenFile } from '../../memory/files/walk.ts';
import type { Finding } from '../finding.ts';

/** Raised whenever a check comes or changes: then all are looked at again. */
const RULES = 2;
const FILE = 'examined.json';

export interface Examined {
  isInOrder(seen: SeenFile): boolean;
  /** What was found in the folder as it is now: its memories, its index and its journal are as they were. Null when something changed. */
  foundIn(folder: readonly SeenFile[]): readonly Finding[] | null;
  /** Replaces what was known. A cache that cannot be written costs time, nothing else. */
  keep(look: FolderLook): Promise<void>;
}

export interface FolderLook {
  /** Memories without any fault. */
  readonly inOrder: readonly SeenFile[];
  /** All memories, the index and the journal; null when what was found does not depend on them alone. */
  readonly folder: readonly SeenFile[] | null;
  readonly found: readonly Finding[];
  readonly lookedAtMs: number;
}

export function openExamined(cacheDirectory: string): Examined {
  const { files, folder: known, found: before } = readKnown(join(cacheDirectory, FILE));
  return {
    isInOrder: ({ file, stamp }) => files.get(file) === markOf(stamp),
    foundIn: (folder) => (known !== '' && known === folderMark(folder) ? before : null),
    async keep({ inOrder, folder: all, found, lookedAtMs }) {
      const isSure = ({ stamp }: SeenFile) => isSettled(stamp, lookedAtMs);
      const settled = inOrder.filter(isSure);
      const marks = Object.fromEntries(settled.map(({ file, stamp }) => [file, markOf(stamp)]));
      const folder = all?.every(isSure) ? folderMark(all) : '';
      const isSame = settled.length === files.size && settled.every(({ file }) => files.get(file) === marks[file]);
      if (isSame && folder === known && JSON.stringify(found) === JSON.stringify(before)) return;
      try {
        const cache = createFolder(cacheDirectory);
        try {
          const bytes = Buffer.from(JSON.stringify({ rules: RULES, files: marks, folder, found }));
          const name = await cache.stage(bytes, { durable: false });
          cache.moveIn({ from: cache, name }, FILE, 'replace');
        } finally {
          cache.close();
        }
      } catch {}
    },
  };
}

function markOf({ inode, size, mtimeMs, ctimeMs }: Stamp): string {
  return `${inode}/${size}/${mtimeMs}/${ctimeMs}`;
}

function folderMark(seen: readonly SeenFile[]): string {
  const lines = seen.map(({ file, stamp }) => `${file} ${markOf(stamp)}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

interface Known {
  readonly files: ReadonlyMap<string, unknown>;
  /** Empty when it is not known of a folder as a whole. */
  readonly folder: string;
  readonly found: readonly Finding[];
}

function readKnown(path: string): Known {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(value) && value.rules === RULES && isObject(value.files) && Array.isArray(value.found)) {
      const { files, folder, found } = value;
      return { files: new Map(Object.entries(files)), folder: String(folder), found: found as Finding[] };
    }
  } catch {}
  return { files: new Map(), folder: '', found: [] };
}
