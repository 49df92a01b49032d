/** The only way to a model, as a port: every call has a purpose, is counted and priced, and keeps to the caps. */

import type { Usage } from '../conversation/message.ts';
import type { Model, ModelEvent, ModelRequest } from './model.ts';
import type { Purpose } from './purpose.ts';

export interface MeteredCall {
  readonly purpose: Purpose;
  readonly model: Model;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  /** Asked when a stream was cut in the middle: false once a tool of it has started, so that nothing is done twice. */
  readonly mayRestart?: () => boolean;
  /** So much of the prompt is known to be in the cache: for the reckoning of a stream that is cut before it tells. */
  readonly cachedTokens?: number;
  /** In the background: it cannot be made up for later, so it may start where its purpose's share is not reached, though it passes it. */
  readonly isLast?: boolean;
  /** In the background: it goes on with work that was begun, which would be lost, so its purpose's share is not asked. */
  readonly isBegun?: boolean;
}

export interface Meter {
  /** Tries again on what passes, with `retry` events; throws a `ModelFailure` when it does not. */
  call(call: MeteredCall): AsyncIterable<ModelEvent>;
  /** What this session has spent so far. */
  totals(): MeterTotals;
}

export interface MeterTotals {
  readonly usage: Usage;
  /** US dollars; null once a call had a model without a price. */
  readonly money: number | null;
  readonly calls: number;
  readonly byPurpose: Readonly<Partial<Record<Purpose, { readonly usage: Usage; readonly money: number | null }>>>;
}
