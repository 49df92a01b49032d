/** Where a path leads, link by link as the system would follow it, and whether that is below a folder that may be read. */

import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';
import { errnoOf } from '../../errors.ts';
import { PATH_LIMITS } from '../../limits.ts';
import { refuse } from './refuse.ts';

export interface Places {
  /** Real paths. */
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly links: number;
}

export interface Place {
  readonly path: string;
  readonly real: string;
  readonly kind: 'file' | 'folder' | 'other' | 'missing';
}

/** What the kernel shows there is about processes and devices, other programs' secrets among them. */
const KERNEL_PLACES = /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/;

export function openPlaces(facts: {
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly links: number;
}): Places {
  const real = (folder: string) => {
    if (!isAbsolute(folder)) refuse(`${folder} is not an absolute path`);
    return follow(folder, { cwd: '/', links: facts.links }).real;
  };
  const cwd = real(facts.cwd);
  const readable = facts.roots.map(real).filter((root) => root !== '/' && !KERNEL_PLACES.test(root));
  if (readable.length === 0) refuse('there is no folder that may be read');
  return { cwd, roots: readable, links: facts.links };
}

/** Refuses what leads outside. What is missing is located too: a program may say so itself. */
export function locate(path: string, places: Places): Place {
  if (path === '') refuse('an empty path names nothing; write . for the working folder');
  if (Buffer.byteLength(path) > PATH_LIMITS.pathBytes) refuse('a path is too long');
  const { real, kind } = follow(path, places);
  if (!isBelow(real, places.roots)) {
    // Not where it leads: that would tell about what may not be read.
    refuse(`${path} leads outside the folders that may be read: ${places.roots.join(', ')}`);
  }
  return { path, real, kind };
}

function follow(
  path: string,
  places: Pick<Places, 'cwd' | 'links'>,
): { readonly real: string; readonly kind: Place['kind'] } {
  const rest = path.split('/').reverse();
  let real = isAbsolute(path) ? '/' : places.cwd;
  let kind: Place['kind'] = 'folder';
  let links = 0;
  while (rest.length > 0) {
    const name = rest.pop()!;
    if (kind === 'missing' || (kind !== 'folder' && name !== '')) {
      // The system stops here, with "no such file" or "not a folder"; a later .. could only be meant to mislead.
      if (name === '..') refuse(`${path} goes up from something that is no folder`);
      kind = 'missing';
    }
    if (name === '' || name === '.') continue;
    if (name === '..') {
      real = parentOf(real);
      continue;
    }
    const next = real === '/' ? `/${name}` : `${real}/${name}`;
    const facts: Stats | null = kind === 'missing' ? null : lstatOrNull(next);
    if (facts?.isSymbolicLink()) {
      links += 1;
      if (links > places.links) refuse(`${path} goes through too many links`);
      const target = readlinkSync(next);
      if (isAbsolute(target)) real = '/';
      rest.push(...target.split('/').reverse());
    } else {
      real = next;
      kind = kindOf(facts);
    }
  }
  return { real, kind };
}

function parentOf(real: string): string {
  return real.slice(0, real.lastIndexOf('/')) || '/';
}

function kindOf(facts: Stats | null): Place['kind'] {
  if (facts === null) return 'missing';
  if (facts.isFile()) return 'file';
  return facts.isDirectory() ? 'folder' : 'other';
}

function isBelow(real: string, roots: readonly string[]): boolean {
  return roots.some((root) => real === root || real.startsWith(`${root}/`));
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errnoOf(error))) return null;
    return refuse(`${path} cannot be looked at (${errnoOf(error)})`);
  }
}
