/** Clears away staged files of processes that were killed. */

import type { Folder } from './folder.ts';
import { stagedBy } from './staged-name.ts';

/** Nothing stays staged for this long. */
const ABANDONED_AFTER_MS = 10 * 60_000;

export function removeLeftovers(folder: Folder, nowMs = Date.now()): void {
  for (const { name } of folder.entries()) {
    const owner = stagedBy(name);
    if (owner === null || owner === 'this process') continue;
    // Not the mtime: a file whose time is put back to that of an earlier one has an old one while it is on its way.
    const ageMs = nowMs - (folder.stat(name)?.ctimeMs ?? nowMs);
    if (owner === 'gone' || ageMs > ABANDONED_AFTER_MS) folder.discard(name);
  }
}
