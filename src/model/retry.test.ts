/** Retrying: what is retried, how long it waits, and that nothing is done twice. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS, RETRY_LIMITS } from '../limits.ts';
import { ModelFailure } from './failure.ts';
import type { FailureKind, ModelEvent } from './model.ts';
import { decideRetry, type RetryOptions, streamWithRetry } from './retry.ts';

const limits = LIMITS.retry;
const text: ModelEvent = { kind: 'text', text: 'half' };
const failure = (kind: FailureKind, retryAfterMs: number | null = null) =>
  new ModelFailure({ failure: kind, message: kind, retryAfterMs });

/** Each attempt gives its events, and fails if the last one is a failure. */
function attempts(...script: readonly (readonly (ModelEvent | ModelFailure)[])[]) {
  let made = 0;
  async function* attempt(): AsyncIterable<ModelEvent> {
    for (const each of script[Math.min(made++, script.length - 1)]!) {
      if (each instanceof ModelFailure) throw each;
      yield each;
    }
  }
  return { attempt, made: () => made };
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<{ events: ModelEvent[]; error: unknown }> {
  const seen: ModelEvent[] = [];
  try {
    for await (const event of events) seen.push(event);
    return { events: seen, error: null };
  } catch (error) {
    return { events: seen, error };
  }
}

function options(changes: Partial<RetryOptions> = {}): RetryOptions & { slept: number[] } {
  const slept: number[] = [];
  const sleep = async (delayMs: number) => {
    slept.push(delayMs);
  };
  return { signal: new AbortController().signal, limits, sleep, random: () => 0, slept, ...changes };
}

describe('streamWithRetry', () => {
  it('passes on what needs no second try', async () => {
    const { attempt, made } = attempts([text, text]);
    expect(await collect(streamWithRetry(attempt, options()))).toEqual({ events: [text, text], error: null });
    expect(made()).toBe(1);
  });

  it('waits twice as long each time, and says so', async () => {
    const { attempt } = attempts([failure('overloaded')], [failure('server')], [failure('network')], [text]);
    const given = options();
    const { events } = await collect(streamWithRetry(attempt, given));
    const detail = expect.any(String);
    expect(events).toEqual([
      {
        kind: 'retry',
        failure: 'overloaded',
        attempt: 1,
        attempts: limits.attempts,
        delayMs: limits.firstDelayMs,
        detail,
      },
      {
        kind: 'retry',
        failure: 'server',
        attempt: 2,
        attempts: limits.attempts,
        delayMs: limits.firstDelayMs * 2,
        detail,
      },
      {
        kind: 'retry',
        failure: 'network',
        attempt: 3,
        attempts: limits.attempts,
        delayMs: limits.firstDelayMs * 4,
        detail,
      },
      text,
    ]);
    expect(given.slept).toEqual([1, 2, 4].map((times) => limits.firstDelayMs * times));
  });

  it('gives up soon on a server that was never reached, and asks on where it answered before', async () => {
    const triesOf = async (hasAnswered: boolean) => {
      const { attempt, made } = attempts([failure('network')]);
      await collect(streamWithRetry(attempt, options({ hasAnswered })));
      return made();
    };
    expect(await triesOf(false)).toBe(RETRY_LIMITS.unreachedAttempts);
    expect(await triesOf(true)).toBe(limits.attempts);
  });

  it.each<FailureKind>(['overloaded', 'rate-limited', 'server', 'network', 'timeout', 'cut'])(
    'gives up on %s after the last try, with that failure',
    async (kind) => {
      const last = failure(kind);
      const { attempt, made } = attempts([last]);
      const { error } = await collect(streamWithRetry(attempt, options({ limits: { ...limits, attempts: 4 } })));
      expect(error).toBe(last);
      expect(made()).toBe(4);
    },
  );

  it.each<FailureKind>(['too-long', 'authentication', 'billing', 'unknown-model', 'invalid', 'aborted', 'cap'])(
    'never retries %s',
    async (kind) => {
      const { attempt, made } = attempts([failure(kind)], [text]);
      const { error } = await collect(streamWithRetry(attempt, options()));
      expect(error).toMatchObject({ failure: kind });
      expect(made()).toBe(1);
    },
  );

  it.each<FailureKind>(['cut', 'overloaded'])('does not restart a stream that a tool came from: %s', async (kind) => {
    const { attempt, made } = attempts([text, failure(kind)], [text]);
    const { events, error } = await collect(streamWithRetry(attempt, options({ mayRestart: () => false })));
    expect(events).toEqual([text]);
    expect(error).toMatchObject({ failure: kind });
    expect(made()).toBe(1);
  });

  it('restarts a cut stream if nothing has begun', async () => {
    const { attempt } = attempts([text, failure('cut')], [text]);
    const { events } = await collect(streamWithRetry(attempt, options({ mayRestart: () => true })));
    expect(events.map(({ kind }) => kind)).toEqual(['text', 'retry', 'text']);
  });

  it('does not ask about tools when nothing was streamed', async () => {
    const { attempt } = attempts([failure('overloaded')], [text]);
    const { error } = await collect(streamWithRetry(attempt, options({ mayRestart: () => false })));
    expect(error).toBeNull();
  });

  it('ends at once when aborted during a pause, even in a sleep that does not listen', async () => {
    const controller = new AbortController();
    const sleep = () => new Promise<void>(() => setImmediate(() => controller.abort()));
    const { attempt, made } = attempts([failure('overloaded')], [text]);
    const { error } = await collect(streamWithRetry(attempt, options({ signal: controller.signal, sleep })));
    expect(error).toMatchObject({ failure: 'aborted' });
    expect(made()).toBe(1);
  });

  it('ends a real pause when aborted', async () => {
    const controller = new AbortController();
    const { attempt } = attempts([failure('rate-limited', RETRY_LIMITS.longestAskedDelayMs)]);
    const running = collect(
      streamWithRetry(attempt, { signal: controller.signal, limits: { ...limits, firstDelayMs: 60_000 } }),
    );
    setImmediate(() => controller.abort());
    expect((await running).error).toMatchObject({ failure: 'aborted' });
  });

  it('throws anything but a model failure unchanged', async () => {
    const bug = new TypeError('a bug');
    // biome-ignore lint/correctness/useYield: it fails before it could.
    const attempt = async function* (): AsyncIterable<ModelEvent> {
      throw bug;
    };
    expect((await collect(streamWithRetry(attempt, options()))).error).toBe(bug);
  });
});

describe('decideRetry', () => {
  const decide = (facts: Partial<Parameters<typeof decideRetry>[0]>) =>
    decideRetry({ failure: failure('overloaded'), tries: 1, canRestart: true, chance: 0, limits, ...facts });

  it('waits as long as the server asks, up to a limit', () => {
    expect(decide({ failure: failure('rate-limited', 3_000) })).toEqual({ kind: 'again', delayMs: 3_000 });
    expect(decide({ failure: failure('rate-limited', 86_400_000) })).toEqual({
      kind: 'again',
      delayMs: RETRY_LIMITS.longestAskedDelayMs,
    });
  });

  it('names its reason', () => {
    expect(decide({ failure: failure('invalid') })).toEqual({ kind: 'give-up', reason: 'permanent' });
    expect(decide({ tries: limits.attempts })).toEqual({ kind: 'give-up', reason: 'too-often' });
    expect(decide({ canRestart: false })).toEqual({ kind: 'give-up', reason: 'started' });
  });

  it('never waits longer than the longest pause, nor shorter than chance may make it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, chance) => {
        const decision = decide({ tries, chance });
        if (decision.kind !== 'again') throw new Error('expected another try');
        const full = Math.min(limits.firstDelayMs * 2 ** (tries - 1), limits.longestDelayMs);
        expect(decision.delayMs).toBeLessThanOrEqual(full);
        expect(decision.delayMs).toBeGreaterThanOrEqual(Math.floor(full * (1 - RETRY_LIMITS.jitterShare)));
      }),
    );
  });
});
