/** Where instruction files are looked for, lowest in weight first, and how far each place's includes may reach unasked. */

import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { realPath } from '../../disk/disk.ts';
import { findGitFolders } from '../../disk/git/git-folder.ts';
import type { InstructionFacts, InstructionLevel } from './instruction.ts';

export interface InstructionPlace {
  readonly level: InstructionLevel;
  /** Files of this place, in order. */
  readonly files: readonly string[];
  /** A folder of rules; null where there is none to look for. */
  readonly rules: string | null;
  /** The folder that the globs of its rules count from. */
  readonly globFolder: string;
  /** Real folders that it may include from unasked; null for the user's own and the administrator's files. */
  readonly within: readonly string[] | null;
  /** Anyone may put a file here: only those of this user and of root count. */
  readonly isOpenToAll: boolean;
}

const NAMES = ['AGENTS.md', 'CLAUDE.md'];
const LOCAL_NAMES = ['CLAUDE.local.md', 'AGENTS.local.md'];

export function instructionPlaces(facts: InstructionFacts): InstructionPlace[] {
  const cwd = realPath(facts.cwd) ?? resolve(facts.cwd);
  const projectRoot = realPath(facts.projectRoot) ?? resolve(facts.projectRoot);
  const workTree = findGitFolders(cwd)?.workTree ?? projectRoot;
  const roots = [...new Set([projectRoot, workTree])];
  const folders = foldersDownTo(cwd).map((folder) => {
    const isInProject = roots.some((root) => isWithin(folder, root));
    const within = isInProject ? roots : [folder];
    return { folder, globFolder: folder, within, isOpenToAll: !isInProject && isWritableByAll(folder) };
  });
  // A work tree within the main one holds the same committed files again.
  const isRepeated = (folder: string) => isWithin(folder, projectRoot) && !isWithin(folder, workTree);
  const own = (level: InstructionLevel, folder: string): InstructionPlace => ({
    level,
    files: NAMES.map((name) => join(folder, name)),
    rules: join(folder, 'rules'),
    globFolder: projectRoot,
    within: null,
    isOpenToAll: false,
  });
  return [
    own('managed', facts.managedFolder ?? '/etc/reverie'),
    own('user', facts.home),
    own('user', join(facts.userHome, '.claude')),
    ...folders
      .filter(({ folder }) => !isRepeated(folder))
      .map(({ folder, ...shared }): InstructionPlace => {
        const files = [...NAMES, join('.claude', 'CLAUDE.md')].map((name) => join(folder, name));
        return { ...shared, level: 'project', files, rules: join(folder, '.claude', 'rules') };
      }),
    ...folders.map(({ folder, ...shared }): InstructionPlace => {
      return { ...shared, level: 'local', files: LOCAL_NAMES.map((name) => join(folder, name)), rules: null };
    }),
  ];
}

/** From the root of the file system down. */
function foldersDownTo(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...foldersDownTo(parent), folder];
}

function isWritableByAll(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    return false;
  }
}
