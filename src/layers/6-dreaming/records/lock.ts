/**
 * Who may dream in a memory folder, and when the last dream was. Exclusion rests on the generations in
 * `.reverie/dream-lock/`, the exact time on `.reverie/dreams/last.json`; `.consolidate-lock` shows both to other hosts.
 * The record says what to restore before the public file is touched, and forgets it only after it was restored. So a
 * process killed at any step leaves a folder that the next one can settle.
 */

import { type HeldLock, type LockRecord, readLivingLock, type Staleness, tryLock } from '../../../disk/lock.ts';
import { LIMITS, type Limits } from '../../../limits.ts';
import {
  type DreamHolder,
  formOf,
  type LastConsolidation,
  otherHostHolding,
  type PublicRecord,
  putPublicRecord,
  readLastConsolidation,
  readPublicRecord,
  settledRecord,
  underWayRecord,
} from './consolidate-lock.ts';
import { type HeldDream, holdDream, restorePublic } from './hold.ts';
import { createDreamPlaces, type DreamPlaces, withDreamPlaces } from './places.ts';
import {
  afterDeath,
  type DreamTime,
  exactLastMs,
  NO_DREAM_YET,
  putDreamTime,
  readDreamTime,
  unseenSinceMs,
} from './time.ts';

/** Everything known without taking the lock; a dream that died counts as failed and its time as restored. */
export interface DreamLook {
  readonly lastAtMs: number | null;
  /** When the last one began, as far as known: it may not have seen what came after. */
  readonly unseenSinceMs: number | null;
  readonly heldBy: DreamHolder | null;
  /** In a row. */
  readonly failures: number;
  readonly failedAtMs: number | null;
  /** Why the last of them failed; empty when none did. */
  readonly problem: string;
  /** One died and nobody has settled it yet: `reclaim` does. */
  readonly hasDied: boolean;
}

export interface DreamLock {
  /** One stat. */
  lastDream(): LastConsolidation;
  /** A handful of small reads; changes nothing. */
  look(): DreamLook;
  /** Never waits. Throws a ReverieError if the disk allows no lock. */
  take(): Promise<HeldDream | { readonly kind: 'someone-else'; readonly holder: DreamHolder }>;
  /** Settles a dream that died, so that other hosts see the previous time too; false when there was none. */
  reclaim(): Promise<boolean>;
}

export interface DreamLockPorts {
  readonly limits?: Limits['dreaming'];
  now?(): Date;
}

const MINUTE_MS = 60_000;

interface Facts {
  readonly limits: Limits['dreaming'];
  readonly staleMs: number;
  readonly staleness: Staleness;
  now(): Date;
}

export function openDreamLock(memoryFolder: string, ports: DreamLockPorts = {}): DreamLock {
  const limits = ports.limits ?? LIMITS.dreaming;
  const staleMs = limits.staleMinutes * MINUTE_MS;
  const staleness = { staleAfterMs: staleMs, staleWhileAlive: true };
  const facts: Facts = { limits, staleMs, staleness, now: () => ports.now?.() ?? new Date() };

  const take: DreamLock['take'] = async () => {
    const places = createDreamPlaces(memoryFolder);
    try {
      for (;;) {
        const attempt = await tryLock(places.lock, staleness);
        if (attempt.kind === 'locked') {
          places.close();
          return { kind: 'someone-else', holder: holderOf(attempt.holder) };
        }
        const begun = await begin({ places, lock: attempt.lock, facts });
        if (begun.kind === 'lost') continue;
        if (begun.kind === 'someone-else') places.close();
        return begun;
      }
    } catch (error) {
      places.close();
      throw error;
    }
  };

  return {
    lastDream: () => readLastConsolidation(memoryFolder),
    look: () => lookInto(memoryFolder, facts),
    take,
    async reclaim() {
      if (!lookInto(memoryFolder, facts).hasDied) return false;
      const places = createDreamPlaces(memoryFolder);
      try {
        const attempt = await tryLock(places.lock, staleness);
        if (attempt.kind === 'locked') return false;
        const { lock } = attempt;
        try {
          const time = readDreamTime(places.dreams);
          return time.running !== null && (await settleDead({ places, lock, time })) !== null;
        } finally {
          await lock.release();
        }
      } finally {
        places.close();
      }
    },
  };
}

function lookInto(memoryFolder: string, facts: Facts): DreamLook {
  return withDreamPlaces(memoryFolder, ({ root, lock, dreams }) => {
    const readTime = () => (dreams === null ? NO_DREAM_YET : readDreamTime(dreams));
    const before = readTime();
    const holder = lock === null ? null : readLivingLock(lock, facts.staleness);
    const time = readTime();
    // A dream clears its record before releasing the lock: if the same record is there before and after, no living process holds it.
    const hasDied =
      time.running !== null &&
      time.running.token === before.running?.token &&
      time.running.token !== (holder?.token ?? null);
    const record = root === null ? null : readPublicRecord(root);
    const { failures, failedAtMs, problem } = hasDied ? afterDeath(time) : time;
    return {
      lastAtMs: exactLastMs(time, record),
      unseenSinceMs: unseenSinceMs(time, record),
      heldBy:
        holder === null
          ? otherHostHolding(record, { nowMs: facts.now().getTime(), staleMs: facts.staleMs })
          : holderOf(holder),
      failures,
      failedAtMs,
      problem,
      hasDied,
    };
  });
}

interface Taken {
  readonly places: DreamPlaces;
  readonly lock: HeldLock;
}

type Begun =
  | HeldDream
  | { readonly kind: 'someone-else'; readonly holder: DreamHolder }
  /** Paused for so long that another process took the lock in the middle of this. */
  | { readonly kind: 'lost' };

async function begin(taken: Taken & { readonly facts: Facts }): Promise<Begun> {
  const { places, lock, facts } = taken;
  const startedAtMs = facts.now().getTime();
  const isAllowed = () => lock.stillHeld();
  let begun: Begun = { kind: 'lost' };
  try {
    const settled = await settleDead({ places, lock, time: readDreamTime(places.dreams) });
    if (settled === null) return begun;
    const record = readPublicRecord(places.root);
    const holder = otherHostHolding(record, { nowMs: startedAtMs, staleMs: facts.staleMs });
    if (holder !== null) return { kind: 'someone-else', holder };

    const lastAtMs = exactLastMs(settled, record);
    const running = { token: lock.token, pid: process.pid, startedAtMs, previous: worthRestoring(record, lastAtMs) };
    const lastStartedAtMs = lastAtMs === settled.lastAtMs ? settled.lastStartedAtMs : null;
    const time = { ...settled, lastAtMs, lastStartedAtMs, running };
    if (!(await putDreamTime(places, { time, isAllowed }))) return begun;
    const underWay = underWayRecord({ pid: process.pid, token: lock.token, atMs: startedAtMs });
    if (!(await putPublicRecord(places, { record: underWay, isAllowed }))) return begun;
    begun = holdDream({ ...facts, places, lock, time });
    return begun;
  } finally {
    if (begun.kind !== 'held') await lock.release();
  }
}

/** Whoever has the lock knows that a dream still on record has died or was too slow. Null when the lock was lost meanwhile. */
async function settleDead(taken: Taken & { readonly time: DreamTime }): Promise<DreamTime | null> {
  const { places, lock, time } = taken;
  if (time.running === null) return time;
  const isAllowed = () => lock.stillHeld();
  await restorePublic(places, { running: time.running, isAllowed });
  const settled = afterDeath(time);
  return (await putDreamTime(places, { time: settled, isAllowed })) ? settled : null;
}

/** A power cut can leave the mark of a running dream with no record. It is not restored: the recorded time is. */
function worthRestoring(record: PublicRecord | null, lastAtMs: number | null): PublicRecord | null {
  if (record === null || formOf(record).kind !== 'under-way') return record;
  return lastAtMs === null ? null : settledRecord({ pid: process.pid, atMs: lastAtMs });
}

function holderOf(record: LockRecord): DreamHolder {
  return { pid: record.pid, host: record.host, sinceMs: record.at, isOtherHost: false };
}
