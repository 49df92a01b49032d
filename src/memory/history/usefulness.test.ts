/** What became of memories: what the ledger says of recalls and uses, and what the journals say against them. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { Change, FileChange } from '../../disk/journal/change.ts';
import { appendToLedger } from '../../disk/ledger/append.ts';
import type { MemoryFacts } from '../../disk/ledger/line.ts';
import { openMemory } from '../../session/open-memory.ts';
import { findPlace, type Place } from '../../settings/place.ts';
import type { Memory } from '../memory.ts';
import { judgeContradiction, readUsefulness } from './usefulness.ts';

describe('a change to a memory', () => {
  const text = (header: string, body: string) => `---\nname: n\ndescription: d\n${header}---\n\n${body}\n`;
  const BEFORE = text('', 'Deploys go out on Tuesdays.\n\n**Why:** The backup.');
  const judge = (after: string | null, change: Partial<Change> = {}) => {
    const contents = new Map([
      ['before', BEFORE],
      ['after', after ?? ''],
    ]);
    const file: FileChange = { file: 'a.md', before: 'before', after: after === null ? null : 'after' };
    return judgeContradiction({
      change: { who: 'user', files: [file], ...change },
      file,
      content: (hash) => (contents.has(hash) ? Buffer.from(contents.get(hash)!) : null),
    });
  };

  it.each<[string, string | null, string]>([
    ['removes it', null, 'removed'],
    ['says that it is wrong', text('refuted: it was Monday\n', 'Deploys go out on Tuesdays.'), 'refuted'],
    ['names its successor', text('superseded_by: b.md\n', 'Deploys go out on Tuesdays.'), 'superseded'],
    ['says something else', text('', 'Deploys go out on Mondays.\n\n**Why:** The backup.'), 'corrected'],
    ['takes a part away', text('', 'Deploys go out on Tuesdays.'), 'corrected'],
  ])('speaks against it when it %s', (_, after, how) => {
    expect(judge(after)).toEqual({ isContradicted: true, how });
  });

  it.each<[string, string | null, Partial<Change>, string]>([
    ['pins it', text('pinned: true\nmodified: 2026-01-01\n', BEFORE.split('---\n\n')[1]!.trim()), {}, 'added-to'],
    [
      'adds to it',
      text('', 'New first.\n\nDeploys go out  on Tuesdays.\n\n**Why:** The backup.\nMore.'),
      {},
      'added-to',
    ],
    ['is made by a dream', null, { who: 'dream' }, 'not-a-judgement'],
    [
      'gives it another name',
      null,
      {
        files: [
          { file: 'a.md', before: 'before', after: null },
          { file: 'b.md', before: null, after: 'before' },
        ],
      },
      'moved',
    ],
  ])('does not when it %s', (_, after, change, reason) => {
    expect(judge(after, change)).toEqual({ isContradicted: false, reason });
  });

  it('does not when it makes the memory, or when its text was not kept', () => {
    const content = () => null;
    const change = { who: 'user', files: [] } as const;
    expect(judgeContradiction({ change, content, file: { file: 'a.md', before: null, after: 'x' } })).toMatchObject({
      reason: 'new',
    });
    expect(judgeContradiction({ change, content, file: { file: 'a.md', before: 'y', after: 'x' } })).toMatchObject({
      reason: 'text-unknown',
    });
  });
});

describe('readUsefulness', () => {
  let root: string;
  let place: Place;
  let memory: Memory;
  beforeEach(async () => {
    root = temporaryFolder('usefulness');
    mkdirSync(join(root, 'project'));
    const options = { home: join(root, 'home'), cwd: join(root, 'project'), env: { HOME: root } };
    place = findPlace(options);
    memory = await openMemory(options);
  });
  afterEach(async () => {
    await memory.close();
  });

  interface Told extends Partial<MemoryFacts> {
    readonly session?: string;
    readonly project?: string;
    readonly minutesAgo?: number;
  }
  function tell(file: string, { session = 's1', project = place.slug, minutesAgo = 0, ...facts }: Told = {}) {
    const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
    const line = { type: 'memory', at, session, project, scope: 'project', file, what: 'recalled' } as const;
    appendToLedger(place.home, [{ ...line, watched: true, ...facts }]);
    return at;
  }
  const read = (days?: number) => readUsefulness({ place, now: new Date(), ...(days === undefined ? {} : { days }) });
  const save = async (name: string) =>
    (await memory.save({ type: 'project', name, description: name, body: `${name} is so.` })).file;

  it('counts recalls and uses by memory, of this project and of what is global', async () => {
    const first = tell('a.md', { minutesAgo: 2 });
    tell('a.md', { what: 'used', minutesAgo: 1 });
    const last = tell('a.md', { session: 's2', watched: false });
    tell('g.md', { scope: 'global', project: 'another' });
    tell('a.md', { project: 'another' });
    tell('never-recalled.md', { what: 'used' });
    const counted = await read();
    expect([...counted.keys()].sort()).toEqual(['global:g.md', 'project:a.md']);
    expect(counted.get('project:a.md')).toEqual({
      ...{ recalled: 2, watched: 1, used: 1, contradicted: 0 },
      ...{ firstRecalledAt: first, lastRecalledAt: last },
    });
  });

  it('counts of a memory what came since it was changed, where it is asked so', async () => {
    tell('a.md', { minutesAgo: 30 });
    tell('a.md', { minutesAgo: 20, what: 'used' });
    const first = tell('a.md', { minutesAgo: 5 });
    tell('b.md', { minutesAgo: 30 });
    const changedAt = new Date(Date.now() - 10 * 60_000).toISOString();
    const since = (key: string) => (key === 'project:a.md' ? changedAt : undefined);
    const counted = await readUsefulness({ place, now: new Date(), since });
    expect(counted.get('project:a.md')).toMatchObject({ recalled: 1, watched: 1, used: 0, firstRecalledAt: first });
    expect(counted.get('project:b.md')).toMatchObject({ recalled: 1 });
  });

  it('looks at the days it is asked for', async () => {
    tell('old.md', { minutesAgo: 5 * 24 * 60 });
    tell('new.md');
    expect([...(await read(2)).keys()]).toEqual(['project:new.md']);
    expect((await read(10)).size).toBe(2);
  });

  it('finds in the journal what was corrected, removed or undone after it was recalled', async () => {
    const [corrected, removed, undone, kept] = [
      await save('Corrected'),
      await save('Removed'),
      await save('Undone'),
      await save('Kept'),
    ];
    for (const file of [corrected, removed, undone, kept]) tell(file);
    await memory.update(corrected, { body: 'It is otherwise.' });
    await memory.forget(removed, { who: 'agent' });
    await memory.undo((await memory.log({ file: undone }))[0]!.id);
    await memory.pin(kept);
    const counted = await read();
    const times = [corrected, removed, undone, kept].map((file) => counted.get(`project:${file}`)?.contradicted);
    expect(times).toEqual([1, 1, 1, 0]);
  });

  it('does not count what was taken back, what came before, and what came long after', async () => {
    const [restored, before, late] = [await save('Restored'), await save('Before'), await save('Late')];
    await memory.update(before, { body: 'It is otherwise.' });
    tell(late, { session: 'long-ago', minutesAgo: 3 * 60 });
    for (const file of [restored, before]) tell(file);
    await memory.undo((await memory.forget(restored)).change);
    await memory.update(late, { body: 'It is otherwise.' });
    const counted = await read();
    const times = [restored, before, late].map((file) => counted.get(`project:${file}`)?.contradicted);
    expect(times).toEqual([0, 0, 0]);
  });

  it('says nothing of memories that nobody recalled, and needs no ledger', async () => {
    await save('Alone');
    expect((await read()).size).toBe(0);
  });
});
