/** Sums over lines of the ledger, kept up as they come, and whether they leave room for a call in the background. */

import type { Limits } from '../limits.ts';
import { dayOf, type LedgerLine, type ReservationLine } from './ledger-line.ts';

export interface Amount {
  readonly tokens: number;
  /** Null once a part of it had no price. */
  readonly money: number | null;
}

export interface LedgerSums {
  /** Background work of one day, in uncached-equivalent tokens. */
  readonly dayTokens: number;
  /** Reservations of that day without their call. */
  readonly open: readonly ReservationLine[];
  /** Of one session, since this process looked first. */
  readonly sessionMain: Amount;
  readonly sessionBackground: Amount;
}

export interface LedgerTally {
  /** However often it is given a line, a call counts once. */
  add(line: LedgerLine): void;
  /** The day's lines are read from their beginning; the session goes on. */
  startDay(day: string): void;
  sums(): LedgerSums;
}

const NOTHING: Amount = { tokens: 0, money: 0 };

export function createTally(session: string): LedgerTally {
  let today = '';
  let dayTokens = 0;
  let open = new Map<string, ReservationLine>();
  let main = NOTHING;
  let background = NOTHING;
  /** Ids of calls that are in the sums: when the clock is set back, a day is read again. */
  let ofDay = new Set<string>();
  const ofSession = new Set<string>();

  return {
    add(line) {
      if (line.type === 'reserved' && dayOf(line.at) === today) open.set(line.id, line);
      if (line.type !== 'call') return;
      open.delete(line.id);
      const amount = { tokens: line.equivalentTokens, money: line.money };
      if (line.background && dayOf(line.at) === today && !ofDay.has(line.id)) {
        ofDay.add(line.id);
        dayTokens += amount.tokens;
      }
      if (line.session !== session || ofSession.has(line.id)) return;
      ofSession.add(line.id);
      if (line.background) background = plus(background, amount);
      else main = plus(main, amount);
    },
    startDay(day) {
      today = day;
      dayTokens = 0;
      open = new Map();
      ofDay = new Set();
    },
    sums: () => ({ dayTokens, open: [...open.values()], sessionMain: main, sessionBackground: background }),
  };
}

/** What calls that are under way are likely to cost. */
export function likelyCost(open: readonly ReservationLine[]): Amount {
  return open.map(({ likely }) => likely ?? NOTHING).reduce(plus, NOTHING);
}

function plus(one: Amount, other: Amount): Amount {
  const money = one.money === null || other.money === null ? null : one.money + other.money;
  return { tokens: one.tokens + other.tokens, money };
}

export interface RoomLeft {
  /** Uncached-equivalent tokens. */
  readonly dayTokens: number;
  /** Null where there is no main conversation to be a share of. */
  readonly session: { readonly left: number; readonly unit: 'tokens' | 'dollars' } | null;
}

/** What the caps leave for work in the background; below zero where they were passed. */
export function roomLeftBy(facts: Omit<ReservationFacts, 'wantedTokens'>): RoomLeft {
  const { sums, caps, openTokens } = facts;
  const { cost, used, unit } = shareOf(facts);
  return {
    dayTokens: caps.dayTokens - sums.dayTokens - openTokens,
    session: cost === 0 ? null : { left: cost * caps.sessionShare - used, unit },
  };
}

/** By money where all of it has a price. */
function shareOf({ sums, sessionOpen }: Pick<ReservationFacts, 'sums' | 'sessionOpen'>) {
  const main = sums.sessionMain;
  const background = plus(sums.sessionBackground, sessionOpen);
  const byMoney = background.money !== null && main.money !== null && main.money > 0;
  return byMoney
    ? ({ cost: main.money, used: background.money, unit: 'dollars' } as const)
    : ({ cost: main.tokens, used: background.tokens, unit: 'tokens' } as const);
}

export type Room =
  | { readonly kind: 'room' }
  | {
      readonly kind: 'refused';
      readonly reason: 'day' | 'session';
      readonly spent: number;
      readonly cap: number;
      readonly unit: 'tokens' | 'dollars';
      readonly setting: string;
    };

export interface ReservationFacts {
  readonly sums: Omit<LedgerSums, 'open'>;
  /** Of processes that live: of all sessions at most, and what is likely of this one. */
  readonly openTokens: number;
  readonly sessionOpen: Amount;
  readonly wantedTokens: number;
  readonly caps: Pick<Limits['caps'], 'dayTokens' | 'sessionShare'>;
}

/**
 * The day's cap is never passed, so what is open and what is wanted count in full. A session's share is told by what its
 * calls did cost and those under way are likely to: the one that is wanted may pass it, since the most that it could cost
 * would keep every short session from any background work.
 */
export function decideReservation(facts: ReservationFacts): Room {
  const { sums, caps } = facts;
  const spent = sums.dayTokens + facts.openTokens;
  if (spent + facts.wantedTokens > caps.dayTokens) {
    const setting = 'limits.caps.dayTokens';
    return { kind: 'refused', reason: 'day', spent, cap: caps.dayTokens, unit: 'tokens', setting };
  }
  const { cost, used, unit } = shareOf(facts);
  // Without a main conversation (a dream by hand) there is nothing to be a share of.
  if (cost === 0 || used < cost * caps.sessionShare) return { kind: 'room' };
  const setting = 'limits.caps.sessionShare';
  return { kind: 'refused', reason: 'session', spent: used, cap: cost * caps.sessionShare, unit, setting };
}
