/**
 * Exclusion between processes. The lock is a row of generations: files named 1, 2, 3 … in one folder, each made once by
 * `link()` of a complete record, so that no one ever sees half of it. The newest generation decides: empty means free, a
 * record means held. Taking a free or abandoned lock is linking the next number, which only one process can do; so
 * breaking a dead holder's lock needs no deletion and no second lock. The newest file is never removed, only emptied; a
 * process that acted on an old view finds a newer number than its own and steps back.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReverieError } from '../errors.ts';
import type { Folder } from './folder.ts';
import { removeLeftovers } from './leftovers.ts';
import { livenessOf, type ProcessIdentity, thisProcess } from './process-identity.ts';

export interface LockRecord extends ProcessIdentity {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface HeldLock {
  readonly generation: number;
  /** Fencing: false once another process has taken over. Asked before every commit. */
  stillHeld(): boolean;
  release(): Promise<void>;
}

export interface LockPatience {
  readonly waitMs: number;
  readonly staleAfterMs: number;
}

/** Old generations kept, so that a listing that overlaps a take always sees one that is new enough. */
const GENERATIONS_KEPT = 4;
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;

export async function takeLock(folder: Folder, patience: LockPatience): Promise<HeldLock> {
  const self = thisProcess();
  const deadline = Date.now() + patience.waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const newest = newestGeneration(folder);
    const holder = readHolder(folder, newest);
    if (holder === 'free' || isAbandoned(holder, { self, staleAfterMs: patience.staleAfterMs })) {
      const held = await takeGeneration(folder, { generation: newest + 1, self });
      if (held) return held;
      continue;
    }
    if (Date.now() > deadline) throw lockedError(folder, holder);
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}

/** The record of whoever holds the lock now, for status and doctor. */
export function readLock(folder: Folder): LockRecord | null {
  const holder = readHolder(folder, newestGeneration(folder));
  return holder === 'free' ? null : holder;
}

async function takeGeneration(
  folder: Folder,
  claim: { generation: number; self: ProcessIdentity },
): Promise<HeldLock | null> {
  const record: LockRecord = { ...claim.self, token: randomBytes(8).toString('hex'), at: Date.now() };
  const name = String(claim.generation);
  // Exclusion must outlast a process, not a power cut: after one, no holder is left.
  const staged = await folder.stage(Buffer.from(JSON.stringify(record)), { durable: false });
  if (!folder.moveIn({ from: folder, name: staged }, name, 'create')) {
    folder.discard(staged);
    return null;
  }
  const stillHeld = () => newestGeneration(folder) === claim.generation && ownsRecord(folder, name, record.token);
  if (!stillHeld()) {
    folder.discard(name);
    return null;
  }
  removeOldGenerations(folder, claim.generation);
  return {
    generation: claim.generation,
    stillHeld,
    release: () => release(folder, { generation: claim.generation, token: record.token }),
  };
}

function newestGeneration(folder: Folder): number {
  let newest = 0;
  for (const entry of folder.entries()) {
    if (/^\d+$/.test(entry.name)) newest = Math.max(newest, Number(entry.name));
  }
  return newest;
}

function readHolder(folder: Folder, generation: number): LockRecord | 'free' {
  if (generation === 0) return 'free';
  const text = folder.read(String(generation))?.toString('utf8') ?? '';
  try {
    return text === '' ? 'free' : (JSON.parse(text) as LockRecord);
  } catch {
    // Records appear whole; what is not JSON is what a power cut left of one.
    return 'free';
  }
}

function ownsRecord(folder: Folder, name: string, token: string): boolean {
  return folder.read(name)?.includes(token) ?? false;
}

/** A process that runs keeps its lock, however long; one that is stopped or cannot be seen loses it in the end. */
function isAbandoned(holder: LockRecord, facts: { self: ProcessIdentity; staleAfterMs: number }): boolean {
  const liveness = livenessOf(holder, facts.self);
  if (liveness === 'gone') return true;
  return liveness !== 'alive' && Date.now() - holder.at > facts.staleAfterMs;
}

/** What stays behind here costs a line in a listing, so a failure to remove it must not cost the lock. */
function removeOldGenerations(folder: Folder, current: number): void {
  for (const { name } of folder.entries()) {
    if (/^\d+$/.test(name) && Number(name) <= current - GENERATIONS_KEPT) folder.discard(name);
  }
  removeLeftovers(folder);
}

/**
 * The work is done by now, so nothing may fail any more. Where the record cannot be emptied, an empty next generation
 * says the same; where that fails too, the lock is free once this process has ended.
 */
async function release(folder: Folder, held: { generation: number; token: string }): Promise<void> {
  const name = String(held.generation);
  try {
    if (ownsRecord(folder, name, held.token)) folder.truncate(name);
  } catch {
    try {
      const staged = await folder.stage(new Uint8Array(), { durable: false });
      folder.moveIn({ from: folder, name: staged }, String(held.generation + 1), 'create');
    } catch {}
  }
}

function lockedError(folder: Folder, holder: LockRecord): ReverieError {
  const seconds = Math.round((Date.now() - holder.at) / 1000);
  const where = holder.host === thisProcess().host ? '' : ` on ${holder.host}`;
  return new ReverieError({
    code: 'locked',
    message: `Process ${holder.pid}${where} has been writing to ${folder.path} for ${seconds} s; nothing was changed`,
    fix: `Wait for it, or end it if it hangs: kill ${holder.pid}`,
  });
}
