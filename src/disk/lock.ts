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
import type { Limits } from '../limits.ts';
import type { Folder } from './folder.ts';
import { livenessOf, type ProcessIdentity, thisProcess } from './process-identity.ts';
import { removeLeftovers } from './staged-name.ts';

export interface LockRecord extends ProcessIdentity {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface HeldLock {
  readonly generation: number;
  readonly token: string;
  /** Fencing: false once another process has taken over. Asked before every commit. */
  stillHeld(): boolean;
  release(): Promise<void>;
}

export interface Staleness {
  readonly staleAfterMs: number;
  /** Whether a record that is too old counts for nothing even while its process runs; unless given, that one keeps its lock. */
  readonly staleWhileAlive?: boolean;
}

export type LockPatience = Staleness & Pick<Limits['lock'], 'waitMs'>;

/** Old generations kept, so that a listing that overlaps a take always sees one that is new enough. */
const GENERATIONS_KEPT = 4;
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;

export async function takeLock(folder: Folder, patience: LockPatience): Promise<HeldLock> {
  const facts = { ...patience, self: thisProcess() };
  const deadline = Date.now() + patience.waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const taken = await attempt(folder, facts);
    if (taken.kind === 'held') return taken.lock;
    if (Date.now() > deadline) throw lockedError(folder, taken.holder);
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}

export type LockAttempt =
  | { readonly kind: 'held'; readonly lock: HeldLock }
  | { readonly kind: 'locked'; readonly holder: LockRecord };

/** Without waiting: the lock, or who has it. */
export function tryLock(folder: Folder, patience: Staleness): Promise<LockAttempt> {
  return attempt(folder, { ...patience, self: thisProcess() });
}

async function attempt(folder: Folder, facts: Staleness & { readonly self: ProcessIdentity }): Promise<LockAttempt> {
  for (;;) {
    const newest = newestGeneration(folder);
    const holder = readHolder(folder, newest);
    if (holder !== 'free' && !isAbandoned(holder, facts)) return { kind: 'locked', holder };
    const lock = await takeGeneration(folder, { generation: newest + 1, self: facts.self });
    if (lock) return { kind: 'held', lock };
  }
}

/** The record of whoever holds the lock now, for status and doctor. */
export function readLock(folder: Folder): LockRecord | null {
  const holder = readHolder(folder, newestGeneration(folder));
  return holder === 'free' ? null : holder;
}

/** The same, unless that one would lose it to whoever asks. */
export function readLivingLock(folder: Folder, patience: Staleness): LockRecord | null {
  const holder = readLock(folder);
  return holder === null || isAbandoned(holder, { ...patience, self: thisProcess() }) ? null : holder;
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
    token: record.token,
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
    const record = JSON.parse(text) as Partial<LockRecord> | null;
    // One without a process and a time could never be told from abandoned.
    return Number.isInteger(record?.pid) && Number.isFinite(record?.at) ? (record as LockRecord) : 'free';
  } catch {
    // Records appear whole; what is not JSON is what a power cut left of one, or was emptied.
    return 'free';
  }
}

function ownsRecord(folder: Folder, name: string, token: string): boolean {
  return folder.read(name)?.includes(token) ?? false;
}

/** A process that runs keeps its lock, however long, unless told otherwise; one that is stopped or cannot be seen loses it in the end. */
function isAbandoned(holder: LockRecord, facts: Staleness & { readonly self: ProcessIdentity }): boolean {
  const liveness = livenessOf(holder, facts.self);
  if (liveness === 'gone') return true;
  const ageMs = Date.now() - holder.at;
  // A record from the future is of a clock that was set back; nobody may hold a lock until then.
  if (facts.staleWhileAlive) return Math.abs(ageMs) > facts.staleAfterMs;
  return liveness !== 'alive' && ageMs > facts.staleAfterMs;
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
