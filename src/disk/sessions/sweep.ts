/** Removes old sessions: transcript, notes, tool results. Memory is never touched, nor a session that is open. */

import { lstat, readdir, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/values.ts';
import { errnoOf } from '../../errors.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { createFolder, openFolder } from '../folder.ts';
import { homeLayout, isSessionId, projectLayout, sessionLayout } from '../home.ts';
import { removeLeftovers } from '../staged-name.ts';
import { holdSession, isSessionHeld } from './hold.ts';

/** How often anyone looks for sessions to remove. */
const SWEEP_EVERY_HOURS = 24;

export type SweepOutcome =
  | { readonly kind: 'not-yet' }
  | {
      readonly kind: 'swept';
      readonly removed: readonly SweptSession[];
      /** Sessions that should have gone and could not, with the reason. */
      readonly kept: readonly { readonly slug: string; readonly sessionId: string; readonly reason: string }[];
    };

export interface SweptSession {
  readonly slug: string;
  readonly sessionId: string;
  readonly bytes: number;
  /** Too old, or the oldest when all together were too large. */
  readonly reason: 'age' | 'room';
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** One look at a marker's time unless it is due. */
export async function sweepSessions(options: {
  readonly home: string;
  readonly now: Date;
  readonly limits?: Limits['transcripts'];
}): Promise<SweepOutcome> {
  const limits = options.limits ?? LIMITS.transcripts;
  const marker = join(dirname(homeLayout(options.home).cacheIndex), 'sessions-swept');
  const sweptMs = await stat(marker).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.NEGATIVE_INFINITY,
  );
  // A marker from the future is a clock that was set back, not a reason to wait for years.
  if (Math.abs(options.now.getTime() - sweptMs) < SWEEP_EVERY_HOURS * HOUR_MS) return { kind: 'not-yet' };
  await mark(marker, options.now);

  const found = await findSessions(options.home);
  const removed: SweptSession[] = [];
  const kept: { slug: string; sessionId: string; reason: string }[] = [];
  for (const { session, reason } of chooseSessions(found, { now: options.now, limits })) {
    const { slug, sessionId, bytes } = session;
    const obstacle = await removeSession({ home: options.home, slug, sessionId });
    if (obstacle === null) removed.push({ slug, sessionId, bytes, reason });
    else kept.push({ slug, sessionId, reason: obstacle });
  }
  return { kind: 'swept', removed, kept };
}

/** Before the work, so that of several processes that start together one does it. */
async function mark(marker: string, now: Date): Promise<void> {
  createFolder(dirname(marker)).close();
  await writeFile(marker, '', { mode: 0o600 });
  await utimes(marker, now, now);
}

export interface FoundSession {
  readonly slug: string;
  readonly sessionId: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly isHeld: boolean;
}

/** Oldest first. What is held counts for the room and stays. */
export function chooseSessions(
  sessions: readonly FoundSession[],
  facts: { readonly now: Date; readonly limits: Pick<Limits['transcripts'], 'keptDays' | 'keptBytes'> },
): { readonly session: FoundSession; readonly reason: SweptSession['reason'] }[] {
  const oldestMs = facts.now.getTime() - facts.limits.keptDays * DAY_MS;
  let bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  return [...sessions]
    .sort((one, other) => one.modifiedMs - other.modifiedMs)
    .flatMap((session) => {
      const reason = session.modifiedMs < oldestMs ? 'age' : bytes > facts.limits.keptBytes ? 'room' : null;
      if (session.isHeld || reason === null) return [];
      bytes -= session.bytes;
      return [{ session, reason }];
    });
}

async function findSessions(home: string): Promise<FoundSession[]> {
  const found: FoundSession[] = [];
  for (const slug of await namesIn(homeLayout(home).projects)) {
    const { folder } = projectLayout(home, slug);
    // A link could lead to folders that are not ours to clear.
    if (!(await lstat(folder).catch(() => null))?.isDirectory()) continue;
    const ids = new Set((await namesIn(folder)).map((name) => name.replace(/\.jsonl$/, '')).filter(isSessionId));
    for (const sessionId of ids) {
      const { transcript, folder: own } = sessionLayout({ home, slug, sessionId });
      const parts = [await measure(transcript), await measure(own)];
      found.push({
        slug,
        sessionId,
        bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
        modifiedMs: Math.max(...parts.map((part) => part.modifiedMs)),
        isHeld: isHeldSafely({ home, slug, sessionId }),
      });
    }
    if (ids.size > 0) clearStaged(folder);
  }
  return found;
}

/** What cannot be looked at stays. */
function isHeldSafely(place: { home: string; slug: string; sessionId: string }): boolean {
  try {
    return isSessionHeld(place);
  } catch {
    return true;
  }
}

/** A fork that was cut off leaves its copy. */
function clearStaged(path: string): void {
  const folder = openFolder(path);
  if (folder) removeLeftovers(folder);
  folder?.close();
}

/** Links are not followed. The time is that of the newest file, since a folder's own changes with every name in it. */
async function measure(path: string): Promise<{ bytes: number; modifiedMs: number }> {
  const facts = await lstat(path).catch(() => null);
  if (facts === null) return { bytes: 0, modifiedMs: Number.NEGATIVE_INFINITY };
  if (!facts.isDirectory()) return { bytes: facts.size, modifiedMs: facts.mtimeMs };
  const parts = await Promise.all((await namesIn(path)).map((name) => measure(join(path, name))));
  return {
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    modifiedMs: Math.max(
      parts.length === 0 ? facts.mtimeMs : Number.NEGATIVE_INFINITY,
      ...parts.map((part) => part.modifiedMs),
    ),
  };
}

/** Under the session's hold, so that nobody resumes what is going. Null when it is gone. */
async function removeSession(place: { home: string; slug: string; sessionId: string }): Promise<string | null> {
  try {
    const hold = await holdSession(place);
    if (hold.kind === 'open-elsewhere') return `process ${hold.pid} has it open`;
    const { transcript, folder } = sessionLayout(place);
    try {
      await unlink(transcript).catch((error) => {
        if (errnoOf(error) !== 'ENOENT') throw error;
      });
      await rm(folder, { recursive: true, force: true });
    } finally {
      await hold.release();
    }
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch {
    return [];
  }
}
