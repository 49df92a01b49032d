/**
 * Who is here. A name belongs to the living process that holds its lock; its key, which seals what it sends, stays when
 * the process is gone, so that what a dead sender left can still be checked.
 */

import { randomBytes } from 'node:crypto';
import type { Folder } from '../disk/folder.ts';
import { type HeldLock, type LockRecord, readLivingLock, tryLock } from '../disk/lock.ts';
import { errnoOf, ReverieError } from '../errors.ts';
import { checkName } from './layout.ts';

/** A holder that cannot be seen, such as one in another container, counts as living for this long. */
const UNSEEN_AFTER_MS = 24 * 60 * 60_000;
const KEY_BYTES = 32;
const MOST_LISTED = 20;

/** What is in the folder of a mailbox. */
export const BOX = {
  /** The process that has the name. */
  lock: 'lock',
  key: 'key',
  /** Files on their way in, and those that wait. */
  arriving: 'arriving',
  inbox: 'inbox',
  /** Whoever reads at this moment. */
  reading: 'reading',
  refused: 'refused',
  /** Messages too long to be shown whole. */
  long: 'long',
} as const;

export interface OwnName {
  readonly name: string;
  readonly key: Buffer;
  /** The mailbox's folder; open until `release`. */
  readonly box: Folder;
  /** False once another process took the name. */
  isOurs(): boolean;
  release(): Promise<void>;
}

/** Takes a name for this process. Refused while a living process has it: nobody speaks in another's name. */
export async function takeName(root: Folder, name: string): Promise<OwnName> {
  const box = openBox(root, checkName(name), { create: true })!;
  const folder = box.sub(BOX.lock, { create: true })!;
  try {
    const taken = await tryLock(folder, { staleAfterMs: UNSEEN_AFTER_MS });
    if (taken.kind === 'locked') throw takenError(name, taken.holder);
    const key = await ownKey(box);
    return { name, key, box, isOurs: () => taken.lock.stillHeld(), release: () => release(taken.lock, [folder, box]) };
  } catch (error) {
    folder.close();
    box.close();
    throw error;
  }
}

async function release(lock: HeldLock, folders: readonly Folder[]): Promise<void> {
  await lock.release();
  for (const folder of folders) folder.close();
}

async function ownKey(box: Folder): Promise<Buffer> {
  const known = readKey(box);
  if (known !== null) return known;
  const staged = await box.stage(Buffer.from(randomBytes(KEY_BYTES).toString('hex')));
  box.moveIn({ from: box, name: staged }, BOX.key, 'replace');
  await box.sync();
  return readKey(box)!;
}

/** Null when it is missing, or what a power cut left of one. */
function readKey(box: Folder): Buffer | null {
  const text = box.read(BOX.key, 2 * KEY_BYTES)?.toString('utf8') ?? '';
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : null;
}

/** The key that seals what this sender sends; null for one that never was here. */
export function keyOf(root: Folder, name: string): Buffer | null {
  const box = openBox(root, name);
  if (box === null) return null;
  try {
    return readKey(box);
  } finally {
    box.close();
  }
}

/** Null when nobody ever had the name. A link in its place is refused. */
export function openBox(
  root: Folder,
  name: string,
  options: { readonly create: boolean } = { create: false },
): Folder | null {
  return root.sub(checkName(name), options);
}

/** The process that has the name now; null when nobody does. */
export function holderOf(box: Folder): LockRecord | null {
  const folder = box.sub(BOX.lock);
  if (folder === null) return null;
  try {
    return readLivingLock(folder, { staleAfterMs: UNSEEN_AFTER_MS });
  } finally {
    folder.close();
  }
}

/** Every name that ever had a mailbox here, sorted; what is no folder or no name is left out. */
export function knownNames(root: Folder): string[] {
  return root
    .entries()
    .filter((entry) => entry.isDirectory() && isName(entry.name))
    .map((entry) => entry.name)
    .sort();
}

/** The names that living processes have, sorted. */
export function livingNames(root: Folder): string[] {
  return knownNames(root).filter((name) => {
    try {
      const box = openBox(root, name);
      if (box === null) return false;
      try {
        return holderOf(box) !== null;
      } finally {
        box.close();
      }
    } catch (error) {
      // One that cannot be opened is nobody who could be written to.
      if (error instanceof ReverieError || errnoOf(error) !== '') return false;
      throw error;
    }
  });
}

function isName(name: string): boolean {
  try {
    return checkName(name) === name;
  } catch {
    return false;
  }
}

/** Nobody living has the name: says so, and who could be meant. */
export function nobodyError(
  root: Folder,
  facts: { readonly to: string; readonly self: string; readonly wasHere: boolean },
): ReverieError {
  const living = livingNames(root).filter((name) => name !== facts.self);
  const listed =
    living.slice(0, MOST_LISTED).join(', ') +
    (living.length > MOST_LISTED ? ` and ${living.length - MOST_LISTED} more` : '');
  const what = facts.wasHere ? `${facts.to} is gone: no running process has that name` : `Nobody is called ${facts.to}`;
  return new ReverieError({
    code: 'not-found',
    message: `${what}; the message was not sent. ${living.length === 0 ? 'Nobody else is here' : `Here are: ${listed}`}`,
    fix:
      living.length === 0
        ? `Start it first: reverie --teammate ${facts.to}, or, to read as a person: reverie messages read ${facts.to} --follow`
        : 'Send it to one of these.',
  });
}

function takenError(name: string, holder: LockRecord): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `The name ${name} belongs to process ${holder.pid}, which is running`,
    fix: 'Choose another name: nobody speaks in the name of another.',
  });
}
