import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { asEnded, asLastSeen, settleDeadDreams } from './dream-dead.ts';
import { readProgress, writeProgress } from './dream-progress.ts';
import type { DreamRecord } from './dream-record.ts';
import { readDreamRecord, writeDreamRecord } from './dream-records.ts';
import { type ProcessIdentity, thisProcess } from './process-identity.ts';

/** One that ran here and has ended. */
const GONE: ProcessIdentity = { ...thisProcess(), pid: spawnSync('true').pid, started: '1' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reverie-dream-dead-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

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

describe('a dream that was killed', () => {
  it('has cost what its progress says, and is on record as killed before the next one begins', async () => {
    await writeDreamRecord(folder, record());
    await progressOf('d1', GONE);
    const seen = readProgress(folder);
    expect(asLastSeen(record(), seen)).toEqual({ ...record(), ...FIGURES });
    const ended = { ...record(), ...FIGURES, status: 'killed', problem: 'its process was killed' };
    expect(asEnded(record(), seen)).toEqual(ended);
    await settleDeadDreams(folder, LIMITS.lock);
    expect(readDreamRecord(folder, 'd1')).toEqual(ended);
  });

  it.each([
    ['one that goes on', record({ process: thisProcess() }), 'd1'],
    ['one that has ended', record({ status: 'completed', money: 0.01 }), 'd1'],
  ])('is not %s', async (_, kept, id) => {
    await writeDreamRecord(folder, kept);
    await progressOf(id, kept.process);
    await settleDeadDreams(folder, LIMITS.lock);
    expect(readDreamRecord(folder, 'd1')).toEqual(kept);
  });

  it('is not told the figures of another', async () => {
    await writeDreamRecord(folder, record());
    await progressOf('d2', thisProcess());
    await settleDeadDreams(folder, LIMITS.lock);
    expect(readDreamRecord(folder, 'd1')).toMatchObject({ status: 'killed', rounds: 0, money: 0 });
  });
});
