/** A dream's hold on its memory folder: checked before every commit, and ended in one of three ways. */

import type { HeldLock } from '../../../disk/lock.ts';
import type { Limits } from '../../../limits.ts';
import { formOf, otherHostHolding, putPublicRecord, readPublicRecord, settledRecord } from './consolidate-lock.ts';
import type { DreamPlaces } from './places.ts';
import { afterFailure, type DreamTime, putDreamTime, type RunningDream } from './time.ts';

export interface HeldDream {
  readonly kind: 'held';
  /** Grows with every take: a commit under a lower number after a higher one came too late. */
  readonly generation: number;
  readonly token: string;
  readonly startedAtMs: number;
  /** The dream before this one; null when this is the first. */
  readonly lastAtMs: number | null;
  /** Fencing: false once it has ended here, or another process or host has taken over. Checked before every commit. */
  stillHeld(): boolean;
  /** Stamps the time and forgets earlier failures. False when the lock was lost in the meantime: then nothing is stamped. */
  succeed(at: Date): Promise<boolean>;
  /** Failed or killed: the previous time comes back, and the next automatic dream waits. */
  giveBack(reason: string): Promise<boolean>;
  /** Nothing was meant to land, as in a dry run: the previous time comes back and nobody waits. */
  cancel(): Promise<boolean>;
}

export interface HoldFacts {
  readonly places: DreamPlaces;
  readonly lock: HeldLock;
  /** With `running` set: as it is on disk. */
  readonly time: DreamTime & { readonly running: RunningDream };
  readonly limits: Limits['dreaming'];
  readonly staleMs: number;
  now(): Date;
}

export function holdDream(facts: HoldFacts): HeldDream {
  const { places, lock, time } = facts;
  let isEnded = false;

  /** Once only, whatever goes wrong: the lock is released, and the next dream settles anything half done. */
  const end = async (work: () => Promise<boolean>): Promise<boolean> => {
    if (isEnded) return false;
    isEnded = true;
    try {
      return lock.stillHeld() && (await work());
    } finally {
      await lock.release();
      places.close();
    }
  };
  const isAllowed = () => lock.stillHeld();
  const rewind = async (next: DreamTime): Promise<boolean> => {
    await restorePublic(places, { running: time.running, isAllowed });
    return putDreamTime(places, { time: next, isAllowed });
  };
  const otherHost = () =>
    otherHostHolding(readPublicRecord(places.root), { nowMs: facts.now().getTime(), staleMs: facts.staleMs });

  return {
    kind: 'held',
    generation: lock.generation,
    token: lock.token,
    startedAtMs: time.running.startedAtMs,
    lastAtMs: time.lastAtMs,
    stillHeld: () => !isEnded && lock.stillHeld() && otherHost() === null,
    succeed: (at) =>
      end(async () => {
        const atMs = at.getTime();
        // The record first: if killed after it, the dream counts, and the next one corrects the public file.
        const lastStartedAtMs = time.running.startedAtMs;
        const next = { lastAtMs: atMs, lastStartedAtMs, failures: 0, failedAtMs: null, problem: '', running: null };
        if (!(await putDreamTime(places, { time: next, isAllowed }))) return false;
        if (otherHost() !== null) return true;
        await putPublicRecord(places, { record: settledRecord({ pid: process.pid, atMs }), isAllowed });
        return true;
      }),
    giveBack: (reason) =>
      end(() => {
        const problem = reason.slice(0, facts.limits.reasonCharacters);
        return rewind(afterFailure(time, { atMs: facts.now().getTime(), problem }));
      }),
    cancel: () => end(() => rewind({ ...time, running: null })),
  };
}

/** Restores what a dream found, unless someone else has written there since. */
export async function restorePublic(
  places: DreamPlaces,
  facts: { readonly running: RunningDream; isAllowed(): boolean },
): Promise<void> {
  const isStillIts = () => {
    const record = readPublicRecord(places.root);
    const form = record === null ? null : formOf(record);
    return form?.kind === 'under-way' && form.token === facts.running.token;
  };
  await putPublicRecord(places, {
    record: facts.running.previous,
    isAllowed: () => facts.isAllowed() && isStillIts(),
  });
}
