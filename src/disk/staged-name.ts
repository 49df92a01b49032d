/** Names of files on their way: they tell whose they are, so that those of a killed process can be cleared away. */

import { randomBytes } from 'node:crypto';
import type { Folder } from './folder.ts';
import { isRunning, pidNamespace } from './process-identity.ts';

const STAGED = /^(\d+)-(\d+)-[0-9a-f]{12}$/;

export function stagedName(): string {
  return `${process.pid}-${namespaceNumber()}-${randomBytes(6).toString('hex')}`;
}

/** Whose a name is: `unknown` for a process of another container, which cannot be asked. Null for any other name. */
export function stagedBy(name: string): 'this process' | 'living' | 'gone' | 'unknown' | null {
  const [, pid, namespace] = STAGED.exec(name) ?? [];
  if (pid === undefined) return null;
  if (namespace !== namespaceNumber()) return 'unknown';
  if (Number(pid) === process.pid) return 'this process';
  return isRunning(Number(pid)) ? 'living' : 'gone';
}

function namespaceNumber(): string {
  return /\d+/.exec(pidNamespace() ?? '')?.[0] ?? '0';
}

// Clears away staged files of processes that were killed.

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
