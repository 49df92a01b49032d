/** Whether a path lies in a memory folder, and which file of it that is: asked by the tools, by recall and by extraction. */

import { isAbsolute, relative, sep } from 'node:path';
import { MEMORY_SCOPES, type MemoryScope } from '../base/taxonomy.ts';
import { diskFor, reach } from '../disk/disk.ts';
import type { Memory } from './memory.ts';

export interface InMemory {
  readonly scope: MemoryScope;
  /** Below the folder, with forward slashes; empty for the folder itself. */
  readonly file: string;
  readonly realPath: string;
}

/** Real paths decide: a link into the memory is the memory, a sibling of a like name is not. */
export function findInMemory(memory: Memory, path: string): InMemory | null {
  const disk = diskFor(process.platform);
  const realPath = reach(disk, path)?.real ?? path;
  for (const scope of MEMORY_SCOPES) {
    const folder = memory.folders[scope];
    if (folder === undefined) continue;
    const below = relative(reach(disk, folder)?.real ?? folder, realPath);
    if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) continue;
    return { scope, file: below.split(sep).join('/'), realPath };
  }
  return null;
}
