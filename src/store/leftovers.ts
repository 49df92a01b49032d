/** Clears away staged files of processes that were killed. */

import type { Folder } from './folder.ts';
import { stagedBy } from './staged-name.ts';

/** Nothing stays staged for this long. */
const ABANDONED_AFTER_MS = 10 * 60_000;

export function removeLeftovers(folder: Folder): void {
  for (const { name } of folder.entries()) {
    const owner = stagedBy(name);
    if (owner === null || owner === 'this process') continue;
    const ageMs = Date.now() - (folder.stat(name)?.mtimeMs ?? Date.now());
    if (owner === 'gone' || ageMs > ABANDONED_AFTER_MS) folder.discard(name);
  }
}
