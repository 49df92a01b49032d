/** Recall alongside a conversation, over ports: what joins, when, once, and within the budget. */

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../limits.ts';
import { createPrefetch, type FoundMemory, type PrefetchPorts } from './prefetch.ts';
import { isRecallState, type RecallState } from './prefetch-held.ts';

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
      hasMemories: () => true,
      isSingleTurn: false,
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
    expect(prefetch.state()).toEqual({ surfaced: [], known: [] });
  });

  it('holds a request for as long as it may once that is ready, however long its preparation took', async () => {
    let finish = (_memories: readonly FoundMemory[]) => {};
    const rank = () => new Promise<readonly FoundMemory[]>((resolve) => (finish = resolve));
    const holdMs = 100;
    const { prefetch } = prefetchWith({ rank, limits: { ...limits, prefetch: { ...limits.prefetch, holdMs } } });
    prefetch.begin('two words', []);
    await new Promise((resolve) => setTimeout(resolve, 2 * holdMs));
    const held = prefetch.held();
    setTimeout(() => finish([found('in time')]), 1);
    await held;
    expect(prefetch.take().map(({ key }) => key)).toEqual(['in time']);
  });

  it('continues without ranking that takes too long, and gives it later', async () => {
    let finish = (_memories: readonly FoundMemory[]) => {};
    const rank = () => new Promise<readonly FoundMemory[]>((resolve) => (finish = resolve));
    const { prefetch } = prefetchWith({ rank, limits: { ...limits, prefetch: { ...limits.prefetch, holdMs: 1 } } });
    prefetch.begin('two words', []);
    await prefetch.held();
    expect(prefetch.take()).toEqual([]);
    finish([found('late')]);
    await settled();
    expect(prefetch.untaken()).toBe(1);
    expect(prefetch.take().map(({ key }) => key)).toEqual(['late']);
    expect(prefetch.untaken()).toBe(0);
  });

  it.each<[string, Partial<PrefetchPorts>, string, RecallState | undefined]>([
    ['one word', {}, 'word', undefined],
    ['a spent budget', {}, 'two words', { surfaced: [{ key: 'a', bytes: 60_000, uuid: 'e1' }], known: [] }],
    ['there being no memory', { hasMemories: () => false }, 'two words', undefined],
    ['being switched off', { selector: () => 'off' }, 'two words', undefined],
  ])('asks nobody because of %s', async (_why, ports, query, resumed) => {
    const rank = vi.fn(async () => []);
    const { prefetch } = prefetchWith({ rank, ...ports }, resumed);
    prefetch.begin(query, []);
    await prefetch.held();
    expect(rank).not.toHaveBeenCalled();
  });

  it('never fails a request: errors are reported elsewhere', async () => {
    const broken = async () => {
      throw new Error('broken');
    };
    const { prefetch, problems } = prefetchWith({ selector: () => 'hybrid', rank: broken, candidates: broken });
    prefetch.begin('two words', []);
    await prefetch.held();
    await settled();
    expect(prefetch.take()).toEqual([]);
    expect(problems).toEqual(['ranking']);
  });

  it('gives nothing twice and stays within its budget, whatever settles', async () => {
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
        expect(prefetch.state().surfaced.reduce((sum, each) => sum + each.bytes, 0)).toBe(bytes);
      }),
    );
  });
});

describe('rewound messages', () => {
  /** One turn whose message got the id; its ranking finds the given memories. */
  async function turn(prefetch: ReturnType<typeof createPrefetch>, uuid: string): Promise<readonly string[]> {
    prefetch.begin('two words', []);
    await prefetch.held();
    const taken = prefetch.take().map(({ key }) => key);
    prefetch.joined(uuid);
    return taken;
  }

  it('take along what joined or was read with them, and its part of the budget, and nothing else', async () => {
    const steps = fc.array(
      fc.record({
        finds: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
        reads: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 2 }),
        backTo: fc.option(fc.nat(5), { nil: null }),
      }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (turns) => {
        let finds: readonly string[] = [];
        const { prefetch } = prefetchWith({ rank: async () => finds.map((key) => found(key)) });
        /** The conversation as it is: each message with what it holds. */
        let messages: { readonly uuid: string; readonly told: readonly string[]; readonly read: readonly string[] }[] =
          [];
        for (const [number, step] of turns.entries()) {
          finds = step.finds;
          const uuid = `m${number}`;
          const held = new Set(messages.flatMap(({ told, read }) => [...told, ...read]));
          const told = await turn(prefetch, uuid);
          expect(told).toEqual(step.finds.filter((key) => !held.has(key)));
          prefetch.knows(step.reads, uuid);
          messages.push({ uuid, told, read: step.reads });
          if (step.backTo === null) continue;
          messages = messages.slice(0, step.backTo);
          prefetch.keepOnly((each) => messages.some((message) => message.uuid === each));
          const { surfaced } = prefetch.state();
          expect(surfaced.map(({ key, uuid: at }) => `${at} ${key}`)).toEqual(
            messages.flatMap((message) => message.told.map((key) => `${message.uuid} ${key}`)),
          );
          expect(surfaced.every(({ key, bytes }) => bytes === found(key).text.length)).toBe(true);
        }
      }),
    );
  });

  it('drop what was being searched because of them', async () => {
    let rank = (_memories: readonly FoundMemory[]) => {};
    let pick = (_keys: readonly string[]) => {};
    const asked = vi.fn((_question, signal: AbortSignal) => {
      return new Promise<readonly string[]>((resolve, reject) => {
        pick = resolve;
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
    const { prefetch, problems } = prefetchWith({
      selector: () => 'hybrid',
      rank: () => new Promise((resolve) => (rank = resolve)),
      candidates: async () => [{ key: 'k', file: 'k', type: null, modified: '', name: 'k', description: '' }],
      select: asked,
    });
    // While it is ranked, while a model is asked, and once it has settled.
    prefetch.begin('first words', []);
    prefetch.keepOnly(() => true);
    rank([found('ranked')]);
    await settled();
    expect(asked).not.toHaveBeenCalled();
    prefetch.begin('second words', []);
    rank([]);
    await settled();
    expect(asked).toHaveBeenCalledTimes(1);
    prefetch.keepOnly(() => true);
    pick(['picked']);
    prefetch.begin('third words', []);
    rank([found('settled')]);
    await settled();
    prefetch.keepOnly(() => true);
    await settled();
    expect(prefetch.take()).toEqual([]);
    expect(problems).toEqual([]);
    // A summary keeps the question, so the search for it continues.
    prefetch.begin('fourth words', []);
    rank([]);
    await settled();
    prefetch.reset();
    pick(['picked']);
    await settled();
    expect(prefetch.take().map(({ key }) => key)).toEqual(['picked']);
  });
});

describe('a selector', () => {
  const candidates = async () => [{ key: 'k', file: 'k', type: null, modified: '', name: 'k', description: '' }];
  const hanging = () => new Promise<never>(() => {});

  it('that does not answer in time has failed; one that is displaced or stopped has not', async () => {
    const quick = { ...limits, prefetch: { ...limits.prefetch, selections: 1, selectionMs: 5 } };
    const { prefetch, problems } = prefetchWith({
      selector: () => 'model',
      candidates,
      select: hanging,
      limits: quick,
    });
    prefetch.begin('two words', []);
    await vi.waitFor(() => expect(problems).toEqual(['selecting']), { timeout: 10_000 });
    const slow = { ...limits, prefetch: { ...limits.prefetch, selections: 1 } };
    const other = prefetchWith({ selector: () => 'model', candidates, select: hanging, limits: slow });
    other.prefetch.begin('two words', []);
    other.prefetch.begin('other words', []);
    await settled();
    other.prefetch.stop();
    await settled();
    expect(other.problems).toEqual([]);
  });

  it.each<[string, PrefetchPorts['rank'], PrefetchPorts['candidates'], number]>([
    ['ranking is certain of one', async () => [found('a')], candidates, 0],
    ['ranking is certain of none', async () => [found('a', { certain: false })], candidates, 1],
    ['there are no candidates', async () => [], async () => [], 0],
  ])('alongside ranking, when %s', async (_, rank, listed, asked) => {
    const select = vi.fn(async () => ['k']);
    const { prefetch } = prefetchWith({ selector: () => 'hybrid', rank, candidates: listed, select });
    prefetch.begin('two words', []);
    await prefetch.held();
    await settled();
    expect(select).toHaveBeenCalledTimes(asked);
  });

  it.each(['model', 'hybrid'] as const)(
    'is not asked in a single turn before the first round: %s',
    async (selector) => {
      const select = vi.fn(async () => ['k']);
      const { prefetch } = prefetchWith({ selector: () => selector, isSingleTurn: true, candidates, select });
      prefetch.begin('two words', []);
      await prefetch.held();
      await settled();
      expect(select).not.toHaveBeenCalled();
      prefetch.goesOn();
      prefetch.goesOn();
      await settled();
      expect(select).toHaveBeenCalledTimes(1);
      expect(prefetch.take().map(({ key }) => key)).toEqual(['k']);
    },
  );
});

it('recognises its own state and nothing else', () => {
  const surfaced = [{ key: 'a', bytes: 1, uuid: null }];
  expect(isRecallState({ surfaced, known: [{ key: 'b', uuid: 'e' }] })).toBe(true);
  const others = [
    ...[
      null,
      {},
      { surfaced: ['a'], known: [] },
      { surfaced: [], known: ['b'] },
      { surfaced: [{ key: 'a' }], known: [] },
    ],
    ...[
      { surfaced: [{ key: 'a', uuid: null, bytes: -1 }], known: [] },
      { surfaced, known: [{ key: 1, uuid: null }] },
    ],
  ];
  for (const other of others) expect(isRecallState(other)).toBe(false);
});

it('counts as shown only what joined a message', () => {
  const resumed = { surfaced: [{ key: 'a', bytes: 5, uuid: null }], known: [] };
  const { prefetch } = prefetchWith({}, resumed);
  expect(prefetch.state()).toEqual(resumed);
  prefetch.joined(null);
  expect(prefetch.state().surfaced).toEqual([]);
});
