/** What the ledger says about the last day: each kind of trouble once, with how often and its last occurrence. */

import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openLedger } from '../disk/ledger/ledger.ts';
import type { EventFacts } from '../disk/ledger/line.ts';
import { readLastDay } from './last-day.ts';

const NOW = new Date('2031-05-08T12:00:00.000Z');

function write(home: string, events: readonly EventFacts[], { hoursAgo = 1, project = 'p' } = {}): void {
  const now = () => new Date(NOW.getTime() - hoursAgo * 3_600_000);
  const ledger = openLedger({ home, session: 's', project, now, onProblem: () => {} });
  for (const event of events) ledger.event(event);
  ledger.close();
}

const cap = (spent: number): EventFacts => {
  return { name: 'cap', numbers: { spent, cap: 5 }, cause: 'session: notes: limits.caps.notesShare' };
};
const refused = (by: string): EventFacts => ({ name: 'refused', numbers: {}, cause: `${by}: extraction` });

it('groups similar ones, the newest last and with its numbers', async () => {
  const home = temporaryFolder('last-day');
  write(home, [cap(6), refused('secret')], { hoursAgo: 20 });
  write(home, [refused('opted-out'), cap(9), { name: 'dream-no-room', numbers: { needed: 9, left: 1 } }]);
  write(home, [refused('secret'), { name: 'cap', numbers: {}, cause: 'day: recall' }]);
  const found = await readLastDay({ home, project: 'p', now: NOW });
  expect(found.map(({ kind, part, by, times }) => `${kind} ${part} ${by} ${times}`)).toEqual([
    'refused extraction opted-out 1',
    'cap notes session 2',
    'no-room dream  1',
    'refused extraction secret 2',
    'cap recall day 1',
  ]);
  expect(found[1]).toMatchObject({ numbers: { spent: 9, cap: 5 }, setting: 'limits.caps.notesShare' });
  // As an earlier version wrote it.
  expect(found[4]).toMatchObject({ setting: null });
});

it('leaves out other projects, what is older than a day, and what hindered nobody', async () => {
  const home = temporaryFolder('last-day');
  write(home, [cap(6)], { hoursAgo: 25 });
  write(home, [cap(6)], { project: 'another' });
  write(home, [{ name: 'extraction', numbers: { saved: 1 } }]);
  expect(await readLastDay({ home, project: 'p', now: NOW })).toEqual([]);
});
