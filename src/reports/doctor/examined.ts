/** Which memories were found to be in order, by the state that each file had then: `reverie status` looks only at the others. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../base/values.ts';
import { createFolder } from '../../disk/folder.ts';
import { isSettled, type Stamp } from '../../disk/stamp.ts';
import type { SeenFile } from '../../memory/files/walk.ts';

/** Raised whenever a check comes or changes: then all are looked at again. */
const RULES = 1;
const FILE = 'examined.json';

export interface Examined {
  isInOrder(seen: SeenFile): boolean;
  /** Replaces what was known. A cache that cannot be written costs time, nothing else. */
  keep(inOrder: readonly SeenFile[], lookedAtMs: number): Promise<void>;
}

export function openExamined(cacheDirectory: string): Examined {
  const known = readKnown(join(cacheDirectory, FILE));
  return {
    isInOrder: ({ file, stamp }) => known.get(file) === markOf(stamp),
    async keep(inOrder, lookedAtMs) {
      const settled = inOrder.filter(({ stamp }) => isSettled(stamp, lookedAtMs));
      const files = Object.fromEntries(settled.map(({ file, stamp }) => [file, markOf(stamp)]));
      if (settled.length === known.size && settled.every(({ file }) => known.get(file) === files[file])) return;
      try {
        const folder = createFolder(cacheDirectory);
        try {
          const bytes = Buffer.from(JSON.stringify({ rules: RULES, files }));
          const name = await folder.stage(bytes, { durable: false });
          folder.moveIn({ from: folder, name }, FILE, 'replace');
        } finally {
          folder.close();
        }
      } catch {}
    },
  };
}

function markOf({ inode, size, mtimeMs, ctimeMs }: Stamp): string {
  return `${inode}/${size}/${mtimeMs}/${ctimeMs}`;
}

function readKnown(path: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) && value.rules === RULES && isObject(value.files)
      ? new Map(Object.entries(value.files))
      : new Map();
  } catch {
    return new Map();
  }
}
