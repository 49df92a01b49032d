/** Where a coding agent's call comes in: a small file, so that an event which calls for nothing costs little more than Node itself. */

import { join } from 'node:path';
import { plainTarget } from './plain-streams.ts';
import { runHookProcess } from './process.ts';
import { loadHookWork } from './program.ts';
import type { HookEvent } from './run/event.ts';

/** What these need is most of it: one file loads faster than parts. */
const RECALLS: ReadonlySet<HookEvent['kind']> = new Set<HookEvent['kind']>(['prompt', 'tool-result', 'subagent-start']);

/** `folder`: where the built files are. `load`: the function that modules of Node are loaded with. */
export function startHook(target: NodeJS.Process, folder: string, load: NodeJS.Require): Promise<void> {
  return runHookProcess(plainTarget(target), (kind) => {
    const name = RECALLS.has(kind) ? 'hook-whole.cjs' : 'hook-work.cjs';
    return loadHookWork(join(folder, 'chunks', name), target, load);
  });
}
