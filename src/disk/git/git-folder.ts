/** Finds the repository around a folder by reading its files alone: git is too slow, and too trusting, for start-up. */

import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { realPath } from '../disk.ts';
import { readSmallFile } from '../small-file.ts';

export interface GitFolders {
  /** The root of the work tree that was found: the folder with `.git` in it, or the bare repository itself. */
  readonly workTree: string;
  /** The folder that all work trees of the repository share. */
  readonly common: string;
  /** The root of the main work tree; the shared folder itself for a bare repository. */
  readonly main: string;
}

/** `start` should be a real path. Null outside any repository. */
export function findGitFolders(start: string): GitFolders | null {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = gitFoldersAt(folder);
    if (found !== null) return found;
    if (dirname(folder) === folder) return null;
  }
}

function gitFoldersAt(folder: string): GitFolders | null {
  const marker = join(folder, '.git');
  const kind = kindOf(marker);
  if (kind === 'folder' && isGitFolder(marker))
    return { workTree: folder, common: realPath(marker) ?? marker, main: folder };
  if (kind === 'file') return gitFoldersOfFile(folder, marker);
  if (!isGitFolder(folder)) return null;
  return { workTree: folder, common: folder, main: mainWorkTreeOf(folder) };
}

/** A `.git` file: a submodule or a separate git folder stands for itself, a work tree leads to the main one. */
function gitFoldersOfFile(folder: string, marker: string): GitFolders | null {
  const gitFolder = targetOfGitFile(marker);
  if (gitFolder === null) return null;
  const itself = { workTree: folder, common: gitFolder, main: folder };
  const shared = readLine(join(gitFolder, 'commondir'));
  if (shared === null) return itself;
  const common = realPath(resolve(gitFolder, shared));
  if (common === null || !isGitFolder(common) || !pointsBack({ common, gitFolder, marker })) return itself;
  return { workTree: folder, common, main: mainWorkTreeOf(common) };
}

/** A checkout can claim any repository as its own; only the repository can say that the checkout is one of its work trees. */
function pointsBack(claim: { readonly common: string; readonly gitFolder: string; readonly marker: string }): boolean {
  if (dirname(claim.gitFolder) !== join(claim.common, 'worktrees')) return false;
  const registered = readLine(join(claim.gitFolder, 'gitdir'));
  return registered !== null && realPath(resolve(claim.gitFolder, registered)) === realPath(claim.marker);
}

/**
 * The git folder that a command around `start` may see. A `.git` file or link may name any folder of the disk: one outside of the work tree
 * counts only where it is a repository, and names this work tree itself.
 */
export function ownGitFolder(start: string): string | null {
  const found = findGitFolders(start);
  if (found === null || !isGitFolder(found.common)) return null;
  const { workTree, common, main } = found;
  // Of a linked work tree the repository was asked when it was found.
  const isOwn = isWithin(common, realPath(workTree) ?? workTree) || main !== workTree;
  return isOwn || mainWorkTreeOf(common) === realPath(workTree) ? common : null;
}

/** The work tree that names `common` as its git folder: its parent as a rule, for a submodule what its configuration says; without one, `common` itself. */
export function mainWorkTreeOf(common: string): string {
  const configured = configuredWorkTree(common);
  for (const candidate of [dirname(common), configured === null ? null : resolve(common, configured)]) {
    const real = candidate === null ? null : realPath(candidate);
    if (real === null) continue;
    const marker = join(real, '.git');
    const gitFolder = kindOf(marker) === 'file' ? targetOfGitFile(marker) : realPath(marker);
    if (gitFolder === common) return real;
  }
  return common;
}

function configuredWorkTree(common: string): string | null {
  const config = readSmallFile(join(common, 'config'));
  if (config.kind !== 'text') return null;
  const core = /^\s*\[core\]\s*$([^[]*)/im.exec(config.text)?.[1] ?? '';
  return /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(core)?.[1] ?? null;
}

function targetOfGitFile(marker: string): string | null {
  const target = /^gitdir: (.+)$/.exec(readLine(marker) ?? '')?.[1];
  const real = target === undefined ? null : realPath(resolve(dirname(marker), target));
  return real !== null && kindOf(real) === 'folder' ? real : null;
}

/** The same three signs that git goes by. */
function isGitFolder(folder: string): boolean {
  return (
    kindOf(join(folder, 'HEAD')) === 'file' &&
    kindOf(join(folder, 'objects')) === 'folder' &&
    kindOf(join(folder, 'refs')) === 'folder'
  );
}

function kindOf(path: string): 'folder' | 'file' | 'other' | 'absent' {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return 'absent';
    return facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'other';
  } catch {
    return 'absent';
  }
}

function readLine(path: string): string | null {
  const file = readSmallFile(path);
  if (file.kind !== 'text') return null;
  const line = file.text.replace(/\r?\n$/, '');
  return line === '' || /[\r\n\0]/.test(line) ? null : line;
}
