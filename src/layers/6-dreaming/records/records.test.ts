import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { thisProcess } from '../../../disk/process-identity.ts';
import { DREAM_FILE_LIMITS, LIMITS } from '../../../limits.ts';
import { askStop, clearProgress, isStopAsked, readProgress, writeProgress } from './progress.ts';
import type { DreamChange, DreamRecord } from './record.ts';
import {
  newDreamId,
  pruneDreamRecords,
  readDreamRecord,
  readDreamRecords,
  updateDreamRecord,
  writeDreamRecord,
} from './records.ts';
import { asDreamRecord, asKeptProgress, isDreamId, type KeptProgress } from './shape.ts';

const root = temporaryFolder('dreams');
let made = 0;
const newFolder = () => {
  made += 1;
  const folder = join(root, `memory-${made}`);
  mkdirSync(folder);
  return folder;
};
const dreams = (folder: string) => join(folder, '.reverie', 'dreams');

const CHANGE: DreamChange = {
  number: 1,
  action: 'update',
  file: 'project_a.md',
  reason: 'Two said the same.',
  evidence: [{ from: 'project_b.md', quote: 'the same' }],
  into: [],
  state: 'waiting',
  why: 'it loses too much',
  base: 'a'.repeat(64),
  text: 'new text\n',
};
const record = (fields: Partial<DreamRecord> = {}): DreamRecord => ({
  id: 'd1',
  startedAt: '2031-05-08T03:30:00.000Z',
  endedAt: '2031-05-08T03:32:00.000Z',
  by: 'timer',
  status: 'completed',
  problem: null,
  process: thisProcess(),
  model: 'model-1',
  rounds: 4,
  toolCalls: 9,
  equivalentTokens: 1200,
  money: 0.02,
  change: null,
  changes: [CHANGE],
  ...fields,
});
const PROGRESS: KeptProgress = {
  id: 'd1',
  scope: 'project',
  startedAt: '2031-05-08T03:30:00.000Z',
  status: 'running',
  state: 'updating',
  rounds: 2,
  lastRounds: [{ at: '2031-05-08T03:30:10.000Z', text: 'Looking', tools: ['Read'] }],
  toolCalls: 3,
  files: ['project_a.md'],
  equivalentTokens: 500,
  money: null,
  closing: null,
};

describe('records of dreams', () => {
  it('come back as they were, for this user only, newest first', async () => {
    const folder = newFolder();
    await writeDreamRecord(folder, record());
    await writeDreamRecord(folder, record({ id: 'd2', startedAt: '2031-05-09T03:30:00.000Z' }));
    expect(readDreamRecords(folder)).toEqual({
      records: [record({ id: 'd2', startedAt: '2031-05-09T03:30:00.000Z' }), record()],
      damaged: [],
    });
    expect(statSync(join(dreams(folder), 'd1.json')).mode & 0o777).toBe(0o600);
    expect(statSync(dreams(folder)).mode & 0o777).toBe(0o700);
    expect(readDreamRecord(folder, 'd3')).toBeNull();
    expect(readdirSync(join(folder, '.reverie', 'temporary'))).toEqual([]);
  });

  it.each(['landed', 'refused', 'approved', 'rejected'] as const)(
    'store no text of a change that is %s',
    async (state) => {
      const folder = newFolder();
      await writeDreamRecord(folder, record({ changes: [{ ...CHANGE, state, text: 'token s3cret' }] }));
      expect(readFileSync(join(dreams(folder), 'd1.json'), 'utf8')).not.toContain('s3cret');
      expect(readDreamRecord(folder, 'd1')?.changes[0]).toMatchObject({ state, text: null });
    },
  );

  it('that are damaged are named and left alone, and do not affect the others', async () => {
    const folder = newFolder();
    await writeDreamRecord(folder, record());
    const put = (name: string, text: string) => writeFileSync(join(dreams(folder), name), text);
    put('last.json', '{"lastAtMs":1}');
    put('torn.json', '{"id":"torn","startedAt"');
    put('other.json', JSON.stringify(record({ id: 'another' })));
    put('shape.json', JSON.stringify({ ...record({ id: 'shape' }), changes: [{ ...CHANGE, evidence: 'none' }] }));
    put('twice.json', JSON.stringify(record({ id: 'twice', changes: [CHANGE, CHANGE] })));
    symlinkSync('/etc/passwd', join(dreams(folder), 'link.json'));
    mkdirSync(join(dreams(folder), 'folder.json'));
    const kept = readDreamRecords(folder);
    expect(kept.records.map(({ id }) => id)).toEqual(['d1']);
    expect(kept.damaged.map(({ file }) => file.replace('.reverie/dreams/', ''))).toEqual([
      'folder.json',
      'link.json',
      'other.json',
      'shape.json',
      'torn.json',
      'twice.json',
    ]);
    expect(JSON.stringify(kept.damaged)).not.toContain('root:');
    expect(existsSync(join(dreams(folder), 'torn.json'))).toBe(true);
  });

  it('are not read through a link out of the folder', async () => {
    const [folder, elsewhere] = [newFolder(), newFolder()];
    await writeDreamRecord(elsewhere, record());
    symlinkSync(join(elsewhere, '.reverie'), join(folder, '.reverie'));
    expect(() => readDreamRecords(folder)).toThrow();
    await expect(writeDreamRecord(folder, record({ id: 'd9' }))).rejects.toThrow();
    expect(readDreamRecord(elsewhere, 'd9')).toBeNull();
  });

  it.each(['../d1', 'a/b', '', '.', 'progress', 'last', 'D1', 'a\0'])('have no id like %j', (id) => {
    expect(isDreamId(id)).toBe(false);
    expect(readDreamRecord(newFolder(), id)).toBeNull();
  });

  it('have ids that sort by time', () => {
    const ids = [1_900_000_000_000, 1_900_000_000_001, 1_950_000_000_000].map((ms) => newDreamId(new Date(ms)));
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.every(isDreamId)).toBe(true);
  });

  it('are changed from their newest form, however many writers there are at once', async () => {
    const folder = newFolder();
    const changes = [1, 2, 3, 4, 5].map((number) => ({ ...CHANGE, number }));
    await writeDreamRecord(folder, record({ changes }));
    const settle = (wanted: number) =>
      updateDreamRecord(folder, {
        id: 'd1',
        patience: LIMITS.lock,
        update: (now) => ({
          ...now,
          changes: now.changes.map((each) => (each.number === wanted ? { ...each, state: 'rejected' } : each)),
        }),
      });
    await Promise.all(changes.map(({ number }) => settle(number)));
    expect(readDreamRecord(folder, 'd1')?.changes.map(({ state }) => state)).toEqual(changes.map(() => 'rejected'));
    expect(await updateDreamRecord(folder, { id: 'gone', patience: LIMITS.lock, update: (now) => now })).toBeNull();
  });

  it('expire after their days, unless something in them is waiting', async () => {
    const folder = newFolder();
    const done = [{ ...CHANGE, state: 'landed' as const }];
    await writeDreamRecord(folder, record({ id: 'old', changes: done }));
    await writeDreamRecord(folder, record({ id: 'open' }));
    await writeDreamRecord(folder, record({ id: 'new', changes: done, startedAt: '2031-08-01T00:00:00.000Z' }));
    await writeDreamRecord(folder, record({ id: 'died', status: 'running', endedAt: null, changes: [] }));
    const pruned = pruneDreamRecords(folder, { now: new Date('2031-08-10T00:00:00.000Z'), keptDays: 90 });
    expect(pruned.toSorted()).toEqual(['died', 'old']);
    expect(readDreamRecords(folder).records.map(({ id }) => id)).toEqual(['new', 'open']);
  });

  it('stay for what the user rejected, up to a number of the newest', async () => {
    const folder = newFolder();
    const rejected = [
      { ...CHANGE, state: 'rejected' as const, decidedAt: '2031-05-09T00:00:00.000Z', intoBase: [null] },
    ];
    const count = DREAM_FILE_LIMITS.rejectedRecords + 1;
    const idOf = (at: number) => `r${String(at).padStart(3, '0')}`;
    const writes = Array.from({ length: count }, (_, at) => {
      const startedAt = new Date(Date.UTC(2031, 0, 1, 0, at)).toISOString();
      return writeDreamRecord(folder, record({ id: idOf(at), changes: rejected, startedAt }));
    });
    await Promise.all(writes);
    const prune = () => pruneDreamRecords(folder, { now: new Date('2032-08-10T00:00:00.000Z'), keptDays: 90 });
    expect(prune()).toEqual([idOf(0)]);
    expect(readDreamRecord(folder, idOf(1))?.changes[0]).toMatchObject({ state: 'rejected', intoBase: [null] });
    expect(prune()).toEqual([]);
  });

  it('keep the text of what is about to land, unless they would be too long with it', async () => {
    const folder = newFolder();
    const long = { ...CHANGE, number: 2, text: 'x'.repeat(DREAM_FILE_LIMITS.recordBytes) };
    const textsOf = () => readDreamRecord(folder, 'd1')!.changes.map(({ text }) => text);
    await writeDreamRecord(folder, record({ changes: [CHANGE, { ...long, text: 'long' }], landing: [2] }));
    expect(textsOf()).toEqual(['new text\n', 'long']);
    await writeDreamRecord(folder, record({ changes: [CHANGE, long], landing: [2] }));
    expect(textsOf()).toEqual(['new text\n', null]);
    const tooLong = writeDreamRecord(folder, record({ changes: [CHANGE, long], landing: [1] }));
    await expect(tooLong).rejects.toMatchObject({ code: 'storage' });
  });

  it('of any other shape are not records', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(asDreamRecord(value)).toBeNull();
        expect(asKeptProgress(value)).toBeNull();
      }),
    );
    const fields = Object.keys(record({ remarks: [], landing: [1] })) as (keyof DreamRecord)[];
    for (const field of fields) expect([field, asDreamRecord({ ...record(), [field]: [{}] })]).toEqual([field, null]);
    for (const field of Object.keys(CHANGE)) {
      const changes = [{ ...CHANGE, [field]: { not: 'this' } }];
      expect([field, asDreamRecord({ ...record(), changes })]).toEqual([field, null]);
    }
  });
});

describe('the running dream', () => {
  it('shows other processes how far it is, and whether it is still alive', async () => {
    const folder = newFolder();
    expect(readProgress(folder)).toBeNull();
    await writeProgress(folder, PROGRESS);
    expect(readProgress(folder)).toEqual({ progress: PROGRESS, process: thisProcess(), liveness: 'alive' });
    const killed = { process: { ...thisProcess(), started: '1' }, progress: PROGRESS };
    writeFileSync(join(dreams(folder), 'progress.json'), JSON.stringify(killed));
    expect(readProgress(folder)?.liveness).toBe('gone');
    expect(readDreamRecords(folder)).toEqual({ records: [], damaged: [] });
  });

  it.each(['', '{', '[]', 'null', '{"process":{},"progress":{}}', JSON.stringify({ progress: PROGRESS })])(
    'is nobody when the file says %j',
    async (text) => {
      const folder = newFolder();
      await writeProgress(folder, PROGRESS);
      writeFileSync(join(dreams(folder), 'progress.json'), text);
      expect(readProgress(folder)).toBeNull();
    },
  );

  it('is asked to end, by its id', async () => {
    const folder = newFolder();
    await writeProgress(folder, PROGRESS);
    expect(isStopAsked(folder, 'd1')).toBe(false);
    await askStop(folder, 'd1');
    expect([isStopAsked(folder, 'd1'), isStopAsked(folder, 'd2')]).toEqual([true, false]);
    clearProgress(folder, 'd2');
    expect(readProgress(folder)).not.toBeNull();
    clearProgress(folder, 'd1');
    expect([readProgress(folder), isStopAsked(folder, 'd1')]).toEqual([null, false]);
    await expect(askStop(folder, '../x')).rejects.toThrow();
  });
});
