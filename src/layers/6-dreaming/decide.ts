/** Whether a dream begins now. The cheapest question comes first: after a normal turn one stat answers it. */

import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import type { Limits } from '../../limits.ts';
import type { DreamHolder, LastConsolidation } from './records/consolidate-lock.ts';
import type { DreamLook } from './records/lock.ts';
import type { DreamRecord } from './records/record.ts';

/** How long to wait after a failed or killed dream: the first, second and every later time. */
const FIRST_RETRY_HOURS = 1;
const SECOND_RETRY_HOURS = 6;
const LATER_RETRY_HOURS = 24;

export type DreamDecision =
  /** `sinceMs`: the last dream, after which sessions count as new; null when there was none. */
  | { readonly kind: 'dream'; readonly sinceMs: number | null }
  | { readonly kind: 'wait'; readonly reason: 'off' | 'daily-log' }
  | { readonly kind: 'wait'; readonly reason: 'too-soon' | 'scanned-lately'; readonly untilMs: number }
  | { readonly kind: 'wait'; readonly reason: 'too-few-sessions'; readonly sessions: number; readonly needed: number }
  | { readonly kind: 'wait'; readonly reason: 'too-few-memories'; readonly memories: number }
  | {
      readonly kind: 'wait';
      readonly reason: 'backing-off';
      readonly untilMs: number;
      readonly failures: number;
      readonly problem: string;
    }
  | { readonly kind: 'wait'; readonly reason: 'someone-else-dreams'; readonly holder: DreamHolder };

/** What a dream is expected to use of a cap, and what the cap has left. */
export interface DreamRoom {
  readonly cap: 'day' | 'dream';
  /** Uncached-equivalent tokens. */
  readonly needed: number;
  readonly left: number;
}

export type NoRoom = { readonly kind: 'wait'; readonly reason: 'no-room' } & DreamRoom;

/** Anything that costs something is asked for only when it decides. */
export interface DreamFacts {
  readonly by: DreamRecord['by'];
  /** Memory and dreaming are on, and there is somewhere to store them. */
  readonly isOn: boolean;
  readonly isDailyLog: boolean;
  readonly nowMs: number;
  /** When this process last counted sessions. */
  readonly scannedAtMs: number | null;
  /** One stat. */
  lastDream(): LastConsolidation;
  /** A few small reads. */
  look(): DreamLook;
  /** A listing of the folder, in steps. */
  countMemories(): Steps<number>;
  /** A listing and a stat per session, in steps. The implementer remembers the time, for `scannedAtMs`. */
  countSessions(sinceMs: number | null): Steps<number>;
}

/** One alone has nothing to be merged with, and nothing that contradicts it. */
const FEWEST_MEMORIES = 2;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function decideDream(facts: DreamFacts, limits: Limits['dreaming']): DreamDecision {
  return atOnce(deciding(facts, limits));
}

/** The same in steps. Only counting memories and sessions takes more than one. */
export function* deciding(facts: DreamFacts, limits: Limits['dreaming']): Steps<DreamDecision> {
  if (!facts.isOn) return { kind: 'wait', reason: 'off' };
  return facts.by === 'itself' ? yield* decidingByItself(facts, limits) : decideByHand(facts.look());
}

/** Starting a dream by hand or by a timer settles the questions of time and cost. */
function decideByHand(look: DreamLook): DreamDecision {
  if (look.heldBy) return { kind: 'wait', reason: 'someone-else-dreams', holder: look.heldBy };
  return { kind: 'dream', sinceMs: look.lastAtMs };
}

function* decidingByItself(facts: DreamFacts, limits: Limits['dreaming']): Steps<DreamDecision> {
  const { nowMs } = facts;
  if (facts.isDailyLog) return { kind: 'wait', reason: 'daily-log' };
  const everyMs = limits.everyHours * HOUR_MS;
  const { atMs, isOpen } = facts.lastDream();
  // An open one carries the time it began: if it died, that is not when the last dream was.
  if (!isOpen && isWithin(atMs, everyMs, nowMs)) {
    return { kind: 'wait', reason: 'too-soon', untilMs: atMs! + everyMs };
  }
  const scanMs = limits.scanMinutes * MINUTE_MS;
  if (isWithin(facts.scannedAtMs, scanMs, nowMs)) {
    return { kind: 'wait', reason: 'scanned-lately', untilMs: facts.scannedAtMs! + scanMs };
  }
  return yield* decidingFromLook(facts, limits);
}

function* decidingFromLook(facts: DreamFacts, limits: Limits['dreaming']): Steps<DreamDecision> {
  const { nowMs } = facts;
  const look = facts.look();
  if (look.heldBy) return { kind: 'wait', reason: 'someone-else-dreams', holder: look.heldBy };
  const everyMs = limits.everyHours * HOUR_MS;
  if (isWithin(look.lastAtMs, everyMs, nowMs)) {
    return { kind: 'wait', reason: 'too-soon', untilMs: look.lastAtMs! + everyMs };
  }
  const untilMs = retryAtMs(look);
  if (untilMs !== null && isWithin(look.failedAtMs, untilMs - look.failedAtMs!, nowMs)) {
    return { kind: 'wait', reason: 'backing-off', untilMs, failures: look.failures, problem: look.problem };
  }
  const memories = yield* facts.countMemories();
  if (memories < FEWEST_MEMORIES) return { kind: 'wait', reason: 'too-few-memories', memories };
  const sessions = yield* facts.countSessions(look.lastAtMs);
  if (sessions < limits.sessions) {
    return { kind: 'wait', reason: 'too-few-sessions', sessions, needed: limits.sessions };
  }
  return { kind: 'dream', sinceMs: look.lastAtMs };
}

/** Asked last, because the answer is read from disk in steps: a dream that could not finish does not begin. Null when there is room. */
export function decideRoom(rooms: readonly DreamRoom[]): NoRoom | null {
  const tooSmall = rooms.find(({ needed, left }) => left < needed);
  return tooSmall === undefined ? null : { kind: 'wait', reason: 'no-room', ...tooSmall };
}

/** When the next dream may begin by itself after failures; null when there were none. */
export function retryAtMs(look: Pick<DreamLook, 'failures' | 'failedAtMs'>): number | null {
  if (look.failures === 0 || look.failedAtMs === null) return null;
  const hours = [FIRST_RETRY_HOURS, SECOND_RETRY_HOURS][look.failures - 1] ?? LATER_RETRY_HOURS;
  return look.failedAtMs + hours * HOUR_MS;
}

/** A time far in the future comes from a clock that was set back; it is no reason to wait. */
function isWithin(atMs: number | null, spanMs: number, nowMs: number): boolean {
  return atMs !== null && Math.abs(nowMs - atMs) < spanMs;
}
