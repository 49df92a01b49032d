/** Recall beside a conversation, over ports: what joins, when, once, and within the budget. */

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../limits.ts';
import { createPrefetch, type FoundMemory, isRecallState, type PrefetchPorts, type RecallState } from './prefetch.ts';

const found = (key: string, more: Partial<FoundMemory> = {}): FoundMemory => {
  return { key, text: `text of ${key}`, certain: true, isWorded: true, ...more };
};
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
const limits = { recall: LIMITS.recall, prefetch: { ...LIMITS.prefetch, holdMs: 10_000 } };

function prefetchWith(ports: Partial<PrefetchPorts>, resumed?: RecallState) {
  const problems: string[] = [];
  const prefetch = createPrefetch(
    {
      selector: () => 'local',
      rank: async () => [],
      candidates: async () => [],
      select: async () => [],
      surface: async (key) => found(key),
      onProblem: (what) => void problems.push(what),
      onSelected: () => {},
      limits,
      ...ports,
    },
    resumed,
  );
  return { prefetch, problems };
}

describe('a prefetch', () => {
  it('gives what is certain, once', async () => {
    const rank = vi.fn(async () => [found('a'), found('b', { certain: false })]);
    const { prefetch } = prefetchWith({ rank });
    prefetch.begin('two words', []);
    await prefetch.held();
    expect(prefetch.take().map(({ key }) => key)).toEqual(['a']);
    prefetch.begin('two words', []);
    await prefetch.held();
    expect(prefetch.take()).toEqual([]);
    expect(rank).toHaveBeenLastCalledWith('two words', { limit: 5, exclude: ['a'], only: 'certain' });
    prefetch.reset();
    expect(prefetch.state()).toEqual({ surfaced: [], known: [], bytes: 0 });
  });

  it('goes on without ranking that takes too long, and gives it later', async () => {
    let finish = (_memories: readonly FoundMemory[]) => {};
    const rank = () => new Promise<readonly FoundMemory[]>((resolve) => (finish = resolve));
    const { prefetch } = prefetchWith({ rank, limits: { ...limits, prefetch: { ...limits.prefetch, holdMs: 1 } } });
    prefetch.begin('two words', []);
    await prefetch.held();
    expect(prefetch.take()).toEqual([]);
    finish([found('late')]);
    await settled();
    expect(prefetch.take().map(({ key }) => key)).toEqual(['late']);
  });

  it.each<[string, Partial<PrefetchPorts>, string, RecallState | undefined]>([
    ['one word', {}, 'word', undefined],
    ['a spent budget', {}, 'two words', { surfaced: [], known: [], bytes: 60_000 }],
    ['being switched off', { selector: () => 'off' }, 'two words', undefined],
  ])('asks nobody because of %s', async (_why, ports, query, resumed) => {
    const rank = vi.fn(async () => []);
    const { prefetch } = prefetchWith({ rank, ...ports }, resumed);
    prefetch.begin(query, []);
    await prefetch.held();
    expect(rank).not.toHaveBeenCalled();
  });

  it('never fails a request: what throws is told elsewhere', async () => {
    const broken = async () => {
      throw new Error('broken');
    };
    const { prefetch, problems } = prefetchWith({ selector: () => 'hybrid', rank: broken, candidates: broken });
    prefetch.begin('two words', []);
    await prefetch.held();
    await settled();
    expect(prefetch.take()).toEqual([]);
    expect(problems).toEqual(['ranking', 'selecting']);
  });

  it('gives nothing twice and keeps to its budget, whatever settles', async () => {
    const memories = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), bytes: fc.integer({ min: 1, max: 60 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(memories, { maxLength: 6 }), async (turns) => {
        const rounds = [...turns];
        const rank = async () =>
          (rounds.shift() ?? []).map(({ key, bytes }) => found(key, { text: 'x'.repeat(bytes) }));
        const small = { ...limits, recall: { ...limits.recall, sessionBytes: 100 } };
        const { prefetch } = prefetchWith({ rank, limits: small });
        const given: FoundMemory[] = [];
        for (const _turn of turns) {
          prefetch.begin('two words', []);
          await prefetch.held();
          given.push(...prefetch.take());
        }
        expect(new Set(given.map(({ key }) => key)).size).toBe(given.length);
        const bytes = given.reduce((sum, { text }) => sum + text.length, 0);
        expect(bytes).toBeLessThanOrEqual(100);
        expect(prefetch.state().bytes).toBe(bytes);
      }),
    );
  });
});

it('knows its own state from anything else', () => {
  expect(isRecallState({ surfaced: ['a'], known: [], bytes: 1 })).toBe(true);
  for (const other of [null, {}, { surfaced: [1], known: [], bytes: 0 }, { surfaced: [], known: [], bytes: -1 }]) {
    expect(isRecallState(other)).toBe(false);
  }
});
