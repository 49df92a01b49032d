/** Who has a session open: one process at a time, so that two never write one conversation. A dead holder is none. */

import { ReverieError } from '../../errors.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { createFolder, type Folder, openFolder } from '../folder.ts';
import { type SessionPlace, sessionLayout } from '../home.ts';
import { type HeldLock, type LockRecord, readLock, takeLock } from '../lock.ts';
import { livenessOf } from '../process-identity.ts';

/** A holder that cannot be seen (another host) is given up after this long. */
const HOLD_STALE_AFTER_MS = 24 * 60 * 60_000;

export type SessionHold =
  | {
      readonly kind: 'held';
      /** False once another process took over, which it does from one that was stopped for a day. */
      stillHeld(): boolean;
      release(): Promise<void>;
    }
  | { readonly kind: 'open-elsewhere'; readonly pid: number; readonly host: string };

export type HoldOptions = SessionPlace & { readonly limits?: Limits['transcripts'] };

/** Waits no longer than it takes a process to let go. Throws a ReverieError where the disk allows no lock. */
export async function holdSession(options: HoldOptions): Promise<SessionHold> {
  const limits = options.limits ?? LIMITS.transcripts;
  const folder = createFolder(sessionLayout(options).lock);
  for (;;) {
    try {
      const patience = { waitMs: limits.holdWaitMs, staleAfterMs: HOLD_STALE_AFTER_MS };
      return held(folder, await takeLock(folder, patience));
    } catch (error) {
      const holder = isLocked(error) ? readLock(folder) : null;
      // It was let go of in this very moment.
      if (isLocked(error) && holder === null) continue;
      folder.close();
      if (holder === null) throw error;
      return { kind: 'open-elsewhere', pid: holder.pid, host: holder.host };
    }
  }
}

/** Whether anyone may have the session open, without touching it. */
export function isSessionHeld(options: HoldOptions): boolean {
  return sessionHolder(options) !== null;
}

/** Who may have the session open, and since when; null when nobody has. */
export function sessionHolder(options: HoldOptions): LockRecord | null {
  const folder = openFolder(sessionLayout(options).lock);
  if (folder === null) return null;
  try {
    const holder = readLock(folder);
    return holder === null || isGivenUp(holder, HOLD_STALE_AFTER_MS) ? null : holder;
  } finally {
    folder.close();
  }
}

function held(folder: Folder, lock: HeldLock): SessionHold {
  let isReleased = false;
  return {
    kind: 'held',
    stillHeld: () => !isReleased && lock.stillHeld(),
    async release() {
      if (isReleased) return;
      isReleased = true;
      await lock.release();
      folder.close();
    },
  };
}

function isGivenUp(holder: LockRecord, staleAfterMs: number): boolean {
  const liveness = livenessOf(holder);
  return liveness === 'gone' || (liveness !== 'alive' && Date.now() - holder.at > staleAfterMs);
}

function isLocked(error: unknown): boolean {
  return error instanceof ReverieError && error.code === 'locked';
}
