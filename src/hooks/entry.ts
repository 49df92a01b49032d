/** Where a coding agent's call comes in: a small file, so that an event which calls for nothing costs little more than Node itself. */

import { join } from 'node:path';
import { runHookProcess } from './process.ts';
import { loadHookWork } from './program.ts';

/** `folder`: where the built files are. */
export function startHook(target: NodeJS.Process, folder: string): Promise<void> {
  return runHookProcess(target, () => loadHookWork(join(folder, 'chunks', 'hook-work.cjs'), target));
}
