/** Paths as the sandbox needs them: where they really lead, and what is there. */

import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { isWithin } from '../../base/paths.ts';

/** Null where nothing is, or nothing that can be reached. */
export function existingRealPath(path: string): string | null {
  try {
    return isAbsolute(path) ? realpathSync.native(path) : null;
  } catch {
    return null;
  }
}

/** What is at the path itself: a link is not followed. */
export function statOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

export function withoutEndSlash(path: string): string {
  const plain = normalize(path);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

/** Every folder from `top` down to `path`, both included. */
export function pathsBetween(top: string, path: string): readonly string[] {
  if (!isWithin(path, top)) return [];
  const parts = path
    .slice(top.length)
    .split('/')
    .filter((part) => part !== '');
  const steps = [top];
  for (const part of parts) steps.push(join(steps.at(-1)!, part));
  return steps;
}

/** Folders before what is in them. */
export function outermostFirst<Item extends { readonly path: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => depthOf(one.path) - depthOf(other.path));
}

function depthOf(path: string): number {
  return path.split('/').length;
}

export interface Link {
  readonly path: string;
  readonly target: string;
}

/** The links that lead from a path as it was given to where it really is, one after the other. */
export function linksTo(given: string): readonly Link[] {
  const links: Link[] = [];
  const real = existingRealPath(given);
  let path = withoutEndSlash(given);
  while (real !== null && path !== real) {
    const link = pathsBetween('/', path).find((step) => statOf(step)?.isSymbolicLink());
    const target = link === undefined ? null : existingRealPath(link);
    if (link === undefined || target === null) return links;
    links.push({ path: link, target });
    path = join(target, path.slice(link.length));
  }
  return links;
}
