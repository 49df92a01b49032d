/** What the meter needs from the ledger: room before a background call, and a line after every call. */

import type { Usage } from '../conversation/message.ts';
import type { FailureKind } from './model.ts';
import type { Purpose } from './purpose.ts';

export interface WantedCall {
  readonly id: string;
  /** ISO time at which the call begins; it belongs to that day. */
  readonly at: string;
  readonly purpose: Purpose;
  readonly model: string;
  /** At most this, as tokens of uncached input. */
  readonly equivalentTokens: number;
  /** With the cache, and an answer of the usual length; no money if the model has no price. */
  readonly likely: { readonly tokens: number; readonly money: number | null };
  /** It may exceed its purpose's share of the session, if that is not reached yet. */
  readonly isLast: boolean;
  /** It continues work already begun: only the day's cap applies. */
  readonly isBegun: boolean;
}

export type ReservationAnswer =
  | { readonly kind: 'reserved' }
  | {
      readonly kind: 'refused';
      readonly reason: 'day' | 'session';
      readonly spent: number;
      readonly cap: number;
      readonly unit: 'tokens' | 'dollars';
      /** The setting that the cap comes from. */
      readonly setting: string;
    }
  /** Nothing can be reserved: the ledger cannot be locked or written. */
  | { readonly kind: 'refused'; readonly reason: 'unavailable'; readonly problem: string };

/** `abandoned`: the listener stopped; `error`: something other than a model failure. */
export type CallOutcome = 'done' | FailureKind | 'abandoned' | 'error';

export interface CallNotes {
  readonly saved?: { readonly tokens: number };
  readonly broke?: { readonly tokens: number; readonly cause: string };
  /** What the window was made of, answer included (conversation/composition.ts). */
  readonly parts?: string;
}

export interface CallRecord extends CallNotes {
  readonly id: string;
  readonly at: string;
  readonly purpose: Purpose;
  readonly agent?: string;
  /** Whether the caps apply to it. */
  readonly background: boolean;
  readonly model: string;
  readonly usage: Usage;
  /** Part of the usage was estimated, since the stream ended before reporting it. */
  readonly estimated?: true;
  readonly equivalentTokens: number;
  /** US dollars; null when the model has no price. */
  readonly money: number | null;
  readonly milliseconds: number;
  readonly outcome: CallOutcome;
}

export interface LedgerPort {
  reserve(wanted: WantedCall): Promise<ReservationAnswer>;
  /** Settles the reservation of the same id. Never throws. */
  record(call: CallRecord): void;
}
