/** Takes a path apart into what lies below the memory folder, whichever way the two were spelt. */

import { PATH_LIMITS } from '../limits.ts';
import { type Disk, reach } from './disk.ts';

export interface BelowRoot {
  readonly realRoot: string;
  /** The parts of the path below the root, `..` still in place; `.` and empty ones are gone. */
  readonly parts: readonly string[];
}

export type Placed = BelowRoot | { readonly reason: string };

interface PlaceFacts {
  readonly root: string;
  readonly path: string;
  readonly platform: NodeJS.Platform;
  readonly disk: Disk;
}

export function placeBelowRoot(facts: PlaceFacts): Placed {
  return facts.platform === 'win32' ? placeOnWindows(facts) : placeOnPosix(facts);
}

const LEAVES = { reason: 'it is outside the memory folder' };
const BACKSLASH = {
  reason: 'a backslash is not used between folders, as it means different things on different systems',
};

function placeOnPosix(facts: PlaceFacts): Placed {
  const { path, disk } = facts;
  if (path.includes('\\')) return BACKSLASH;
  if (!facts.root.startsWith('/')) return { reason: 'the memory folder is not given as an absolute path' };
  const rootParts = partsOf(facts.root);
  const root = `/${rootParts.join('/')}`;
  const reached = reach(disk, root);
  if (reached === null || Buffer.byteLength(root) > PATH_LIMITS.pathBytes) {
    return { reason: 'the memory folder cannot be reached (a file or a broken link is in the way)' };
  }
  const realRoot = reached.real;
  const parts = partsOf(path);
  if (!path.startsWith('/')) return { realRoot, parts };

  const isFree = reached.existing !== realRoot;
  const foldCase = facts.platform === 'darwin' && isFree;
  for (const spelling of [rootParts, partsOf(realRoot)]) {
    if (startsWith(parts, spelling, { foldCase })) return { realRoot, parts: parts.slice(spelling.length) };
  }
  if (isFree || /^\/+(?:proc|sys|dev)(?:\/|$)/.test(path)) return LEAVES;
  // The same folder may be reached in other ways: through a link (/tmp on macOS), or in other letters.
  for (let length = 1; length <= parts.length; length++) {
    const real = disk.real(`/${parts.slice(0, length).join('/')}`);
    if (real === null) return LEAVES;
    if (real === realRoot) return { realRoot, parts: parts.slice(length) };
  }
  return LEAVES;
}

function placeOnWindows(facts: PlaceFacts): Placed {
  const { root, path, disk } = facts;
  if (!/^[A-Za-z]:[\\/]/.test(root)) return { reason: 'the memory folder is not given with its drive' };
  const realRoot = reach(disk, root)?.real;
  if (realRoot === undefined) return { reason: 'the memory folder cannot be reached' };
  if (!/^[A-Za-z]:[\\/]/.test(path)) {
    if (/^(?:[A-Za-z]:|[\\/])/.test(path)) return LEAVES;
    return path.includes('\\') ? BACKSLASH : { realRoot, parts: partsOf(path) };
  }
  const parts = partsOf(path.replaceAll('\\', '/'));
  for (const spelling of [root, realRoot].map((text) => partsOf(text.replaceAll('\\', '/')))) {
    if (startsWith(parts, spelling, { foldCase: true })) return { realRoot, parts: parts.slice(spelling.length) };
  }
  return LEAVES;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function startsWith(
  parts: readonly string[],
  start: readonly string[],
  options: { readonly foldCase: boolean },
): boolean {
  const same = (left: string | undefined, right: string) =>
    left === right || (options.foldCase && left?.toLowerCase() === right.toLowerCase());
  return start.length > 0 && start.every((part, index) => same(parts[index], part));
}
