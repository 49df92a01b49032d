/** Programs on the user's PATH outside the system's folders, such as a Node in the home folder: which folders they need, and a PATH without surprises. */

import { readdirSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isWithin, isWithinAny } from '../../base/paths.ts';
import { secretReason } from '../permissions/path-problem.ts';
import { SANDBOX_BOUNDS } from './bounds.ts';
import { existingRealPath, withoutEndSlash } from './paths.ts';

export interface Toolchains {
  /** Absolute, and nothing of it in a folder that the project or a script can fill. */
  readonly path: string;
  /** As they were given: a link among them has to be there too. */
  readonly folders: readonly string[];
  /** Files in them whose names mean secrets, and sockets and pipes, where a person may have put them: beside scripts of their own. */
  readonly hidden: readonly string[];
}

export interface ToolchainFacts {
  readonly path: string;
  /** Links followed. */
  readonly home: string;
  readonly rustupHome: string;
  /** The project and all else that is readable or writable, links followed: nothing runs out of it by its name alone. */
  readonly worked: readonly string[];
}

export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const;
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
/** What belongs to programs in a folder named bin. Data, caches and credentials of the same tools have other names. */
const BESIDE_PROGRAMS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libexec', 'include', 'Cellar', 'opt'];
/** Folders in which version managers keep one whole installation each. */
const INSTALLATIONS = ['versions', 'installs', 'toolchains', 'Cellar'];

/** Looks again only where something else is asked: following all the links on a PATH takes longer than a start. */
export function rememberedToolchains(): (facts: ToolchainFacts) => Toolchains {
  let last: { readonly key: string; readonly found: Toolchains } | null = null;
  return (facts) => {
    const key = JSON.stringify(facts);
    if (last?.key !== key) last = { key, found: findToolchains(facts) };
    return last.found;
  };
}

export function findToolchains(facts: ToolchainFacts): Toolchains {
  const folders = new Set<string>();
  const path: string[] = [];
  const hidden: string[] = [];
  for (const entry of new Set(facts.path.split(delimiter).filter(isAbsolute).map(withoutEndSlash))) {
    const real = existingRealPath(entry);
    if (real === null || [entry, real].some((each) => isWithinAny(each, facts.worked))) continue;
    if (isSystem(real)) {
      path.push(entry);
    } else if (isHarmless(real, facts)) {
      const found = hiddenIn(real);
      if (found === null) continue;
      hidden.push(...found);
      path.push(entry);
      folders.add(entry);
      for (const folder of programFolders(real, facts)) folders.add(folder);
    }
  }
  return { path: path.length === 0 ? DEFAULT_PATH : path.join(delimiter), folders: [...folders], hidden };
}

function isSystem(real: string): boolean {
  return isWithinAny(real, SYSTEM_FOLDERS);
}

/** Never the home folder or one around it, never a place of keys. */
function isHarmless(path: string, { home, worked }: ToolchainFacts): boolean {
  const isAround = [home, ...worked, '/etc', '/tmp'].some((each) => isWithin(each, path));
  return !isAround && !['/proc', '/dev', '/sys'].some((each) => isWithin(path, each)) && secretReason(path) === null;
}

/** An installation is nobody's own work: of it only the programs themselves are looked at. Null where there is too much to vouch for. */
function hiddenIn(folder: string): readonly string[] | null {
  const isOwn = !isProgramFolder(folder);
  const hidden: string[] = [];
  const open = [folder];
  let left: number = SANDBOX_BOUNDS.ownPrograms;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = entriesOf(next);
    left -= entries.length;
    if (left < 0) return null;
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        if (isOwn) open.push(path);
      } else if (entry.isSocket() || entry.isFIFO() || secretReason(path) !== null) hidden.push(path);
    }
  }
  return hidden;
}

/** The folder, what is beside it, and the same of whatever its links lead to. */
function programFolders(folder: string, facts: ToolchainFacts): readonly string[] {
  const targets = new Set<string>([folder]);
  for (const target of linkTargets(folder)) targets.add(target);
  const found = [...targets].flatMap(beside);
  // The programs in there only choose which of rustup's toolchains to run.
  if (targets.has(join(facts.home, '.cargo/bin')))
    found.push(join(facts.rustupHome, 'toolchains'), join(facts.rustupHome, 'settings.toml'));
  return found.filter((each) => {
    const real = existingRealPath(each);
    return real !== null && !isSystem(real) && isHarmless(real, facts);
  });
}

function beside(target: string): readonly string[] {
  if (isWithin(target, '/nix/store')) return ['/nix/store'];
  const parent = dirname(target);
  const isInstallation = INSTALLATIONS.some((name) => parent.includes(`/${name}/`));
  if (basename(target) === 'shims' || (isProgramFolder(target) && isInstallation)) return [parent];
  return isProgramFolder(target) ? BESIDE_PROGRAMS.map((name) => join(parent, name)) : [target];
}

function isProgramFolder(path: string): boolean {
  return ['bin', 'sbin', 'shims'].includes(basename(path));
}

/** Folders of programs that links in this one lead to, or the single files where they are not in such a folder. */
function linkTargets(folder: string): readonly string[] {
  const entries = entriesOf(folder).filter((entry) => entry.isSymbolicLink());
  return entries.slice(0, SANDBOX_BOUNDS.programLinks).flatMap((entry) => {
    const real = existingRealPath(join(folder, entry.name));
    if (real === null || isWithin(real, folder) || isSystem(real)) return [];
    return [isProgramFolder(dirname(real)) ? dirname(real) : real];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
