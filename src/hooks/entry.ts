/** Where a coding agent's call comes in: a small file, so that an event which calls for nothing costs little more than Node itself. */

import { join } from 'node:path';
import { plainTarget } from './plain-streams.ts';
import { runHookProcess } from './process.ts';
import { loadHookWork } from './program.ts';

/** `folder`: where the built files are. `load`: the function that modules of Node are loaded with. */
export function startHook(target: NodeJS.Process, folder: string, load: NodeJS.Require): Promise<void> {
  const file = join(folder, 'chunks', 'hook-work.cjs');
  return runHookProcess(plainTarget(target), () => loadHookWork(file, target, load));
}
