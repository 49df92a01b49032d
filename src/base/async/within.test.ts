/** A limited wait gives what the work gave, what it threw, or nothing. */

import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { within } from './within.ts';

it('gives what the work gives in time', async () => {
  expect(await within(wait(1, 'done'), 60_000)).toBe('done');
});

it('gives nothing for work that never ends', async () => {
  expect(await within(new Promise(() => {}), 1)).toBeUndefined();
});

it('throws what the work throws', async () => {
  await expect(within(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no');
});
