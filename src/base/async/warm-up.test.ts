/** Pieces of work done ahead of time: in order, twice each, and none after the end. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { warmUp } from './warm-up.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pace = { afterMs: 100, pauseMs: 10 };

it('waits first, then does one piece at a time, each twice', () => {
  const done: string[] = [];
  warmUp([() => done.push('one'), () => done.push('two')], pace);
  vi.advanceTimersByTime(99);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['one']);
  vi.advanceTimersByTime(10);
  expect(done).toEqual(['one', 'one']);
  vi.runAllTimers();
  expect(done).toEqual(['one', 'one', 'two', 'two']);
});

it('continues after a piece that fails, and ends when told to', () => {
  const done: string[] = [];
  const failing = () => {
    done.push('failed');
    throw new Error('no');
  };
  const stop = warmUp([failing, () => done.push('next'), () => done.push('never')], pace);
  vi.advanceTimersByTime(130);
  expect(done).toEqual(['failed', 'failed', 'next', 'next']);
  stop();
  vi.runAllTimers();
  expect(done).toHaveLength(4);
});
