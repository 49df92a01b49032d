/** Where a program is, in the system's own folders: what a project or a user's PATH holds never runs. */

import { statSync } from 'node:fs';
import { refuse } from './refuse.ts';

const FOLDERS = ['/usr/bin', '/bin'] as const;

/** All that a program learns of its surroundings; the locale makes ranges, order and errors the same everywhere. */
export const PROGRAM_ENVIRONMENT = { PATH: FOLDERS.join(':'), LC_ALL: 'C.UTF-8' } as const;

export function findProgram(name: string): string {
  const path = FOLDERS.map((folder) => `${folder}/${name}`).find(
    (candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile() === true,
  );
  return path ?? refuse(`${name} is neither in ${FOLDERS.join(' nor in ')}; use Read, Grep and Glob instead`);
}
