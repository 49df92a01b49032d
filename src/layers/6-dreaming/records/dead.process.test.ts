import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { Change } from '../../../disk/journal/change.ts';
import { createJournalled } from '../../../disk/journal/journalled-folder.ts';
import { type ProcessIdentity, thisProcess } from '../../../disk/process-identity.ts';
import { LIMITS } from '../../../limits.ts';
import { asEnded, asLastSeen, readEndedDream, readEndedDreams, settleDeadDreams } from './dead.ts';
import { CUT_OFF, landingReason } from './landing.ts';
import { clearProgress, readProgress, writeProgress } from './progress.ts';
import type { DreamChange, DreamRecord } from './record.ts';
import { readDreamRecord, writeDreamRecord } from './records.ts';

/** A process that ran here and has ended. */
const GONE: ProcessIdentity = { ...thisProcess(), pid: spawnSync('true').pid, started: '1' };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('dream-dead');
});

const record = (fields: Partial<DreamRecord> = {}): DreamRecord => ({
  ...{ id: 'd1', startedAt: '2031-05-08T03:30:00.000Z', endedAt: null, by: 'hand', status: 'running', problem: null },
  ...{ process: GONE, model: 'm', rounds: 0, toolCalls: 0, equivalentTokens: 0, money: 0, change: null, changes: [] },
  ...fields,
});

/** As its process left it. */
async function progressOf(id: string, owner: ProcessIdentity) {
  await writeProgress(folder, {
    ...{ id, scope: 'project', startedAt: '2031-05-08T03:30:00.000Z', status: 'running', state: 'updating' },
    ...{ rounds: 3, lastRounds: [], toolCalls: 7, files: [], equivalentTokens: 900, money: 0.04, closing: null },
  });
  const file = join(folder, '.reverie', 'dreams', 'progress.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), process: owner }));
}

const FIGURES = { rounds: 3, toolCalls: 7, equivalentTokens: 900, money: 0.04 };

describe('a killed dream', () => {
  it('has cost what its progress says, and is recorded as killed before the next one begins', async () => {
    await writeDreamRecord(folder, record());
    await progressOf('d1', GONE);
    const seen = readProgress(folder);
    expect(asLastSeen(record(), seen)).toEqual({ ...record(), ...FIGURES });
    const ended = { ...record(), ...FIGURES, status: 'killed', problem: 'its process was killed' };
    expect(asEnded(record(), { seen, journal: { *newestFirst() {} } })).toEqual(ended);
    await settleDeadDreams(folder, { patience: LIMITS.lock });
    expect(readDreamRecord(folder, 'd1')).toEqual(ended);
  });

  it.each([
    ['one that goes on', record({ process: thisProcess() }), 'd1'],
    ['one that has ended', record({ status: 'completed', money: 0.01 }), 'd1'],
  ])('is not %s', async (_, kept, id) => {
    await writeDreamRecord(folder, kept);
    await progressOf(id, kept.process);
    await settleDeadDreams(folder, { patience: LIMITS.lock });
    expect(readDreamRecord(folder, 'd1')).toEqual(kept);
  });

  it("does not get another dream's figures", async () => {
    await writeDreamRecord(folder, record());
    await progressOf('d2', thisProcess());
    await settleDeadDreams(folder, { patience: LIMITS.lock });
    expect(readDreamRecord(folder, 'd1')).toMatchObject({ status: 'killed', rounds: 0, money: 0 });
  });
});

const change = (number: number, fields: Partial<DreamChange> = {}): DreamChange => ({
  ...{ number, action: 'update', file: `${number}.md`, reason: `reason ${number}`, evidence: [], into: [] },
  ...{ state: 'waiting', why: CUT_OFF, base: null, text: `text ${number}` },
  ...fields,
});
const PINNED = change(3, { why: 'It is pinned.' });
/** As it is recorded right before it lands. */
const LANDING = { changes: [change(1), change(2), PINNED], landing: [1, 2], remarks: ['Entry 9 is left aside.'] };

type JournalLine = Partial<Change> | { readonly abandoned: string };

/** What a journal may hold when the next process arrives. */
async function journal(...lines: readonly JournalLine[]) {
  const store = createJournalled(folder);
  for (const line of lines) {
    if ('abandoned' in line) await store.journal.close(line.abandoned, 'abandoned');
    else
      await store.journal.begin({
        ...{ id: 'c1', at: '2031-05-08T03:40:00.000Z', kind: 'update', who: 'dream', why: '', files: [] },
        ...line,
      });
  }
  store.close();
}
const OURS = { why: landingReason('d1', '2 updated') };

const LANDED = {
  ...{ status: 'completed', problem: null, change: 'c1', endedAt: '2031-05-08T03:40:00.000Z' },
  changes: [
    change(1, { state: 'landed', why: '', text: null }),
    change(2, { state: 'landed', why: '', text: null }),
    PINNED,
  ],
  remarks: ['Entry 9 is left aside.', 'It was cut off once this had landed.'],
};
const WAITS = { status: 'killed', problem: 'its process was killed', change: null, changes: LANDING.changes };

describe('a dream killed while landing', () => {
  it.each<[string, readonly JournalLine[], object]>([
    ['landed', [OURS], LANDED],
    ['landed, and others wrote since', [OURS, { id: 'c2', who: 'user', why: 'later' }], LANDED],
    ['did not begin to', [], WAITS],
    ['was taken back at once', [OURS, { abandoned: 'c1' }], WAITS],
    ['did not, while another dream did', [{ why: landingReason('d1x', '2 updated') }], WAITS],
    ['did not, though somebody says so', [{ ...OURS, who: 'agent' }], WAITS],
  ])('%s: as the journal says, and nothing is lost', async (_, lines, wanted) => {
    await writeDreamRecord(folder, record(LANDING));
    await progressOf('d1', GONE);
    await journal(...lines);
    const ended = { ...record(), ...FIGURES, remarks: LANDING.remarks, ...wanted };
    expect(readEndedDreams(folder).records).toEqual([ended]);
    expect(readDreamRecord(folder, 'd1')).toEqual(record(LANDING));
    await settleDeadDreams(folder, { patience: LIMITS.lock });
    expect(readDreamRecord(folder, 'd1')).toEqual(ended);
  });

  it('is left undecided while its process is still landing it', async () => {
    const kept = record({ ...LANDING, process: thisProcess() });
    await writeDreamRecord(folder, kept);
    await progressOf('d1', thisProcess());
    expect(readEndedDream(folder, 'd1')).toMatchObject({ status: 'running', changes: [] });
    await settleDeadDreams(folder, { patience: LIMITS.lock });
    expect(readDreamRecord(folder, 'd1')).toEqual(kept);
  });

  it.each([
    ['no progress is shown of it any more', record({ ...LANDING, process: thisProcess() })],
    ['it says itself that it failed', record({ ...LANDING, status: 'failed', problem: 'full disk' })],
  ])('is over when its process is still alive and %s', async (_, kept) => {
    await writeDreamRecord(folder, kept);
    await progressOf('d1', thisProcess());
    clearProgress(folder, 'd1');
    await journal(OURS);
    expect(readEndedDream(folder, 'd1')).toEqual({ ...kept, landing: undefined, ...LANDED });
    // Whoever dreams next has the lock: no other dream is running.
    await settleDeadDreams(folder, { patience: LIMITS.lock, isAlone: true });
    expect(readDreamRecord(folder, 'd1')).toMatchObject(LANDED);
  });

  it('keeps its own problem when it failed and did not land', async () => {
    const kept = record({ ...LANDING, status: 'failed', problem: 'full disk' });
    await writeDreamRecord(folder, kept);
    expect(readEndedDream(folder, 'd1')).toEqual({ ...kept, landing: undefined });
  });
});
