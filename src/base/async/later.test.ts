/** Deferred work: in order, a little later or at once when asked. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLater } from './later.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is done in its order, a little later', () => {
  const done: string[] = [];
  const later = createLater(10);
  later.add(() => done.push('one'));
  vi.advanceTimersByTime(9);
  later.add(() => done.push('two'));
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['one', 'two']);
  later.add(() => done.push('three'));
  vi.advanceTimersByTime(10);
  expect(done).toEqual(['one', 'two', 'three']);
});

it('is done at once when asked, and not again', () => {
  const done: string[] = [];
  const later = createLater(10);
  later.add(() => done.push('one'));
  later.flush();
  expect(done).toEqual(['one']);
  vi.runAllTimers();
  later.flush();
  expect(done).toEqual(['one']);
});
