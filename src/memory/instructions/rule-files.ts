/** The markdown files of a folder of rules, folder by folder in the order of their names. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../../disk/disk.ts';

/** Links are followed, since people share rules by them; a folder that was seen is not entered again. */
export function listRuleFiles(
  folder: string,
  limits: { readonly ruleFolders: number; readonly files: number },
): string[] {
  const files: string[] = [];
  const entered = new Set<string>();

  function walk(path: string, depth: number): void {
    const real = realPath(path);
    if (real === null || entered.has(real) || entered.size >= limits.files || depth > limits.ruleFolders) return;
    entered.add(real);
    for (const name of namesIn(path)) {
      // One more than may be loaded, so that whoever loads them sees that there are too many.
      if (files.length > limits.files) return;
      if (name.startsWith('.')) continue;
      const child = join(path, name);
      if (isFolder(child)) walk(child, depth + 1);
      else if (/\.md$/i.test(name)) files.push(child);
    }
  }

  walk(folder, 0);
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
