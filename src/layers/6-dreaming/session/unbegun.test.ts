import { expect, it } from 'vitest';
import { whenUnbegun } from './later.ts';

it.each([
  ['is recorded each time and told once', false],
  ['is told though it cannot be recorded', true],
])('a dream that could not begin %s', (_title, isBroken) => {
  const recorded: string[] = [];
  const told: string[] = [];
  const unbegun = whenUnbegun({
    tell: (line) => void told.push(line),
    ledger: {
      recordEvent(name) {
        if (isBroken) throw new Error('no ledger');
        recorded.push(name);
      },
    },
  });
  unbegun(new Error('ledger/lock is a file.'));
  unbegun('again');
  expect(recorded).toEqual(isBroken ? [] : ['dream-failed', 'dream-failed']);
  expect(told).toEqual(['A dream could not begin: ledger/lock is a file. To look for the cause: reverie doctor']);
});
