/**
 * An empty folder where a protected one is missing, so that a script cannot put its own there. Several sandboxes may need it at once, in
 * several sessions: each keeps an empty folder of its own in it, and so only the last one can remove it. Git sees no empty folders.
 */

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, type ProcessIdentity, thisProcess } from '../../disk/process-identity.ts';
import { errnoOf } from '../../errors.ts';
import { refuse } from './refuse.ts';

const HOLD = /^\.held-([0-9a-f]{12})-(\d+)-(\w+)-[0-9a-f]{12}$/;
/** No command runs so long: a hold of another machine that is older was left behind. */
const LONGEST_HOLD_MS = 24 * 3_600_000;
/** Another sandbox may remove the folder in between. */
const MOST_TRIES = 10;

/** Whether there is nothing in a folder but holds of sandboxes. */
export function isPlaceholder(folder: string): boolean {
  const names = namesIn(folder);
  return names.length > 0 && names.every((name) => HOLD.test(name));
}

/** An empty folder may be one that is about to be removed. */
export function needsHold(folder: string): boolean {
  return namesIn(folder).every((name) => HOLD.test(name));
}

/** Makes it, or shares it with whoever made it; what is returned lets it go. */
export function holdPlaceholder(folder: string): () => void {
  const self = thisProcess();
  const isSomebodys = existsSync(folder) && !isPlaceholder(folder);
  const hold = join(
    folder,
    `.held-${placeOf(self)}-${self.pid}-${self.started ?? 'unknown'}-${randomBytes(6).toString('hex')}`,
  );
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      mkdirSync(folder, { recursive: true });
      mkdirSync(hold);
      return () => (isSomebodys ? removeEmpty(hold) : letGo(folder, hold));
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') break;
    }
  }
  return refuse(`${folder} is protected and does not exist, and it cannot be made.`);
}

function letGo(folder: string, hold: string): void {
  removeEmpty(hold);
  for (const name of namesIn(folder)) if (isLeftBehind(folder, name)) removeEmpty(join(folder, name));
  // Stays where another sandbox needs it, or where somebody has put something there since.
  removeEmpty(folder);
}

function isLeftBehind(folder: string, name: string): boolean {
  const [, place, pid, started] = HOLD.exec(name) ?? [];
  if (place === undefined) return false;
  const self = thisProcess();
  if (place !== placeOf(self)) return ageOf(join(folder, name)) > LONGEST_HOLD_MS;
  return !isRunning(Number(pid)) || (Number(pid) === self.pid && started !== (self.started ?? 'unknown'));
}

/** Where a process number means one process: machine, its start, and container. */
function placeOf({ host, boot, pidNamespace }: ProcessIdentity): string {
  return createHash('sha256').update(`${host} ${boot} ${pidNamespace}`).digest('hex').slice(0, 12);
}

function ageOf(path: string): number {
  try {
    return Date.now() - lstatSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is gone, or not empty.
  }
}
