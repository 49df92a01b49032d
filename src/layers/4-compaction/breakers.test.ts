/** A pause of compaction is reported once, whichever breaker caused it; a resumed session repeats nothing. */

import { expect, it } from 'vitest';
import { BARE_SUMMARY, compactionHarness, talk, windowFor } from '../../../test/support/compaction-harness.ts';
import { LIMITS } from '../../limits.ts';
import type { ScriptStep } from '../../model/scripted.ts';
import type { CompactionPorts, CompactionState } from './index.ts';
import { INITIAL_STATE } from './state.ts';

const WINDOW = windowFor(16_000);

function watched(
  facts: {
    readonly answer?: () => ScriptStep;
    readonly resumed?: CompactionState;
    readonly ports?: Partial<CompactionPorts>;
  } = {},
) {
  const trips: unknown[] = [];
  const { ports, ...rest } = facts;
  const onPaused: CompactionPorts['onPaused'] = (by, { failures }) => trips.push([by, failures]);
  const harness = compactionHarness({ ...rest, ports: { onPaused, ...ports } });
  const look = () =>
    harness.compaction.look({
      ...{ windowTokens: 16_000, window: WINDOW, trigger: 'auto', isFork: false, enabled: true, notes: 'none' },
    });
  return { ...harness, trips, look };
}

const long = talk()
  .user('Build the importer.')
  .round([{ name: 'Read', result: 'word '.repeat(4_000) }])
  .round([{ name: 'Read', result: 'word '.repeat(4_000) }])
  .answer('Read it all.').entries;

it('failures in a row: reported at the third, however often it is retried when a provider refuses', async () => {
  const { compaction, request, trips } = watched({ answer: () => ({ fail: 'server' }) });
  for (let time = 0; time < 5; time++) await compaction.compact(request(long, { trigger: 'reactive' }));
  expect(compaction.state().failures).toBe(5);
  expect(trips).toEqual([['failures', 3]]);
  expect(compaction.isPaused()).toBe(true);
});

it('failures before a resume count; a pause already reported is not reported again', async () => {
  const answer = (): ScriptStep => ({ fail: 'server' });
  const twice = watched({ answer, resumed: { ...INITIAL_STATE, failures: 2 } });
  await twice.compaction.compact(twice.request(long));
  expect(twice.trips).toEqual([['failures', 3]]);
  const thrice = watched({ answer, resumed: { ...INITIAL_STATE, failures: 3 } });
  expect(thrice.compaction.isPaused()).toBe(true);
  await thrice.compaction.compact(thrice.request(long));
  expect(thrice.trips).toEqual([]);
});

it('a window that is full again after each', async () => {
  const { compaction, request, trips, look } = watched({ answer: () => ({ text: BARE_SUMMARY }) });
  for (let time = 0; time < 3; time++) {
    expect(look().kind).toBe('compact');
    expect(await compaction.compact(request(long, { window: WINDOW }))).toMatchObject({ kind: 'compacted' });
  }
  expect(trips).toEqual([]);
  for (let time = 0; time < 3; time++) expect(look()).toMatchObject({ kind: 'wait', reason: 'fills-at-once' });
  expect(trips).toEqual([['refills', 3]]);
  expect(compaction.isPaused()).toBe(true);
});

const KEPT = { ...LIMITS, compaction: { ...LIMITS.compaction, keptTokens: 1, keptMessages: 1 } };
const notesOf = (text: string) => async () => ({ text, path: '/notes.md', coveredUuid: long.at(-1)!.uuid });

it('notes that save nothing: a model is asked each time, and after three times they are left alone', async () => {
  const { compaction, request, trips } = watched({
    answer: () => ({ text: BARE_SUMMARY }),
    ports: { limits: KEPT, readNotes: notesOf(`# State\n${'word '.repeat(20_000)}`) },
  });
  for (let time = 0; time < 3; time++) {
    expect(compaction.takesNotes()).toBe(true);
    const outcome = await compaction.compact(request(long, { from: 'notes' }));
    expect(outcome).toMatchObject({ kind: 'compacted', report: { from: 'model' } });
  }
  expect(compaction.takesNotes()).toBe(false);
  expect(trips).toEqual([['from-notes', 3]]);
  expect(compaction.state().failures).toBe(0);
});

it('notes that are behind, and notes that work, are not failures', async () => {
  const behind = watched({ ports: { readNotes: async () => null } });
  for (let time = 0; time < 4; time++) await behind.compaction.compact(behind.request(long, { from: 'notes' }));
  const good = watched({ ports: { limits: KEPT, readNotes: notesOf('# State\nReading.') } });
  for (let time = 0; time < 4; time++) {
    const outcome = await good.compaction.compact(good.request(long, { from: 'notes' }));
    expect(outcome).toMatchObject({ kind: 'compacted', report: { from: 'notes' } });
  }
  expect([behind.trips, good.trips]).toEqual([[], []]);
  expect(behind.compaction.takesNotes() && good.compaction.takesNotes()).toBe(true);
});

it('an error while using notes leaves it to a model', async () => {
  let calls = 0;
  const { compaction, request } = watched({
    ports: {
      limits: KEPT,
      readNotes: notesOf('# State\nReading.'),
      now() {
        calls += 1;
        if (calls === 1) throw new Error('out of order');
        return new Date(0);
      },
    },
  });
  expect(await compaction.compact(request(long, { from: 'notes' }))).toMatchObject({ report: { from: 'model' } });
});
