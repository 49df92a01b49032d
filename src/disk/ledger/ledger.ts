/**
 * The ledger that all processes of a home share: one line a call, and reservations, so that background work of all of
 * them together keeps to the caps. A reservation is made under the lock, after reading what the others wrote meanwhile.
 */

import { join } from 'node:path';
import { messageOf } from '../../base/values.ts';
import { ReverieError } from '../../errors.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { createFolder } from '../folder.ts';
import { homeLayout } from '../home.ts';
import { type HeldLock, takeLock } from '../lock.ts';
import { livenessOf, type ProcessIdentity, thisProcess } from '../process-identity.ts';
import { storageError } from '../storage-error.ts';
import { type AppendFile, appendLine, openAppendFile } from '../transcript/append.ts';
import { linesForward, openBytes } from '../transcript/lines.ts';
import {
  type CallFacts,
  dayOf,
  type EventFacts,
  type MemoryFacts,
  parseLine,
  type ReservationLine,
  serializeLine,
} from './line.ts';
import { readLedger } from './read.ts';
import { type Amount, createTally, decideReservation, likelyCost, type Room } from './tally.ts';

export { type LedgerReadOptions, readLedger } from './read.ts';

export interface WantedRoom {
  readonly id: string;
  /** ISO time at which the call begins. */
  readonly at: string;
  readonly purpose: string;
  readonly model: string;
  /** At most. */
  readonly equivalentTokens: number;
  /** Counts for its purpose's share of the session while it is running; nothing unless given. */
  readonly likely?: Amount;
  /** It may pass that share, where it is not reached yet. */
  readonly isLast?: boolean;
  /** It goes on with work that was begun: only the day's cap binds it. */
  readonly isBegun?: boolean;
}

type Refused = Extract<Room, { kind: 'refused' }>;

export type RoomAnswer =
  | { readonly kind: 'reserved' }
  | Refused
  | { readonly kind: 'refused'; readonly reason: 'unavailable'; readonly problem: string };

export interface Ledger {
  /** Before a call in the background: room for it, which its record settles, or why not. Never throws. */
  reserve(wanted: WantedRoom): Promise<RoomAnswer>;
  /** Uncached-equivalent tokens that the day's cap leaves now; nothing is reserved by asking. Throws where the ledger cannot be locked. */
  dayTokensLeft(): Promise<number>;
  /** After every call. Never throws. */
  record(call: CallFacts): void;
  /** What a layer did. Never throws. */
  event(event: EventFacts): void;
  /** What became of a memory. Never throws. */
  memory(facts: MemoryFacts): void;
  close(): void;
}

export interface LedgerOptions {
  readonly home: string;
  readonly session: string;
  /** The project's slug. */
  readonly project: string;
  /** Whether it goes on with a session that may have spent something on earlier days. */
  readonly isResumed?: boolean;
  readonly now: () => Date;
  /** One line for the user; the conversation goes on. */
  readonly onProblem: (problem: ReverieError) => void;
  readonly limits?: Pick<Limits, 'caps' | 'lock' | 'transcripts'>;
}

export function openLedger(options: LedgerOptions): Ledger {
  const { session, project } = options;
  const limits = options.limits ?? LIMITS;
  const folder = homeLayout(options.home).ledger;
  const tally = createTally(session);
  const self = thisProcess();
  let read = { day: '', position: 0 };
  let earlier: Promise<void> | null = null;
  let today: { readonly day: string; readonly file: AppendFile } | null = null;

  function fileOf(day: string): string {
    return join(folder, `${day}.jsonl`);
  }

  function append(day: string, line: string): void {
    if (today === null || today.day < day) {
      today?.file.close();
      const { waitingBytes } = limits.transcripts;
      today = {
        day,
        file: openAppendFile(fileOf(day), { mode: 'append', waitingBytes, onProblem: options.onProblem }),
      };
    }
    if (today.day === day) {
      today.file.append(line);
      return;
    }
    // A call that began before midnight settles what it reserved on that day.
    try {
      appendLine(fileOf(day), line);
    } catch (error) {
      options.onProblem(storageError({ path: fileOf(day), doing: 'append to', error }));
    }
  }

  function writeEvent(event: EventFacts): void {
    const at = options.now().toISOString();
    append(dayOf(at), serializeLine({ type: 'event', at, session, project, ...event }));
  }

  async function catchUp(day: string): Promise<void> {
    // What this session spent until midnight still counts for its share.
    if (read.day !== '') await readOn();
    if (day === read.day) return;
    read = { day, position: 0 };
    tally.startDay(day);
    await readOn();
  }

  /** What a session that goes on has spent before today. Days that are over: read once, and nobody waits at the lock for it. */
  async function lookBack(): Promise<void> {
    const days = { home: options.home, now: options.now(), days: limits.caps.resumedDays + 1, session };
    // A day that cannot be read counts for nothing; the doctor names it.
    for await (const line of readLedger({ ...days, limits: limits.transcripts, onProblem: () => {} })) tally.add(line);
  }

  async function knowEarlier(): Promise<void> {
    if (options.isResumed !== true) return;
    earlier ??= lookBack();
    await earlier;
  }

  /** Only what is new since the last look; a line that is still being written waits for the next one. */
  async function readOn(): Promise<void> {
    const source = await openBytes(fileOf(read.day));
    if (source === null) return;
    if (source.size < read.position) {
      // Someone removed the file, and what others reserved since is in a new one.
      read = { day: read.day, position: 0 };
      tally.startDay(read.day);
    }
    try {
      for await (const line of linesForward(source, { ...limits.transcripts, from: read.position })) {
        if (!line.isWhole) break;
        const parsed = line.text === null ? null : parseLine(line.text);
        if (parsed) tally.add(parsed);
        read.position = line.end;
      }
    } finally {
      await source.close();
    }
  }

  function spentNow() {
    const sums = tally.sums();
    const { staleAfterMs } = limits.lock;
    const isLive = (line: ReservationLine) => mayLive(line, { self, nowMs: options.now().getTime(), staleAfterMs });
    const open = sums.open.filter(isLive);
    return { sums, open, openTokens: open.reduce((sum, line) => sum + line.equivalentTokens, 0) };
  }

  async function underLock<T>(work: (lock: HeldLock) => Promise<T>): Promise<T> {
    const lockFolder = createFolder(join(folder, 'lock'));
    try {
      const patience = { waitMs: limits.caps.lockWaitMs, staleAfterMs: limits.lock.staleAfterMs };
      const lock = await takeLock(lockFolder, patience);
      try {
        return await work(lock);
      } finally {
        await lock.release();
      }
    } finally {
      lockFolder.close();
    }
  }

  async function reserveUnder(lock: HeldLock, wanted: WantedRoom): Promise<Room> {
    const day = dayOf(wanted.at);
    await catchUp(day);
    const { sums, open, openTokens } = spentNow();
    const { purpose, equivalentTokens: wantedTokens } = wanted;
    const sessionOpen = likelyCost(open.filter((line) => line.session === session && line.purpose === purpose));
    const room = decideReservation({
      ...{ sums, openTokens, sessionOpen, purpose, wantedTokens, caps: limits.caps },
      ...{ likely: wanted.likely, isLast: wanted.isLast, isBegun: wanted.isBegun },
    });
    if (room.kind === 'refused') return room;
    if (!lock.stillHeld()) throw new ReverieError({ code: 'locked', message: 'Another process took the ledger over' });
    const { at, isLast: _isLast, isBegun: _isBegun, ...facts } = wanted;
    appendLine(fileOf(day), serializeLine({ type: 'reserved', at, session, project, ...facts, process: self }));
    return room;
  }

  return {
    async reserve(wanted) {
      try {
        await knowEarlier();
        const room = await underLock((lock) => reserveUnder(lock, wanted));
        if (room.kind === 'room') return { kind: 'reserved' };
        writeEvent(capEvent(room, wanted));
        return room;
      } catch (error) {
        return {
          kind: 'refused',
          reason: 'unavailable',
          problem: messageOf(error),
        };
      }
    },
    dayTokensLeft: () =>
      underLock(async () => {
        await catchUp(dayOf(options.now().toISOString()));
        const { sums, openTokens } = spentNow();
        return limits.caps.dayTokens - sums.dayTokens - openTokens;
      }),
    record({ id, at, ...call }) {
      const line = { type: 'call', at, id, session, project, ...call } as const;
      // One that began before midnight settles in a file that is not read any more.
      tally.add(line);
      append(dayOf(at), serializeLine(line));
    },
    event: writeEvent,
    memory(facts) {
      const at = options.now().toISOString();
      append(dayOf(at), serializeLine({ type: 'memory', at, session, project, ...facts }));
    },
    close() {
      today?.file.close();
      today = null;
    },
  };
}

/** The cause is `<cap>: <purpose>: <setting>`. */
function capEvent({ reason, spent, cap, unit, setting }: Refused, wanted: WantedRoom): EventFacts {
  const numbers = { spent, cap, wanted: wanted.equivalentTokens, ...(unit === 'dollars' ? { inDollars: 1 } : {}) };
  return { name: 'cap', numbers, cause: `${reason}: ${wanted.purpose}: ${setting}` };
}

/** Who cannot be asked (another host) is believed for as long as a lock would be. */
function mayLive(
  line: ReservationLine,
  facts: { readonly self: ProcessIdentity; readonly nowMs: number; readonly staleAfterMs: number },
): boolean {
  const liveness = livenessOf(line.process, facts.self);
  if (liveness === 'gone') return false;
  return liveness !== 'cannot-tell' || facts.nowMs - Date.parse(line.at) < facts.staleAfterMs;
}
