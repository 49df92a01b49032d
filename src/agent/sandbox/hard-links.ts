/** Other names of the same file: a mask or a hold is put on a name, and a hard link would lead around it. */

import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_BOUNDS } from './bounds.ts';
import { statOf } from './paths.ts';
import { refuse } from './refuse.ts';

/** Names inside `folders` of the files at or below `paths`. Nothing is searched unless a link count says that there are other names. */
export function otherNames(paths: readonly string[], folders: readonly string[]): readonly string[] {
  const budget = { left: SANDBOX_BOUNDS.linkedFiles };
  const linked = new Set<string>();
  for (const path of paths) {
    for (const { stats } of filesAt(path, budget)) if (stats.nlink > 1) linked.add(identityOf(stats));
  }
  if (linked.size === 0) return [];
  const names = new Set<string>();
  for (const folder of folders) {
    for (const { path, stats } of filesAt(folder, budget)) if (linked.has(identityOf(stats))) names.add(path);
  }
  return [...names];
}

function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}

function* filesAt(path: string, budget: { left: number }): Generator<{ path: string; stats: Stats }> {
  const stats = statOf(path);
  if (stats === null) return;
  if (budget.left-- <= 0)
    refuse('A denied or protected file has other names, and the project is too large to find them.');
  if (!stats.isDirectory()) {
    if (!stats.isSymbolicLink()) yield { path, stats };
    return;
  }
  for (const name of namesIn(path)) yield* filesAt(join(path, name), budget);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
