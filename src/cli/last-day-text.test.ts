/** What `reverie status` says about the last day and what is waiting. */

import { expect, it } from 'vitest';
import { entryOf, runLine } from '../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Hindrance } from '../reports/last-day.ts';
import { lastDayLines } from './last-day-text.ts';

const NOW = new Date('2031-05-08T12:00:00.000Z');
const base: Hindrance = {
  ...{ kind: 'cap', part: 'recall', by: 'session', times: 1, at: '2031-05-08T10:00:00.000Z', numbers: {} },
  setting: null,
};

it.each<[Partial<Hindrance>, string]>([
  [
    { numbers: { spent: 31_000, cap: 30_000 }, setting: 'limits.caps.floorTokens' },
    'recall did not start, 2 hours ago: it had used 31,000 of 30,000 tokens in its session (limits.caps.floorTokens)',
  ],
  [
    { times: 3, numbers: { spent: 0.3, cap: 0.25, inDollars: 1 }, setting: 'limits.caps.recallShare' },
    'recall did not start, 3 times, last 2 hours ago: it had used $0.3000 of $0.2500 in its session (limits.caps.recallShare)',
  ],
  [
    { by: 'day', numbers: { spent: 9, cap: 10 } },
    'recall did not start, 2 hours ago: background work of all sessions had used 9 of 10 tokens that day',
  ],
  [
    { kind: 'refused', part: 'agent', by: 'secret', times: 2 },
    'the agent did not keep 2 memories, last 2 hours ago: it holds a secret (secret)',
  ],
  [
    { kind: 'cut', part: 'extraction', by: 'time' },
    'extraction was cut off, 2 hours ago: the session ended before it was done',
  ],
  [
    { kind: 'no-room', part: 'dream', numbers: { needed: 20_000.4, left: -5 } },
    'a dream that was due did not begin, 2 hours ago: it would have taken about 20,000 tokens, and 0 were left',
  ],
])('%j', (facts, line) => {
  expect(lastDayLines([{ ...base, ...facts }], NOW)).toEqual([line]);
});

it('names what is waiting for the user with its commands, and nothing when nothing is', async () => {
  const home = temporaryFolder('status-waits');
  const line = ['status', '--home', home];
  const memories = [entryOf('a.md'), entryOf('b.md', { source: 'inferred' }), entryOf('c.md', { source: 'seen' })];
  const { stdout } = await runLine(line, { memories, environment: { HOME: home } });
  expect(stdout).toContain(`  2 memories are unconfirmed: reverie memory list --unconfirmed --home ${home}`);
  expect(stdout).toContain(`reverie memory confirm FILE --home ${home}`);
  const quiet = await runLine(line, { memories: [entryOf('a.md')], environment: { HOME: home } });
  expect(quiet.stdout).not.toMatch(/unconfirmed|In the last day/);
});
