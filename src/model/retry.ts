/** Retries temporary failures: waits as long as the server asks, else longer each time, and never does a thing twice. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Limits, RETRY_LIMITS } from '../limits.ts';
import { isTemporary, ModelFailure } from './failure.ts';
import type { ModelEvent } from './model.ts';

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly limits: Limits['retry'];
  /** Asked when part of the answer was already emitted: false once one of its tools has started. True unless given. */
  readonly mayRestart?: () => boolean;
  /** Whether this model has answered before: if not, what cannot be reached is given up on soon. True unless given. */
  readonly hasAnswered?: boolean;
  /** Ends early when aborted. */
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

export type RetryDecision =
  | { readonly kind: 'again'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly reason: 'permanent' | 'too-often' | 'started' };

/** `retry` events count the pauses, from 1. */
export async function* streamWithRetry(
  attempt: () => AsyncIterable<ModelEvent>,
  options: RetryOptions,
): AsyncIterable<ModelEvent> {
  const { signal, mayRestart = () => true, sleep = sleepUnlessAborted, random = Math.random } = options;
  for (let tries = 1; ; tries++) {
    let hasStreamed = false;
    try {
      for await (const event of attempt()) {
        hasStreamed ||= event.kind !== 'usage';
        yield event;
      }
      return;
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      const limits = { ...options.limits, attempts: attemptsFor(error, options) };
      const canRestart = (!hasStreamed && error.failure !== 'cut') || mayRestart();
      const decision = decideRetry({ failure: error, tries, canRestart, chance: random(), limits });
      if (decision.kind === 'give-up') throw error;
      const { delayMs } = decision;
      const detail = [error.message, error.fix].filter((part) => part !== '').join('; ');
      yield { kind: 'retry', failure: error.failure, attempt: tries, attempts: limits.attempts, delayMs, detail };
      await pause({ delayMs, signal, sleep });
    }
  }
}

/** Nobody was reached, and never was: another try rarely helps, and a wrong address never becomes right. */
function attemptsFor({ failure }: ModelFailure, { limits, hasAnswered = true }: RetryOptions): number {
  const isUnreached = !hasAnswered && (failure === 'network' || failure === 'timeout');
  return isUnreached ? Math.min(limits.attempts, RETRY_LIMITS.unreachedAttempts) : limits.attempts;
}

export function decideRetry(facts: {
  readonly failure: ModelFailure;
  /** How often the request was made, including this failure. */
  readonly tries: number;
  readonly canRestart: boolean;
  /** From 0 up to 1. */
  readonly chance: number;
  readonly limits: Limits['retry'];
}): RetryDecision {
  const { failure, tries, limits } = facts;
  if (!isTemporary(failure.failure)) return { kind: 'give-up', reason: 'permanent' };
  if (tries >= limits.attempts) return { kind: 'give-up', reason: 'too-often' };
  if (!facts.canRestart) return { kind: 'give-up', reason: 'started' };
  if (failure.retryAfterMs !== null) {
    return { kind: 'again', delayMs: Math.min(failure.retryAfterMs, RETRY_LIMITS.longestAskedDelayMs) };
  }
  const fullMs = Math.min(limits.firstDelayMs * 2 ** (tries - 1), limits.longestDelayMs);
  return { kind: 'again', delayMs: Math.round(fullMs * (1 - RETRY_LIMITS.jitterShare * facts.chance)) };
}

/** Ends at once when aborted, whatever `sleep` does. */
async function pause(options: {
  delayMs: number;
  signal: AbortSignal;
  sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
}): Promise<void> {
  const { delayMs, signal, sleep } = options;
  let stopListening = () => {};
  const aborted = new Promise<void>((resolve) => {
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    if (!signal.aborted) await Promise.race([aborted, sleep(delayMs, signal)]);
  } finally {
    stopListening();
  }
  if (signal.aborted) {
    throw new ModelFailure({ failure: 'aborted', message: 'interrupted while waiting to ask the model again' });
  }
}

async function sleepUnlessAborted(delayMs: number, signal: AbortSignal): Promise<void> {
  // Waking up aborted is not an error here: the caller checks the signal.
  await wait(delayMs, undefined, { signal }).catch(() => {});
}
