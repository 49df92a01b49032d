/** The only way to a model, as a port: every call has a purpose, is counted and priced, and stays within the caps. */

import type { Usage } from '../conversation/message.ts';
import type { CallRecord } from './ledger-port.ts';
import type { Model, ModelEvent, ModelRequest } from './model.ts';
import type { Purpose } from './purpose.ts';

export interface MeteredCall {
  readonly purpose: Purpose;
  /** The agent that makes it, by name, where it is not the conversation's own. */
  readonly agent?: string;
  readonly model: Model;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  /** Asked when a stream was cut in the middle: false once one of its tools has started, so that nothing is done twice. */
  readonly mayRestart?: () => boolean;
  /** How much of the prompt is known to be cached: for estimating a stream that is cut before it reports usage. */
  readonly cachedTokens?: number;
  /** In the background: it cannot be repeated later, so it may start while its purpose's share is not reached, even if it exceeds it. */
  readonly isLast?: boolean;
  /** In the background: it continues work already begun, which would be lost, so its purpose's share does not apply. */
  readonly isBegun?: boolean;
  /** Told what it has cost, however it ended, before its last event. */
  readonly onRecord?: (record: CallRecord) => void;
}

export interface Meter {
  /** Retries temporary failures, with `retry` events; throws a `ModelFailure` for the others. */
  call(call: MeteredCall): AsyncIterable<ModelEvent>;
  /** What this session has spent so far. */
  totals(): MeterTotals;
}

export interface MeterTotals {
  readonly usage: Usage;
  /** US dollars; null once a call used a model without a price. */
  readonly money: number | null;
  readonly calls: number;
  readonly byPurpose: Readonly<Partial<Record<Purpose, { readonly usage: Usage; readonly money: number | null }>>>;
}
