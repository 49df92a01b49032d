/** The order in which tools of one answer run: readers together, a writer alone, results in the order of the answer. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import type { ToolUseBlock } from '../conversation/message.ts';
import type { ToolResult } from './tool.ts';
import { createToolRuns } from './tool-runs.ts';

function call(id: string, name: string): ToolUseBlock {
  return { type: 'tool_use', id, name, input: {} };
}

function harness(options: { mostParallel?: number; signal?: AbortSignal; graceMs?: number } = {}) {
  const running = new Map<string, (result: ToolResult) => void>();
  const log: string[] = [];
  const runs = createToolRuns({
    signal: options.signal ?? new AbortController().signal,
    mostParallel: options.mostParallel ?? 10,
    interruptGraceMs: options.graceMs ?? 10,
    isReadOnly: ({ name }) => name === 'read',
    run: (each) => {
      log.push(`start ${each.id}`);
      return new Promise((resolve) => running.set(each.id, resolve));
    },
    onEvent: () => {},
    now: () => 0,
  });
  async function finish(id: string): Promise<void> {
    log.push(`end ${id}`);
    running.get(id)!({ content: id });
    running.delete(id);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { runs, log, running, finish };
}

describe('the tools of one answer', () => {
  it('run together when they only read', async () => {
    const { runs, log, finish } = harness();
    for (const id of ['a', 'b', 'c']) runs.add(call(id, 'read'));
    expect(log).toEqual(['start a', 'start b', 'start c']);
    const all = runs.finished();
    for (const id of ['c', 'a', 'b']) await finish(id);
    expect((await all).map(({ result }) => result.tool_use_id)).toEqual(['a', 'b', 'c']);
    expect(runs.hasActed()).toBe(false);
  });

  it('wait for a writer before them, and the writer for readers before it', async () => {
    const { runs, log, finish } = harness();
    runs.add(call('a', 'read'));
    runs.add(call('w', 'write'));
    runs.add(call('b', 'read'));
    expect(log).toEqual(['start a']);
    expect(runs.hasActed()).toBe(false);
    await finish('a');
    expect(log.at(-1)).toBe('start w');
    expect(runs.hasActed()).toBe(true);
    await finish('w');
    expect(log.at(-1)).toBe('start b');
    await finish('b');
    expect(await runs.finished()).toHaveLength(3);
  });

  it('are no more at one time than allowed', async () => {
    const { runs, log, finish } = harness({ mostParallel: 2 });
    for (const id of ['a', 'b', 'c']) runs.add(call(id, 'read'));
    expect(log).toEqual(['start a', 'start b']);
    await finish('a');
    expect(log.at(-1)).toBe('start c');
  });

  it('give up on a tool that does not heed an interruption, and never start those behind it', async () => {
    const stop = new AbortController();
    const { runs, log } = harness({ signal: stop.signal });
    runs.add(call('w', 'write'));
    runs.add(call('v', 'write'));
    stop.abort();
    const results = await runs.finished();
    expect(results.map(({ result }) => result.is_error)).toEqual([true, true]);
    expect(log).toEqual(['start w']);
  });

  it('turn what a tool throws into a result', async () => {
    const runs = createToolRuns({
      signal: new AbortController().signal,
      mostParallel: 1,
      interruptGraceMs: 1,
      isReadOnly: () => true,
      run: () => Promise.reject(new Error('disk on fire')),
      onEvent: () => {},
      now: () => 0,
    });
    runs.add(call('a', 'read'));
    const [only] = await runs.finished();
    expect(only?.result).toMatchObject({
      is_error: true,
      content: [{ type: 'text', text: expect.stringContaining('disk on fire') }],
    });
  });

  it('keep these rules whatever the order of calls and endings', async () => {
    const plan = fc.tuple(
      fc.array(fc.constantFrom('read', 'write'), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
    );
    await fc.assert(
      fc.asyncProperty(plan, async ([names, mostParallel, choices]) => {
        const { runs, running, finish, log } = harness({ mostParallel });
        for (const [at, name] of names.entries()) runs.add(call(`${at}`, name));
        const all = runs.finished();
        while (running.size > 0) {
          const ids = [...running.keys()];
          expect(ids.length).toBeLessThanOrEqual(mostParallel);
          if (ids.some((id) => names[Number(id)] === 'write')) expect(ids).toHaveLength(1);
          await finish(ids[choices.next().value % ids.length]!);
        }
        expect((await all).map(({ call: { id } }) => id)).toEqual(names.map((_, at) => `${at}`));
        const started = log.filter((line) => line.startsWith('start')).map((line) => Number(line.slice(6)));
        expect(started).toEqual(started.toSorted((one, other) => one - other));
      }),
      { numRuns: runs(100) },
    );
  });
});
