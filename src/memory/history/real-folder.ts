/** Which folder a path leads to, and whether that is still the one it was. */

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Folder } from '../../disk/folder.ts';
import { ReverieError } from '../../errors.ts';

/** The folder is reached by its path each time; if another one is there, the way to it must still be no link. */
export function watchIdentity(path: string): (root: Folder) => void {
  let known: string | null = null;
  return (root) => {
    const stats = root.stat('.');
    const identity = `${stats?.dev}:${stats?.ino}`;
    if (known !== null && known !== identity && realpathSync(path) !== path) {
      throw new ReverieError({
        code: 'refused',
        message: `${path} was replaced after it was opened`,
        fix: 'Look at what replaced its parent folder; open the memory again if that is meant.',
      });
    }
    known = identity;
  };
}

/** The real path of a folder that may not exist yet: that of its nearest parent that does, and the rest. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) throw new ReverieError({ code: 'refused', message: `${path} is not a folder` });
    return join(realPathOf(parent), path.slice(parent.length).replace(/^\//, ''));
  }
}
