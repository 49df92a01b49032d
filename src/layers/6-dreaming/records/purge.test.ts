import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { thisProcess } from '../../../disk/process-identity.ts';
import { LIMITS } from '../../../limits.ts';
import { purgeFromDreams } from './purge-dreams.ts';
import type { DreamChange } from './record.ts';
import { readDreamRecord, writeDreamRecord } from './records.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('dream-purge');
});

const change = (fields: Partial<DreamChange>): DreamChange => ({
  ...{ number: 1, action: 'update', file: 'project_a.md', reason: 'One subject.', evidence: [], into: [] },
  ...{ state: 'waiting', why: '', base: null, text: null },
  ...fields,
});

async function purged(...changes: readonly DreamChange[]) {
  return purgedWith([], changes);
}

async function purgedWith(remarks: readonly string[], changes: readonly DreamChange[]) {
  await writeDreamRecord(folder, {
    ...{ id: 'd1', startedAt: '2031-05-08T03:30:00.000Z', endedAt: null, by: 'hand', status: 'completed' },
    ...{ problem: null, process: thisProcess(), model: 'm', rounds: 1, toolCalls: 1, equivalentTokens: 1 },
    ...{ money: null, change: null, changes: changes.map((each, at) => ({ ...each, number: at + 1 })) },
    remarks,
  });
  const count = await purgeFromDreams(folder, { file: 'project_b.md', patience: LIMITS.lock });
  const text = readFileSync(join(folder, '.reverie', 'dreams', 'd1.json'), 'utf8');
  return { count, text, changes: readDreamRecord(folder, 'd1')!.changes };
}

const own = { from: 'project_c.md', quote: 'its own words' };

it.each<[string, Partial<DreamChange>]>([
  ['a change of it', { file: 'project_b.md', text: 'private' }],
  ['what was made of a quote', { text: 'private', evidence: [{ from: 'project_b.md', quote: 'private' }] }],
  ['a quote by another spelling', { text: 'private', evidence: [{ from: 'x/../project_b.md', quote: 'private' }] }],
  ['its line of the index', { state: 'landed', evidence: [{ from: 'MEMORY.md', quote: 'private' }] }],
  [
    'a reason that tells of it',
    { state: 'landed', reason: 'private', evidence: [{ from: 'project_b.md', quote: 'x' }] },
  ],
  ['why it was refused', { state: 'refused', why: 'private', evidence: [{ from: 'project_b.md', quote: 'x' }] }],
])('%s is gone from the record', async (_, fields) => {
  const other = change({ file: 'project_c.md', evidence: [own], text: 'stays' });
  const { count, text, changes } = await purged(change(fields), other);
  expect(count).toBe(1);
  expect(text).not.toContain('private');
  expect(changes.at(-1)).toEqual({ ...other, number: 2 });
});

it('the change that merges it goes too, even if it quotes only others', async () => {
  const merge = change({ text: 'private', evidence: [own] });
  const removal = change({ action: 'remove', file: 'project_b.md', into: ['project_a.md'] });
  const { text, changes } = await purged(merge, removal);
  expect(text).not.toContain('private');
  expect(changes).toEqual([]);
});

it('its hash from a rejected merge goes too', async () => {
  const hash = 'a'.repeat(64);
  const into = { into: ['project_b.md'], intoBase: [hash] };
  const { text, changes } = await purged(change({ action: 'remove', state: 'rejected', evidence: [own], ...into }));
  expect(text).not.toContain(hash);
  expect(changes[0]?.state).toBe('rejected');
});

it('a remark that names it goes too', async () => {
  const remarks = ['project_b.md was changed without a reason: not applied.', 'changes.json is empty.'];
  const { count, text } = await purgedWith(remarks, [change({ evidence: [own] })]);
  expect(count).toBe(1);
  expect(text).not.toContain('project_b.md');
  expect(text).toContain('changes.json is empty.');
});

it('nothing else is touched', async () => {
  const { count, changes } = await purged(change({ text: 'stays', evidence: [own] }));
  expect(count).toBe(0);
  expect(changes).toEqual([change({ text: 'stays', evidence: [own] })]);
});
