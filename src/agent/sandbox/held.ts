/**
 * Paths that stay what they are inside a folder that may be written to. A file that is mounted on itself cannot be replaced, but a
 * folder around it could be renamed and another one put in its place: so every folder in between is mounted on itself as well.
 */

import { basename, dirname } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { otherNames } from './hard-links.ts';
import type { Mount } from './mount.ts';
import { existingRealPath, outermostFirst, pathsBetween, statOf } from './paths.ts';
import { isPlaceholder, needsHold } from './placeholder.ts';
import { refuse } from './refuse.ts';

/** `writable` and what is absent are real paths; what is protected may have links in it below them. */
export function heldMounts(
  held: { readonly protected: readonly string[]; readonly absent: readonly string[] },
  writable: readonly string[],
): { readonly mounts: readonly Mount[]; readonly placeholders: readonly string[] } {
  const plans = writable.flatMap((folder) => [
    ...held.protected.map((path) => holdPath(path, folder)),
    ...held.absent.map((path) => ({ pinned: foldersBetween(path, folder), fixed: [], made: [] })),
  ]);
  const placeholders = [...new Set(plans.flatMap((plan) => plan.made))];
  const fixed = new Set([...plans.flatMap((plan) => plan.fixed), ...placeholders]);
  for (const name of otherNames([...fixed], writable, isGitObjects)) fixed.add(name);
  const pinned = new Set(plans.flatMap((plan) => plan.pinned));
  const mounts = (kind: 'read-only' | 'writable', paths: ReadonlySet<string>): Mount[] =>
    outermostFirst([...paths].map((path) => ({ kind, path })));
  return { mounts: [...mounts('writable', pinned), ...mounts('read-only', fixed)], placeholders };
}

/** Many, and shared by hard links between clones on one disk; git neither runs nor obeys them. */
function isGitObjects(path: string): boolean {
  return /\/\.git\/(?:.*\/)?objects$/.test(path);
}

interface Hold {
  /** Folders that keep their name, and whose content may change. */
  readonly pinned: readonly string[];
  readonly fixed: readonly string[];
  /** Empty folders to make first, or to share with who made them. */
  readonly made: readonly string[];
}

function foldersBetween(path: string, folder: string): readonly string[] {
  return pathsBetween(folder, path).slice(1, -1);
}

function holdPath(path: string, folder: string): Hold {
  const pinned: string[] = [];
  for (const step of pathsBetween(folder, path).slice(1)) {
    const stats = statOf(step);
    if (stats === null) return { pinned, ...keptMissing(step, path, folder) };
    // Another sandbox made it: it has to stay for this one too.
    if (stats.isDirectory() && isPlaceholder(step)) return { pinned, fixed: [], made: [step] };
    if (stats.isSymbolicLink()) return { pinned, fixed: keptLink(step, folder), made: [] };
    if (step === path || !stats.isDirectory()) return { pinned, ...fixedOrHeld(step) };
    pinned.push(step);
  }
  return { pinned: [], fixed: [], made: [] };
}

/** What does not exist is kept from being made: by an empty folder where a folder belongs, else by fixing the folder that it would be in. */
function keptMissing(step: string, path: string, folder: string): Omit<Hold, 'pinned'> {
  if (step !== path || basename(path) === 'hooks') return { fixed: [], made: [step] };
  const parent = dirname(step);
  if (parent === folder) refuse(`${path} is protected and does not exist, so it cannot be kept from being made.`);
  return fixedOrHeld(parent);
}

/** What is empty may be about to be removed by the sandbox that made it. */
function fixedOrHeld(path: string): Omit<Hold, 'pinned'> {
  return statOf(path)?.isDirectory() && needsHold(path) ? { fixed: [], made: [path] } : { fixed: [path], made: [] };
}

/** Nothing can be mounted on a link: the folder that it is in stays as it is, and what it leads to. */
function keptLink(link: string, folder: string): readonly string[] {
  const parent = dirname(link);
  if (parent === folder) refuse(`${link} is protected and a link, so it cannot be kept from being replaced.`);
  const target = existingRealPath(link);
  return target !== null && isWithin(target, folder) && target !== folder ? [parent, target] : [parent];
}
