/** `.reverie/dreams/last.json`: the exact time of the last dream, the failures since, and what to restore if the running one dies. */

import type { Folder } from '../../../disk/folder.ts';
import { CONSOLIDATION_LIMITS } from '../../../limits.ts';
import { formOf, type PublicRecord } from './consolidate-lock.ts';

const RECORD_FILE = 'last.json';

export interface DreamTime {
  /** The last dream that succeeded, as far as known; milliseconds since the epoch. */
  readonly lastAtMs: number | null;
  /** When that one began; null when only its end is known. */
  readonly lastStartedAtMs: number | null;
  /** In a row. */
  readonly failures: number;
  /** When the last of them failed, or began if it died silently. */
  readonly failedAtMs: number | null;
  readonly problem: string;
  /** If it is still here without a living holder, it died. */
  readonly running: RunningDream | null;
}

export interface RunningDream {
  /** Of its lock. */
  readonly token: string;
  readonly pid: number;
  readonly startedAtMs: number;
  /** The public record before it; null when there was none. */
  readonly previous: PublicRecord | null;
}

export const NO_DREAM_YET: DreamTime = {
  lastAtMs: null,
  lastStartedAtMs: null,
  failures: 0,
  failedAtMs: null,
  problem: '',
  running: null,
};

/** When the last dream was: ours, unless the public record is later, which means that another host dreamed. */
export function exactLastMs(time: DreamTime, record: PublicRecord | null): number | null {
  // A running dream's time is when it began; it counts once the dream has succeeded.
  if (record === null || formOf(record).kind === 'under-way') return time.lastAtMs;
  const isLater = time.lastAtMs === null || record.mtimeMs > time.lastAtMs + CONSOLIDATION_LIMITS.mtimeSlackMs;
  return isLater ? record.mtimeMs : time.lastAtMs;
}

/** The last dream may not have seen what came after this: even if it ran for an hour, it knows nothing of that hour. */
export function unseenSinceMs(time: DreamTime, record: PublicRecord | null): number | null {
  const lastMs = exactLastMs(time, record);
  const isOurs = lastMs !== null && lastMs === time.lastAtMs && time.lastStartedAtMs !== null;
  return isOurs ? Math.min(lastMs, time.lastStartedAtMs!) : lastMs;
}

export function afterFailure(time: DreamTime, failure: { readonly atMs: number; readonly problem: string }): DreamTime {
  return {
    lastAtMs: time.lastAtMs,
    lastStartedAtMs: time.lastStartedAtMs,
    failures: time.failures + 1,
    failedAtMs: failure.atMs,
    problem: failure.problem,
    running: null,
  };
}

/** Nobody saw when it died, so the wait counts from when it began. */
export function afterDeath(time: DreamTime): DreamTime {
  if (time.running === null) return time;
  const { pid, startedAtMs } = time.running;
  return afterFailure(time, { atMs: startedAtMs, problem: `Process ${pid} did not end its dream` });
}

/** Damaged data reads as missing: then only the public record gives the time. */
export function readDreamTime(dreams: Folder): DreamTime {
  const bytes = dreams.read(RECORD_FILE, CONSOLIDATION_LIMITS.recordBytes);
  try {
    return bytes === null ? NO_DREAM_YET : parseDreamTime(JSON.parse(bytes.toString('utf8')));
  } catch {
    return NO_DREAM_YET;
  }
}

/** `isAllowed` is asked right before the step; returns false when it refused. */
export async function putDreamTime(
  places: { readonly dreams: Folder; readonly staging: Folder },
  change: { readonly time: DreamTime; isAllowed(): boolean },
): Promise<boolean> {
  const { dreams, staging } = places;
  const staged = await staging.stage(Buffer.from(serialize(change.time)));
  try {
    if (!change.isAllowed()) return false;
    dreams.moveIn({ from: staging, name: staged }, RECORD_FILE, 'replace');
    await dreams.sync();
    return true;
  } finally {
    staging.discard(staged);
  }
}

function serialize(time: DreamTime): string {
  const previous = time.running?.previous ?? null;
  const kept = previous === null ? null : { ...previous, bytes: previous.bytes.toString('base64') };
  const running = time.running === null ? null : { ...time.running, previous: kept };
  return `${JSON.stringify({ ...time, running })}\n`;
}

function parseDreamTime(value: unknown): DreamTime {
  const fields = fieldsOf(value);
  const failures = numberIn(fields.failures);
  return {
    lastAtMs: timeIn(fields.lastAtMs),
    lastStartedAtMs: timeIn(fields.lastStartedAtMs),
    failures: failures === null || failures < 0 ? 0 : Math.floor(failures),
    failedAtMs: timeIn(fields.failedAtMs),
    problem: typeof fields.problem === 'string' ? fields.problem : '',
    running: parseRunning(fieldsOf(fields.running)),
  };
}

function parseRunning(fields: Record<string, unknown>): RunningDream | null {
  const { token, pid } = fields;
  const startedAtMs = timeIn(fields.startedAtMs);
  if (typeof token !== 'string' || typeof pid !== 'number' || startedAtMs === null) return null;
  const previous = fieldsOf(fields.previous);
  const mtimeMs = timeIn(previous.mtimeMs);
  const isKept = typeof previous.bytes === 'string' && mtimeMs !== null;
  const record = isKept ? { bytes: Buffer.from(String(previous.bytes), 'base64'), mtimeMs } : null;
  return { token, pid, startedAtMs, previous: record };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A number that makes a valid date. */
function timeIn(value: unknown): number | null {
  const number = numberIn(value);
  return number === null || Number.isNaN(new Date(number).getTime()) ? null : number;
}
