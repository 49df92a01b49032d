/** What `reverie status` says about dreaming: whether it is on, the last and the running dream, what is waiting, and when the next may begin. */

import { atOnce } from '../../../base/async/in-turns.ts';
import { isOwnScope, type MemoryScope } from '../../../base/taxonomy.ts';
import { messageOf } from '../../../base/values.ts';
import { PATH_LIMITS } from '../../../limits.ts';
import { hasMemoryFiles } from '../../../memory/files/walk.ts';
import type { Memory } from '../../../memory/memory.ts';
import type { Place } from '../../../settings/place.ts';
import { retryAtMs } from '../decide.ts';
import { asLastSeen, endedIn } from '../records/dead.ts';
import { openDreamLock } from '../records/lock.ts';
import { readProgress } from '../records/progress.ts';
import type { DreamChangeState, DreamRecord } from '../records/record.ts';
import { readDreamRecords } from '../records/records.ts';
import type { KeptProgress } from '../records/shape.ts';
import { countingSessions } from '../session/count-sessions.ts';
import { waitingOf } from './choose.ts';
import { readJournalled, stateOf } from './journal.ts';

export interface DreamingStatus {
  readonly isOn: boolean;
  /** Whether one begins after an answer, once time and sessions allow; by hand one always can. */
  readonly isByItself: boolean;
  readonly mode: 'apply' | 'review';
  /** How many sessions are needed since the last one. */
  readonly sessions: number;
  readonly scopes: readonly ScopeDreaming[];
}

export interface ScopeDreaming {
  readonly scope: MemoryScope;
  readonly last: LastDream | null;
  /** ISO time of the last consolidation, including those of other hosts. */
  readonly lastAt: string | null;
  readonly underWay:
    | (Pick<KeptProgress, 'id' | 'startedAt' | 'state' | 'rounds' | 'toolCalls'> & {
        readonly files: number;
        readonly pid: number;
      })
    | null;
  /** Changes in the inbox. */
  readonly waiting: number;
  /** ISO time after which one may begin by itself; null when that is now. */
  readonly nextAt: string | null;
  /** For a dream that is due but has not begun: how many of the required sessions there have been since the last one. */
  readonly due: { readonly sessions: number; readonly needed: number } | null;
  readonly backOff: { readonly until: string; readonly failures: number; readonly problem: string } | null;
  /** Files that are not records, and anything else that could not be read. */
  readonly problems: readonly string[];
}

export interface LastDream extends Pick<DreamRecord, 'id' | 'startedAt' | 'endedAt' | 'by' | 'problem' | 'money'> {
  /** `died`: its process was killed, and the next dream settles it. */
  readonly status: DreamRecord['status'] | 'died';
  /** `undone`: they landed or were approved and were undone since; they count nowhere else. */
  readonly changes: Readonly<Partial<Record<DreamChangeState | 'undone', number>>>;
}

const HOUR_MS = 3_600_000;

export function readDreamingStatus(facts: {
  readonly memory: Pick<Memory, 'enabled' | 'folders'>;
  readonly place: Pick<Place, 'settings' | 'limits' | 'home' | 'slug'>;
  readonly now: Date;
}): DreamingStatus {
  const { memory, place } = facts;
  const { values } = place.settings;
  const isOn = memory.enabled && values['layers.dreaming'];
  const all = Object.entries(memory.folders) as [MemoryScope, string][];
  // Nobody dreams over what colleagues wrote.
  const scopes = all.filter(([scope]) => isOwnScope(scope));
  return {
    isOn,
    isByItself: isOn && !values.dailyLog,
    mode: values['dreaming.mode'] === 'review' ? 'review' : 'apply',
    sessions: place.limits.dreaming.sessions,
    scopes: scopes.map(([scope, folder]) => scopeStatus({ scope, folder }, facts)),
  };
}

function scopeStatus(
  { scope, folder }: { readonly scope: MemoryScope; readonly folder: string },
  { place, now }: Pick<Parameters<typeof readDreamingStatus>[0], 'place' | 'now'>,
): ScopeDreaming {
  const limits = place.limits.dreaming;
  const nothing = {
    scope,
    last: null,
    lastAt: null,
    underWay: null,
    waiting: 0,
    nextAt: null,
    due: null,
    backOff: null,
  };
  try {
    const { records, damaged } = readDreamRecords(folder);
    const look = openDreamLock(folder, { limits, now: () => now }).look();
    const seen = readProgress(folder);
    const isUnderWay = seen !== null && seen.liveness !== 'gone' && seen.progress.status === 'running';
    const retryMs = retryAtMs(look);
    const dueMs = look.lastAtMs === null ? 0 : look.lastAtMs + limits.everyHours * HOUR_MS;
    const nextMs = Math.max(dueMs, retryMs ?? 0);
    const ended = endedIn(folder, records);
    const newest = records.findIndex(({ id }) => !isUnderWay || id !== seen.progress.id);
    const last = newest < 0 ? null : ended[newest]!;
    const hasDied = last !== null && records[newest]!.status === 'running' && last.status !== 'completed';
    return {
      scope,
      last: last === null ? null : lastOf(folder, hasDied ? asLastSeen(records[newest]!, seen) : last),
      lastAt: isoOf(look.lastAtMs),
      underWay: isUnderWay ? underWayOf(seen.progress, seen.process.pid) : null,
      waiting: ended.reduce((sum, record) => sum + waitingOf(record).length, 0),
      nextAt: nextMs > now.getTime() ? isoOf(nextMs) : null,
      due: nextMs > now.getTime() || isUnderWay ? null : dueOf({ scope, folder, sinceMs: look.lastAtMs }, place),
      backOff:
        retryMs !== null && retryMs > now.getTime()
          ? { until: new Date(retryMs).toISOString(), failures: look.failures, problem: look.problem }
          : null,
      problems: damaged.map(({ file, reason }) => `${file} is skipped: ${reason}`),
    };
  } catch (error) {
    return { ...nothing, problems: [messageOf(error)] };
  }
}

/** Null when there is nothing to dream about. */
function dueOf(
  { scope, folder, sinceMs }: { readonly scope: MemoryScope; readonly folder: string; readonly sinceMs: number | null },
  place: Pick<Place, 'settings' | 'limits' | 'home' | 'slug'>,
): ScopeDreaming['due'] {
  if (!hasMemoryFiles(folder, PATH_LIMITS.depth)) return null;
  const needed = place.limits.dreaming.sessions;
  return { sessions: atOnce(countingSessions({ place, scope, sinceMs, except: '' })), needed };
}

function lastOf(folder: string, record: DreamRecord): LastDream {
  const { id, startedAt, endedAt, by, status, problem, money } = record;
  const counts: Partial<Record<keyof LastDream['changes'], number>> = {};
  const hasLanded = record.changes.some(({ state }) => state === 'landed' || state === 'approved');
  const journalled = hasLanded ? readJournalled(folder, record) : new Map();
  for (const change of record.changes) {
    const now = stateOf(change, journalled);
    const state = now === 'taken back' ? 'undone' : now;
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return {
    id,
    startedAt,
    endedAt,
    by,
    problem,
    money,
    status: status === 'running' ? 'died' : status,
    changes: counts,
  };
}

function underWayOf({ id, startedAt, state, rounds, toolCalls, files }: KeptProgress, pid: number) {
  return { id, startedAt, state, rounds, toolCalls, files: files.length, pid };
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
