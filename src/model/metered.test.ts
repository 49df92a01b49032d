/** Every call is counted, priced and kept within the caps, however it ends. */

import { describe, expect, it } from 'vitest';
import { NO_USAGE, type Usage } from '../conversation/message.ts';
import { CAP_LIMITS, LIMITS } from '../limits.ts';
import { ModelFailure } from './failure.ts';
import type { CallRecord, LedgerPort, ReservationAnswer, WantedCall } from './ledger-port.ts';
import type { MeteredCall } from './meter.ts';
import { createMeter, type MeterParts } from './metered.ts';
import { equivalentTokens } from './metered-usage.ts';
import type { Model, ModelEvent, ModelRequest } from './model.ts';
import type { Purpose } from './purpose.ts';
import { scriptedModel } from './scripted.ts';

const PRICE = { input: 1, output: 10, cacheRead: 0.1, cacheWrite5m: 1.25, cacheWrite1h: 2 };

const REQUEST: ModelRequest = {
  system: [{ text: 'x'.repeat(400) }],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'y'.repeat(4_000) }] }],
  thinking: { kind: 'off' },
  toolChoice: 'auto',
  maxOutputTokens: 500,
  cache: { ttl: '5m', breakpoints: [0] },
};
/** What REQUEST is estimated at: four bytes a token. */
const INPUT_TOKENS = 1_100;

function usage(parts: Partial<Usage>): Usage {
  return { ...NO_USAGE, ...parts };
}

function setUp(parts: Partial<MeterParts> & { readonly answer?: ReservationAnswer } = {}) {
  const lines: CallRecord[] = [];
  const wanted: WantedCall[] = [];
  const ledger: LedgerPort = {
    async reserve(call) {
      wanted.push(call);
      return parts.answer ?? { kind: 'reserved' };
    },
    record: (call) => void lines.push(call),
  };
  let milliseconds = 0;
  const now = () => {
    milliseconds += 10;
    return new Date(Date.UTC(2026, 0, 1) + milliseconds);
  };
  const sleep = async () => {};
  const priceOf = (name: string) => (name === 'unpriced' ? null : PRICE);
  return { lines, wanted, meter: createMeter({ ledger, limits: LIMITS, now, sleep, priceOf, ...parts }) };
}

function callOf(model: Model, options: Partial<MeteredCall> = {}): MeteredCall {
  return { purpose: 'main', model, request: REQUEST, signal: new AbortController().signal, ...options };
}

async function allOf(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A model that streams some words, after an initial count, and waits until it is aborted. */
function endlessModel(words: readonly string[], counted?: Usage): Model & { readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  const base = scriptedModel({ steps: [] });
  return {
    ...base,
    signals,
    async *stream(_, { signal }) {
      signals.push(signal);
      if (counted) yield { kind: 'usage', usage: counted };
      for (const text of words) yield { kind: 'text', text };
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw new ModelFailure({ failure: 'aborted', message: 'aborted' });
    },
  };
}

describe('a call', () => {
  it('leaves a line with usage, money and time, and counts in the totals', async () => {
    const { lines, meter, wanted } = setUp({ newId: () => 'id-1' });
    const spent = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 10_000, cacheWriteTokens: 0 };
    const model = scriptedModel({ name: 'priced', steps: [{ text: 'Hello', usage: spent }] });
    const events = await allOf(meter.call(callOf(model)));
    expect(events.at(-1)?.kind).toBe('response');
    const money = (1_000 * 1 + 100 * 10 + 10_000 * 0.1) / 1_000_000;
    expect(lines).toEqual([
      {
        ...{ id: 'id-1', at: '2026-01-01T00:00:00.010Z', purpose: 'main', background: false, model: 'priced' },
        ...{ usage: usage(spent), equivalentTokens: 2_500, money, milliseconds: 10, outcome: 'done' },
      },
    ]);
    expect(wanted).toEqual([]);
    const one = { usage: usage(spent), money };
    expect(meter.totals()).toEqual({ ...one, calls: 1, byPurpose: { main: one } });
  });

  it('has no money without a price, and neither have the totals from then on', async () => {
    const { lines, meter } = setUp();
    const steps = [{ text: 'one' }, { text: 'two' }];
    await allOf(meter.call(callOf(scriptedModel({ name: 'priced', steps }))));
    expect(meter.totals().money).toBeGreaterThan(0);
    await allOf(meter.call(callOf(scriptedModel({ name: 'unpriced', steps }), { purpose: 'agent' })));
    expect(lines.map(({ money }) => money === null)).toEqual([false, true]);
    expect(meter.totals().money).toBeNull();
    expect(meter.totals().byPurpose.main?.money).toBeGreaterThan(0);
  });

  it('is in the ledger when its answer is emitted, even if the caller asks for nothing more', async () => {
    const { lines, meter } = setUp();
    const events = meter.call(callOf(scriptedModel({ steps: [{ text: 'Hello' }] })))[Symbol.asyncIterator]();
    while ((await events.next()).value?.kind !== 'response');
    expect(lines.map(({ outcome }) => outcome)).toEqual(['done']);
  });

  it('that is retried is one line', async () => {
    const { lines, meter } = setUp();
    const model = scriptedModel({ steps: [{ fail: 'overloaded' }, { fail: 'network' }, { text: 'Hello' }] });
    const events = await allOf(meter.call(callOf(model)));
    expect(events.filter(({ kind }) => kind === 'retry')).toHaveLength(2);
    expect(lines.map(({ outcome, estimated }) => [outcome, estimated])).toEqual([['done', undefined]]);
  });

  it('counts what was streamed in vain', async () => {
    const { lines, meter } = setUp();
    const steps = [
      { text: 'z'.repeat(400), tools: [], cutAfter: 1 },
      { text: 'Hello', usage: { inputTokens: 7, outputTokens: 3, cacheWriteTokens: 0, cacheReadTokens: 0 } },
    ];
    await allOf(meter.call(callOf(scriptedModel({ steps }))));
    const expected = usage({ inputTokens: INPUT_TOKENS + 7, outputTokens: 100 + 3 });
    expect(lines).toMatchObject([{ usage: expected, estimated: true, outcome: 'done' }]);
  });

  it('that fails is a line with the kind of failure', async () => {
    const { lines, meter } = setUp();
    const model = scriptedModel({ steps: [{ fail: 'authentication' }] });
    await expect(allOf(meter.call(callOf(model)))).rejects.toMatchObject({ failure: 'authentication' });
    expect(lines).toMatchObject([{ outcome: 'authentication', usage: NO_USAGE, money: 0 }]);
    const broken: Model = {
      ...model,
      // biome-ignore lint/correctness/useYield: it fails before the first event
      async *stream() {
        throw new TypeError('a mistake of ours');
      },
    };
    await expect(allOf(meter.call(callOf(broken)))).rejects.toThrow('a mistake of ours');
    const silent: Model = { ...model, async *stream() {} };
    await expect(allOf(meter.call(callOf(silent)))).rejects.toMatchObject({ failure: 'cut' });
    expect(lines.map(({ outcome }) => outcome)).toEqual(['authentication', 'error', 'cut']);
    expect(meter.totals().calls).toBe(3);
  });

  it("gets from its watcher what it saved or broke, and survives the watcher's errors", async () => {
    const broke = { tokens: 5, cause: 'TTL' };
    const { lines, meter } = setUp({
      onCall(_, { purpose }) {
        if (purpose === 'main') return { broke };
        throw new Error('watching went wrong');
      },
    });
    const model = scriptedModel({ steps: [{ text: 'one' }, { text: 'two' }] });
    await allOf(meter.call(callOf(model)));
    await allOf(meter.call(callOf(model, { purpose: 'agent' })));
    expect(lines.map((line) => line.broke)).toEqual([broke, undefined]);
  });
});

describe('a call that nobody listens to any more', () => {
  it('is aborted and recorded, with what it must have cost', async () => {
    const { lines, meter } = setUp();
    const model = endlessModel(['z'.repeat(200), 'z'.repeat(200)]);
    for await (const event of meter.call(callOf(model, { purpose: 'extraction' }))) if (event.kind === 'text') break;
    expect(model.signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(lines).toMatchObject([
      { outcome: 'abandoned', estimated: true, usage: usage({ inputTokens: INPUT_TOKENS, outputTokens: 50 }) },
    ]);
  });

  it.each<[string, Partial<Usage>, Partial<Usage>]>([
    [
      'what was counted of the prompt',
      { inputTokens: 2, cacheReadTokens: 900, cacheWriteTokens: 90, outputTokens: 1 },
      { inputTokens: 2, cacheReadTokens: 900, cacheWriteTokens: 90, outputTokens: 50 },
    ],
    ['all that was counted', { cacheReadTokens: 900, outputTokens: 80 }, { cacheReadTokens: 900, outputTokens: 80 }],
    ['an estimate where nothing was', { outputTokens: 1 }, { inputTokens: INPUT_TOKENS, outputTokens: 50 }],
  ])('is booked with %s', async (_, counted, booked) => {
    const { lines, meter } = setUp();
    const user = new AbortController();
    const seen: string[] = [];
    const model = endlessModel(['z'.repeat(200)], usage(counted));
    const reading = (async () => {
      for await (const { kind } of meter.call(callOf(model, { signal: user.signal }))) {
        seen.push(kind);
        user.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ failure: 'aborted' });
    expect(lines).toMatchObject([{ outcome: 'aborted', estimated: true, usage: usage(booked) }]);
    expect(meter.totals().usage).toEqual(usage(booked));
    expect(seen).toEqual(['text']);
  });

  it('ends even if its model is silent', async () => {
    const { lines, meter } = setUp();
    const model = endlessModel([]);
    const events = meter.call(callOf(model))[Symbol.asyncIterator]();
    const next = events.next();
    next.catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    await events.return?.();
    await expect(next).rejects.toMatchObject({ failure: 'aborted' });
    expect(model.signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(lines).toMatchObject([{ outcome: 'abandoned', usage: NO_USAGE, money: 0 }]);
  });

  it('is distinguished from one that the user interrupted', async () => {
    const { lines, meter } = setUp();
    const user = new AbortController();
    const events = meter.call(callOf(endlessModel(['a']), { signal: user.signal }))[Symbol.asyncIterator]();
    await events.next();
    user.abort();
    await expect(events.next()).rejects.toMatchObject({ failure: 'aborted' });
    expect(lines.map(({ outcome }) => outcome)).toEqual(['aborted']);
  });

  it('is not made when it was interrupted before', async () => {
    const { lines, wanted, meter } = setUp();
    const model = endlessModel([]);
    const events = meter.call(callOf(model, { signal: AbortSignal.abort(), purpose: 'notes' }));
    await expect(allOf(events)).rejects.toMatchObject({ failure: 'aborted' });
    expect([lines, wanted, model.signals]).toEqual([[], [], []]);
  });

  it('is assumed to have read what the conversation’s last call left in the cache', async () => {
    const { lines, meter } = setUp();
    const spent = { inputTokens: 0, cacheWriteTokens: 1_000, cacheReadTokens: 0, outputTokens: 1 };
    const first = scriptedModel({ steps: [{ text: 'a', usage: spent }] });
    await allOf(meter.call(callOf(first)));
    for await (const _ of meter.call(callOf(endlessModel(['z'.repeat(40)])))) break;
    const expected = usage({ inputTokens: INPUT_TOKENS - 1_000, cacheReadTokens: 1_000, outputTokens: 10 });
    expect(lines[1]).toMatchObject({ outcome: 'abandoned', usage: expected });
  });
});

describe('background work', () => {
  const PURPOSES: readonly [Purpose, boolean][] = [
    ['main', false],
    ['agent', false],
    ['compaction', false],
    ['recall', true],
    ['notes', true],
    ['extraction', true],
    ['dream', true],
    ['progress', true],
  ];

  it.each(PURPOSES)('%s reserves: %s', async (purpose, reserves) => {
    const { lines, wanted, meter } = setUp();
    await allOf(meter.call(callOf(scriptedModel({ steps: [{ text: 'a' }] }), { purpose })));
    const most = INPUT_TOKENS + 5 * REQUEST.maxOutputTokens;
    expect(wanted.map((call) => call.equivalentTokens)).toEqual(reserves ? [most] : []);
    expect(lines).toMatchObject([{ purpose, background: reserves }]);
    if (reserves) expect(wanted[0]?.id).toBe(lines[0]?.id);
  });

  it('gives the expected cost: using the cache if it is marked, and with a short answer', async () => {
    const { wanted, meter } = setUp();
    const model = scriptedModel({ steps: [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }, { text: 'e' }] });
    const ask = (purpose: Purpose, options: Partial<MeteredCall> = {}) =>
      allOf(meter.call(callOf(model, { purpose, ...options })));
    const request = { ...REQUEST, maxOutputTokens: 8_000 };
    await ask('extraction', { request });
    await ask('main');
    await ask('extraction', { request });
    await ask('recall', { request: { ...REQUEST, maxOutputTokens: 100, cache: { ttl: '5m', breakpoints: [] } } });
    await ask('dream', { request, cachedTokens: 600 });
    const { likelyOutputTokens } = LIMITS.caps;
    const answer = CAP_LIMITS.outputWeight * likelyOutputTokens;
    const prompt = (read: number) =>
      read * CAP_LIMITS.cacheReadWeight + (INPUT_TOKENS - read) * CAP_LIMITS.cacheWriteWeight;
    const expected = [
      prompt(0) + answer,
      // The conversation has sent the same prompt meanwhile.
      prompt(INPUT_TOKENS) + answer,
      INPUT_TOKENS + 100 * CAP_LIMITS.outputWeight,
      prompt(600) + answer,
    ];
    expect(wanted.map(({ likely }) => likely.tokens)).toEqual(expected.map((tokens) => expect.closeTo(tokens)));
    expect(wanted.every(({ likely }) => likely.money !== null && likely.money > 0)).toBe(true);
  });

  it.each<[string, Extract<ReservationAnswer, { kind: 'refused' }>, string, string]>([
    [
      'the day’s cap',
      {
        kind: 'refused',
        reason: 'day',
        spent: 999_000,
        cap: 1_000_000,
        unit: 'tokens',
        setting: 'limits.caps.dayTokens',
      },
      '999,000 of 1,000,000 tokens; dream did not start',
      'limits.caps.dayTokens',
    ],
    [
      'the session’s share',
      {
        kind: 'refused',
        reason: 'session',
        spent: 0.3,
        cap: 0.25,
        unit: 'dollars',
        setting: 'limits.caps.extractionShare',
      },
      '$0.3000 of $0.2500',
      'limits.caps.extractionShare',
    ],
    [
      'a ledger that cannot be had',
      { kind: 'refused', reason: 'unavailable', problem: 'the disk is full' },
      'the disk is full',
      'reverie doctor',
    ],
  ])('does not start beyond %s, and says what to do', async (_, answer, message, fix) => {
    const { lines, meter } = setUp({ answer });
    const model = scriptedModel({ steps: [{ text: 'never' }] });
    await expect(allOf(meter.call(callOf(model, { purpose: 'dream' })))).rejects.toMatchObject({
      ...{ failure: 'cap', message: expect.stringContaining(message), fix: expect.stringContaining(fix) },
    });
    expect([model.requests, lines, meter.totals().calls]).toEqual([[], [], 0]);
  });
});

describe('uncached-equivalent tokens', () => {
  it.each<[Partial<Usage>, number]>([
    [{ inputTokens: 100 }, 100],
    [{ outputTokens: 100 }, 500],
    [{ cacheReadTokens: 100 }, 10],
    [{ cacheWriteTokens: 100 }, 125],
    [{ cacheWriteTokens: 100, cacheWriteHourTokens: 100 }, 200],
    [{ cacheWriteTokens: 100, cacheWriteHourTokens: 40 }, 155],
  ])('of %j are %d', (parts, expected) => {
    expect(equivalentTokens(usage(parts))).toBeCloseTo(expected, 9);
  });
});

describe('an answer that says more than any model does', () => {
  it.each([
    ['in words', { kind: 'text', text: 'x'.repeat(100_000) }],
    [
      'in the input of tools',
      { kind: 'block', block: { type: 'tool_use', id: 'a', name: 'Write', input: { content: 'x'.repeat(100_000) } } },
    ],
  ] satisfies [string, ModelEvent][])('is cut off %s, and not asked for again', async (_where, event) => {
    let asked = 0;
    const endless: Model = {
      ...scriptedModel({ steps: [] }),
      async *stream() {
        asked += 1;
        for (let count = 0; count < 1_000; count += 1) yield event;
      },
    };
    const { meter, lines } = setUp();
    await expect(allOf(meter.call(callOf(endless)))).rejects.toThrow('more than 4,000,000 characters');
    expect(asked).toBe(1);
    expect(lines).toMatchObject([{ outcome: 'invalid' }]);
  });
});
