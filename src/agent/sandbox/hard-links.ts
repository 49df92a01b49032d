/** Other names of the same file: a mask or a hold is put on a name, and a hard link would lead around it. */

import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { isWithinAny } from '../../base/paths.ts';
import { SANDBOX_BOUNDS } from './bounds.ts';
import { statOf } from './paths.ts';
import { refuse } from './refuse.ts';

/**
 * Names inside `folders` of the files at or below `paths`. Nothing is searched unless a link count says that there are other names. Of a
 * large folder that is not in `folders` itself, only the first files are looked at.
 */
export function otherNames(
  paths: readonly string[],
  folders: readonly string[],
  /** What at or below `paths` may have as many names as it likes. */
  isLeftOut: (path: string) => boolean = () => false,
): readonly string[] {
  const linked = new Set<string>();
  for (const path of paths) {
    const tooMany = isWithinAny(path, folders) ? refuseTooMany : () => {};
    for (const { stats } of filesAt(path, { left: SANDBOX_BOUNDS.linkedFiles, tooMany, isLeftOut })) {
      if (stats.nlink > 1) linked.add(identityOf(stats));
    }
  }
  if (linked.size === 0) return [];
  const names = new Set<string>();
  const budget = { left: SANDBOX_BOUNDS.linkedFiles, tooMany: refuseTooMany };
  for (const folder of folders) {
    for (const { path, stats } of filesAt(folder, budget)) if (linked.has(identityOf(stats))) names.add(path);
  }
  return [...names];
}

function refuseTooMany(): void {
  refuse('There are too many files to find every name of what is denied or protected.');
}

interface Budget {
  left: number;
  tooMany(): void;
  readonly isLeftOut?: (path: string) => boolean;
}

function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}

function* filesAt(path: string, budget: Budget): Generator<{ path: string; stats: Stats }> {
  const stats = statOf(path);
  if (stats === null || budget.isLeftOut?.(path)) return;
  budget.left -= 1;
  if (budget.left < 0) return budget.tooMany();
  if (!stats.isDirectory()) {
    if (!stats.isSymbolicLink()) yield { path, stats };
    return;
  }
  for (const name of namesIn(path)) {
    yield* filesAt(join(path, name), budget);
    if (budget.left < 0) return;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
