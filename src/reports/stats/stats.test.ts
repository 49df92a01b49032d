import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_USAGE, type Usage } from '../../conversation/message.ts';
import { isBackground, PURPOSES, type Purpose } from '../../model/purpose.ts';
import { type CountedLine, createStatsCounter, type Proof } from './stats.ts';

type Call = Extract<CountedLine, { kind: 'call' }>;

function call(fields: Partial<Call> & { readonly tokens?: Partial<Usage> } = {}): Call {
  const { tokens, ...others } = fields;
  return {
    ...{ kind: 'call', at: '2026-03-05T10:00:00.000Z', session: 's1', purpose: 'main', agent: null, model: 'm1' },
    ...{ usage: { ...NO_USAGE, ...tokens }, money: 1, milliseconds: 100, isDone: true },
    isBackground: isBackground((others.purpose ?? 'main') as Purpose),
    ...others,
  };
}

function statsOf(lines: readonly CountedLine[]) {
  const counter = createStatsCounter();
  for (const line of lines) counter.add(line);
  return counter.stats();
}

describe('the headline', () => {
  it('is the share of the prompt that came from the cache, only for conversations', () => {
    const lines = [
      call({ tokens: { inputTokens: 10, cacheReadTokens: 60, cacheWriteTokens: 30, outputTokens: 1_000 } }),
      call({ purpose: 'agent', tokens: { cacheReadTokens: 100 } }),
      call({ purpose: 'extraction', tokens: { inputTokens: 9_999 } }),
      call({ isDone: false, tokens: { inputTokens: 9_999 } }),
    ];
    expect(statsOf(lines)).toMatchObject({ cacheHitShare: 0.8, rounds: 2, sessions: 1 });
  });

  it('says nothing about what was not measured', () => {
    const nothing = { cacheHitShare: null, compactionsPer100Rounds: null, breakerTrips: null, backgroundShare: null };
    expect(statsOf([])).toMatchObject({ ...nothing, rounds: 0, byPurpose: [] });
    // With a round, it was measured that nothing was compacted and no breaker tripped.
    expect(statsOf([call({ tokens: { inputTokens: 10 }, money: null })])).toMatchObject({
      ...{ cacheHitShare: null, backgroundShare: null, compactionFidelity: null },
      ...{ rounds: 1, compactionsPer100Rounds: 0, breakerTrips: 0 },
    });
  });

  it.each([
    ['a call of its own', [call({ purpose: 'compaction' })], 0.5],
    ['one that failed', [call({ purpose: 'compaction', isDone: false })], 0],
    ['an event without a call', [{ kind: 'compaction', at: '', session: 's1', proof: null }], 0.5],
    [
      'both for one',
      [call({ purpose: 'compaction' }), { kind: 'compaction', at: '', session: 's1', proof: null }],
      0.5,
    ],
  ] as [string, CountedLine[], number][])('counts compactions per 100 rounds: %s', (_, lines, expected) => {
    const rounds = Array.from({ length: 200 }, () => call());
    expect(statsOf([...rounds, ...lines]).compactionsPer100Rounds).toBe(expected);
  });

  it('is the share of what had to survive that compactions left in the conversation', () => {
    const compacted = (proof: Proof | null) => ({ kind: 'compaction', at: '', session: 's1', proof }) as const;
    const lines = [
      compacted({ kept: 5, repaired: 2, lost: 1 }),
      compacted(null),
      compacted({ kept: 1, repaired: 0, lost: 1 }),
    ];
    expect(statsOf(lines).compactionFidelity).toEqual({ kept: 6, repaired: 2, lost: 2, share: 0.8 });
    expect(statsOf([compacted(null), compacted({ kept: 0, repaired: 0, lost: 0 })]).compactionFidelity).toBeNull();
  });

  it('is the share of background work in all costs, if every price is known', () => {
    const lines = [call({ money: 3 }), call({ purpose: 'dream', money: 1 })];
    expect(statsOf(lines).backgroundShare).toBe(0.25);
    expect(statsOf([...lines, call({ money: null })]).backgroundShare).toBeNull();
    expect(statsOf([call({ money: 3 })]).backgroundShare).toBe(0);
  });

  it('counts breakers that tripped', () => {
    const trip = (part: string | null) => ({ kind: 'breaker', at: '', session: 's2', part }) as const;
    const stats = statsOf([trip('recall'), trip('notes'), trip(null), trip('notes')]);
    expect(stats).toMatchObject({ breakerTrips: 4, sessions: 1 });
    expect(stats.tripsByPart).toEqual([
      { part: 'notes', trips: 2 },
      { part: 'recall', trips: 1 },
    ]);
  });
});

describe('spending', () => {
  it('is shown by purpose, model and agent, most expensive first', () => {
    const { byPurpose, byModel, byAgent } = statsOf([
      call({ model: 'm2', agent: 'reader', money: 0.5, tokens: { inputTokens: 1 } }),
      call({ purpose: 'notes', money: 2, isDone: false, tokens: { outputTokens: 7 } }),
      call({ money: 1, tokens: { inputTokens: 2 } }),
    ]);
    expect(byPurpose).toMatchObject([
      { name: 'notes', calls: 1, failed: 1, money: 2, usage: { outputTokens: 7 } },
      { name: 'main', calls: 2, failed: 0, money: 1.5, milliseconds: 200, usage: { inputTokens: 3 } },
    ]);
    expect(byModel).toMatchObject([
      { name: 'm1', money: 3 },
      { name: 'm2', money: 0.5 },
    ]);
    expect(byAgent).toMatchObject([
      { name: 'main', money: 3 },
      { name: 'reader', money: 0.5 },
    ]);
  });

  it('keeps known costs next to unknown ones', () => {
    const { byPurpose } = statsOf([call({ money: 2 }), call({ money: null }), call({ money: 1 })]);
    expect(byPurpose).toMatchObject([{ name: 'main', money: 3, unpriced: 1 }]);
  });

  it('loses no call and no token, in whatever order they come', () => {
    const tokens = fc.record({ inputTokens: fc.nat(999), cacheReadTokens: fc.nat(999), outputTokens: fc.nat(999) });
    const purpose = fc.constantFrom(...PURPOSES);
    const agent = fc.constantFrom(null, 'r1', 'r2');
    const calls = fc.array(
      fc
        .record({ tokens, purpose, agent, model: fc.constantFrom('a', 'b'), isDone: fc.boolean() })
        .map((fields) => call(fields)),
    );
    fc.assert(
      fc.property(calls, (lines) => {
        const stats = statsOf(lines);
        const backwards = statsOf([...lines].reverse());
        for (const list of [stats.byPurpose, stats.byModel, stats.byAgent]) {
          const sum = (of: (one: (typeof list)[number]) => number) => list.reduce((total, one) => total + of(one), 0);
          expect(sum((one) => one.calls)).toBe(lines.length);
          expect(sum((one) => one.failed)).toBe(lines.filter(({ isDone }) => !isDone).length);
          expect(sum((one) => one.usage.inputTokens)).toBe(
            lines.reduce((total, { usage }) => total + usage.inputTokens, 0),
          );
        }
        expect(stats.cacheHitShare).toBe(backwards.cacheHitShare);
        expect(stats.rounds).toBe(backwards.rounds);
      }),
    );
  });
});

describe('the cache', () => {
  it('has each break, newest first, totals by cause, and the hit share of each measured day', () => {
    const broken = (at: string, tokens: number, cause: string) =>
      ({ kind: 'cache-break', at, session: 's1', tokens, cause }) as const;
    const { cache } = statsOf([
      broken('2026-03-05T10:00:00Z', 3_000, 'TTL'),
      broken('2026-03-06T10:00:00Z', 9_000, 'system block 1 changed'),
      broken('2026-03-05T11:00:00Z', 4_000, 'TTL'),
      call({ at: '2026-03-06T09:00:00Z', tokens: { cacheWriteTokens: 50, cacheReadTokens: 50 } }),
      call({ at: '2026-03-05T09:00:00Z', tokens: { cacheWriteTokens: 100 } }),
      call({ at: '2026-03-07T09:00:00Z', tokens: { inputTokens: 100 } }),
    ]);
    expect(cache.breaks.map(({ at }) => at)).toEqual([
      '2026-03-06T10:00:00Z',
      '2026-03-05T11:00:00Z',
      '2026-03-05T10:00:00Z',
    ]);
    expect(cache.byCause).toEqual([
      { cause: 'system block 1 changed', breaks: 1, tokens: 9_000 },
      { cause: 'TTL', breaks: 2, tokens: 7_000 },
    ]);
    expect(cache.byDay).toEqual([
      { day: '2026-03-05', hitShare: 0 },
      { day: '2026-03-06', hitShare: 0.5 },
    ]);
  });
});
