/** Sums over lines of the ledger, kept up as they come, and whether they leave room for a call in the background. */

import type { Limits } from '../../limits.ts';
import { dayOf, type LedgerLine, type ReservationLine } from './line.ts';

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
  /** Background work, by purpose. */
  readonly sessionSpent: ReadonlyMap<string, Amount>;
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
  const spent = new Map<string, Amount>();
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
      if (line.background) spent.set(line.purpose, plus(spent.get(line.purpose) ?? NOTHING, amount));
      else main = plus(main, amount);
    },
    startDay(day) {
      today = day;
      dayTokens = 0;
      open = new Map();
      ofDay = new Set();
    },
    sums: () => ({ dayTokens, open: [...open.values()], sessionMain: main, sessionSpent: spent }),
  };
}

/** What calls that are running are likely to cost. */
export function likelyCost(open: readonly ReservationLine[]): Amount {
  return open.map(({ likely }) => likely ?? NOTHING).reduce(plus, NOTHING);
}

function plus(one: Amount, other: Amount): Amount {
  const money = one.money === null || other.money === null ? null : one.money + other.money;
  return { tokens: one.tokens + other.tokens, money };
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
  /** Of processes that live: of all sessions at most. */
  readonly openTokens: number;
  /** What calls of the same purpose that are running in this session are likely to cost. */
  readonly sessionOpen: Amount;
  readonly purpose: string;
  /** At most. */
  readonly wantedTokens: number;
  /** What the call that is wanted should cost; nothing unless given. */
  readonly likely?: Amount | undefined;
  /** It cannot be made up for later. */
  readonly isLast?: boolean | undefined;
  /** It goes on with work that was begun. */
  readonly isBegun?: boolean | undefined;
  readonly caps: Caps;
}

type Shares = 'recallShare' | 'notesShare' | 'extractionShare' | 'progressShare';
type Caps = Pick<Limits['caps'], 'dayTokens' | 'floorTokens' | Shares>;

/** A dream is not here: it belongs to no session, and has a cap of its own. */
const SHARES: ReadonlyMap<string, Shares> = new Map([
  ['recall', 'recallShare'],
  ['notes', 'notesShare'],
  ['extraction', 'extractionShare'],
  ['progress', 'progressShare'],
]);

/**
 * The day's cap is never passed, so what is open and what is wanted count in full. A purpose's share of a session is told by
 * what its calls did cost, and those running and the one that is wanted are likely to: the most that they could cost would
 * keep every short session from any background work. The last call of its kind may pass the share, which the others left.
 */
export function decideReservation(facts: ReservationFacts): Room {
  const { sums, caps } = facts;
  const spent = sums.dayTokens + facts.openTokens;
  if (spent + facts.wantedTokens > caps.dayTokens) {
    const setting = 'limits.caps.dayTokens';
    return { kind: 'refused', reason: 'day', spent, cap: caps.dayTokens, unit: 'tokens', setting };
  }
  const share = SHARES.get(facts.purpose);
  return share === undefined || facts.isBegun === true ? { kind: 'room' } : decideShare(facts, share);
}

/** By money where all of it has a price; the floor is one of tokens. */
function decideShare(facts: ReservationFacts, share: Shares): Room {
  const { sums, sessionOpen, purpose, caps } = facts;
  const wanted = facts.isLast === true ? NOTHING : (facts.likely ?? NOTHING);
  const fits = (spent: number, more: number, cap: number) => spent < cap && spent + more <= cap;
  const used = plus(sums.sessionSpent.get(purpose) ?? NOTHING, sessionOpen);
  const main = sums.sessionMain;
  const isPriced = used.money !== null && wanted.money !== null && main.money !== null && main.money > 0;
  const [spent, more, cap] = isPriced
    ? [used.money!, wanted.money!, main.money! * caps[share]]
    : [used.tokens, wanted.tokens, main.tokens * caps[share]];
  if (fits(used.tokens, wanted.tokens, caps.floorTokens) || fits(spent, more, cap)) return { kind: 'room' };
  if (main.tokens * caps[share] <= caps.floorTokens) {
    const setting = 'limits.caps.floorTokens';
    return { ...REFUSED, spent: used.tokens, cap: caps.floorTokens, unit: 'tokens', setting };
  }
  return { ...REFUSED, spent, cap, unit: isPriced ? 'dollars' : 'tokens', setting: `limits.caps.${share}` };
}

const REFUSED = { kind: 'refused', reason: 'session' } as const;
