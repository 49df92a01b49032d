/** Staged files of processes that were killed: named after their process, so that those of living ones are left alone. */

import type { Folder } from './folder.ts';
import { isRunning } from './process-identity.ts';

const STAGED = /^(\d+)-[0-9a-f]{12}$/;
/** A process of another machine or container cannot be asked; nothing is staged for this long. */
const ABANDONED_AFTER_MS = 10 * 60_000;

export function removeLeftovers(folder: Folder): void {
  for (const { name } of folder.entries()) {
    const pid = STAGED.exec(name)?.[1];
    if (pid === undefined || Number(pid) === process.pid) continue;
    const ageMs = Date.now() - (folder.stat(name)?.mtimeMs ?? 0);
    if (!isRunning(Number(pid)) || ageMs > ABANDONED_AFTER_MS) folder.discard(name);
  }
}
