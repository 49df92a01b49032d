import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { hashOf } from '../../../disk/contents.ts';
import { type ProcessIdentity, thisProcess } from '../../../disk/process-identity.ts';
import { LIMITS } from '../../../limits.ts';
import type { Memory } from '../../../memory/memory.ts';
import { openMemory } from '../../../session/open-memory.ts';
import { landingReason } from '../records/landing.ts';
import type { DreamChange, DreamRecord } from '../records/record.ts';
import { readDreamRecord, writeDreamRecord } from '../records/records.ts';
import { openDreamInbox } from './inbox.ts';

const root = temporaryFolder('inbox');
const opened: Memory[] = [];
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

const fileText = (name: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: about ${name}\ntype: project\n${more}---\n\n${body}\n`;
const A = fileText('a', 'The staging database is called heron.');
const B = fileText('b', 'Heron is the database of staging.');
const MERGED = fileText('a', 'The staging database is called heron. It is of staging.');

async function place(files: Record<string, string> = { 'project_a.md': A, 'project_b.md': B }) {
  const folder = mkdtempSync(join(root, 'memory-'));
  const memory = await openMemory({ directory: folder, home: join(folder, '..', 'home'), env: { HOME: root } });
  opened.push(memory);
  for (const [file, text] of Object.entries(files)) await memory.files.write(file, text);
  const read = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : null);
  const inbox = openDreamInbox(memory, { patience: LIMITS.lock });
  return { folder, memory, inbox, read };
}

const change = (number: number, fields: Partial<DreamChange>): DreamChange => ({
  number,
  action: 'update',
  file: 'project_a.md',
  reason: 'They say the same.',
  evidence: [{ from: 'project_b.md', quote: 'of staging' }],
  into: [],
  state: 'waiting',
  why: 'review',
  base: null,
  text: null,
  ...fields,
});
const UPDATE_A = change(1, { base: hashOf(Buffer.from(A)), text: MERGED });
const REMOVE_B = change(2, {
  action: 'remove',
  file: 'project_b.md',
  into: ['project_a.md'],
  base: hashOf(Buffer.from(B)),
});

async function dream(folder: string, changes: readonly DreamChange[], id = 'lk3x-01'): Promise<DreamRecord> {
  const record: DreamRecord = {
    ...{ id, startedAt: '2031-05-08T03:30:00.000Z', endedAt: '2031-05-08T03:31:00.000Z', by: 'hand' },
    ...{ status: 'completed', problem: null, process: thisProcess(), model: 'm', rounds: 3, toolCalls: 5 },
    ...{ equivalentTokens: 10, money: null, change: null, changes },
  };
  await writeDreamRecord(folder, record);
  return record;
}
const statesOf = (folder: string) => readDreamRecord(folder, 'lk3x-01')?.changes.map(({ state }) => state);

describe('approving what a dream proposed', () => {
  it('lands all of it as one change that undo reverts byte for byte', async () => {
    const { folder, memory, inbox, read } = await place();
    const before = readdirSync(folder)
      .toSorted()
      .map((name) => [name, name.startsWith('.') ? '' : read(name)]);
    await dream(folder, [UPDATE_A, REMOVE_B]);
    const decided = await inbox.approve('lk3x');
    expect(decided.decisions.map(({ outcome }) => outcome)).toEqual(['approved', 'approved']);
    expect([read('project_a.md'), read('project_b.md')]).toEqual([MERGED, null]);
    expect(read('MEMORY.md')).not.toContain('project_b.md');
    expect(statesOf(folder)).toEqual(['approved', 'approved']);
    const [entry] = await memory.log({ limit: 1 });
    expect(entry).toMatchObject({ id: decided.change, who: 'dream', why: 'approved from dream lk3x-01: 1, 2' });
    await memory.undo(decided.change!);
    const after = readdirSync(folder)
      .toSorted()
      .map((name) => [name, name.startsWith('.') ? '' : read(name)]);
    expect(after).toEqual(before);
  });

  it('takes numbers, and names what has to come along', async () => {
    const { folder, inbox, read } = await place();
    await dream(folder, [UPDATE_A, REMOVE_B]);
    await expect(inbox.approve('lk3x-01', [2])).rejects.toMatchObject({
      code: 'refused',
      fix: 'Approve them together: reverie dream approve lk3x-01 1 2',
    });
    expect(read('project_b.md')).toBe(B);
    expect((await inbox.approve('lk3x-01', [1])).waiting).toEqual([2]);
    expect((await inbox.approve('lk3x-01', [2])).waiting).toEqual([]);
    expect(read('project_b.md')).toBeNull();
  });

  it('overwrites nothing that changed since, and removes nothing that rested on it', async () => {
    const { folder, inbox, read } = await place();
    await dream(folder, [UPDATE_A, REMOVE_B]);
    writeFileSync(join(folder, 'project_a.md'), `${A}my own line\n`);
    const decided = await inbox.approve('lk3x-01');
    expect(decided.change).toBeNull();
    expect(decided.decisions).toMatchObject([
      { outcome: 'waiting', why: 'project_a.md was changed since the dream' },
      { outcome: 'waiting', why: 'it rests on change 1 of project_a.md, which did not land' },
    ]);
    expect([read('project_a.md'), read('project_b.md')]).toEqual([`${A}my own line\n`, B]);
    expect(statesOf(folder)).toEqual(['waiting', 'waiting']);
    expect((await inbox.show('lk3x-01', [1])).shown[0]?.note).toBe('project_a.md was changed since the dream.');
  });

  it('does not remove what rested on a change that was rejected', async () => {
    const { folder, inbox, read } = await place();
    await dream(folder, [UPDATE_A, REMOVE_B]);
    await inbox.reject('lk3x-01', [1]);
    const decided = await inbox.approve('lk3x-01');
    expect(decided.decisions).toMatchObject([
      { number: 2, outcome: 'waiting', why: expect.stringContaining('rejected') },
    ]);
    expect(read('project_b.md')).toBe(B);
  });

  it.each([
    ['is not there', ['project_gone.md'], [], 'project_gone.md, which is to hold it, is not there'],
    ['lies elsewhere', ['../../etc/passwd'], [], '../../etc/passwd, which is to hold it, is not there'],
    [
      'goes too',
      ['project_a.md'],
      [change(3, { action: 'remove', base: hashOf(Buffer.from(A)) })],
      'project_a.md, which is to hold it, goes too by change 3',
    ],
  ])('does not remove a memory that nothing replaces: it %s', async (_, into, more, why) => {
    const { folder, inbox, read } = await place();
    await dream(folder, [{ ...REMOVE_B, into }, ...more]);
    expect((await inbox.approve('lk3x-01')).decisions[0]).toMatchObject({ outcome: 'waiting', why });
    expect(read('project_b.md')).toBe(B);
  });

  it('does not remove a memory that was pinned in the meantime', async () => {
    const pinned = fileText('b', 'Kept.', 'pinned: true\n');
    const { folder, inbox, read } = await place({ 'project_b.md': pinned });
    await dream(folder, [{ ...REMOVE_B, into: [], base: hashOf(Buffer.from(pinned)) }]);
    expect((await inbox.approve('lk3x-01')).decisions).toMatchObject([
      { outcome: 'waiting', why: 'project_b.md is pinned, and pinned memories are not removed' },
    ]);
    expect(read('project_b.md')).toBe(pinned);
  });

  it('refuses a secret, stores its text nowhere, and lands the rest', async () => {
    const { folder, inbox, read } = await place();
    const key = ['sk', 'ant', 'api03', 'x9Kd72mQpLw83nZtRv5bYc1Hs6Jf4Ge0AuTiOyWqXlCrMkNjBhVgFdSaPzEo'].join('-');
    const secret = change(3, { action: 'create', file: 'project_c.md', text: fileText('c', `The key is ${key}.`) });
    await dream(folder, [UPDATE_A, secret]);
    const decided = await inbox.approve('lk3x-01');
    expect(decided.decisions.map(({ outcome }) => outcome)).toEqual(['approved', 'refused']);
    expect([read('project_a.md'), read('project_c.md')]).toEqual([MERGED, null]);
    expect(readFileSync(join(folder, '.reverie', 'dreams', 'lk3x-01.json'), 'utf8')).not.toContain(key);
    expect(JSON.stringify(decided)).not.toContain(key);
  });

  it('refuses names that lead out of the folder', async () => {
    const { folder, inbox } = await place();
    await dream(folder, [
      change(1, { action: 'create', file: '../escaped.md', text: A }),
      change(2, { action: 'create', file: 'MEMORY.md', text: 'mine now' }),
      change(3, { action: 'create', file: 'project_new.md', text: A }),
    ]);
    const decided = await inbox.approve('lk3x-01');
    expect(decided.decisions.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'approved']);
    expect(existsSync(join(folder, '..', 'escaped.md'))).toBe(false);
  });

  it('does not overwrite a memory that was created in the meantime', async () => {
    const { folder, inbox, read } = await place();
    await dream(folder, [change(1, { action: 'create', file: 'project_b.md', text: MERGED })]);
    expect((await inbox.approve('lk3x-01')).decisions).toMatchObject([{ outcome: 'waiting' }]);
    expect(read('project_b.md')).toBe(B);
  });

  it('finds what landed before a kill, and only records it', async () => {
    const { folder, memory, inbox } = await place({ 'project_a.md': MERGED });
    await dream(folder, [UPDATE_A, REMOVE_B]);
    const changes = (await memory.log()).length;
    const decided = await inbox.approve('lk3x-01');
    expect(decided).toMatchObject({ change: null, waiting: [] });
    expect(statesOf(folder)).toEqual(['approved', 'approved']);
    expect(await memory.log()).toHaveLength(changes);
  });

  it('reports the decision of whoever came first, even between landing and recording', async () => {
    const { folder, memory, inbox, read } = await place();
    await dream(folder, [UPDATE_A, REMOVE_B]);
    let rejected: Awaited<ReturnType<typeof inbox.reject>> | undefined;
    const filesOf: Memory['filesOf'] = (scope) => ({
      ...memory.filesOf(scope),
      async change(...given) {
        const saved = await memory.filesOf(scope).change(...given);
        rejected = await inbox.reject('lk3x-01');
        return saved;
      },
    });
    const interrupted = openDreamInbox({ ...memory, filesOf }, { patience: LIMITS.lock });
    const decided = await interrupted.approve('lk3x-01');
    expect(decided.decisions.map(({ outcome, why }) => [outcome, why])).toEqual([
      ['approved', ''],
      ['approved', ''],
    ]);
    expect(rejected).toMatchObject({
      change: decided.change,
      decisions: [
        { outcome: 'approved', why: 'it was approved meanwhile' },
        { outcome: 'approved', why: 'it was approved meanwhile' },
      ],
    });
    expect([statesOf(folder), read('project_b.md')]).toEqual([['approved', 'approved'], null]);
  });

  it('lands nothing that was rejected after it was chosen, nor what rests on it', async () => {
    const { folder, memory, inbox, read } = await place();
    await dream(folder, [UPDATE_A, REMOVE_B]);
    const describeSecrets = async () => {
      await inbox.reject('lk3x-01', [1]);
      return null;
    };
    const decided = await openDreamInbox(memory, { patience: LIMITS.lock, describeSecrets }).approve('lk3x-01');
    expect(decided).toMatchObject({
      change: null,
      decisions: [
        { outcome: 'rejected', why: 'it was rejected meanwhile' },
        { outcome: 'waiting', why: expect.stringContaining('was rejected') },
      ],
      waiting: [2],
    });
    expect([read('project_a.md'), read('project_b.md')]).toEqual([A, B]);
    expect(statesOf(folder)).toEqual(['rejected', 'waiting']);
  });

  it('changes the text and the line of one memory together, or one after the other', async () => {
    for (const steps of [[[1, 3]], [[1], [3]]]) {
      const { folder, inbox, read } = await place();
      await dream(folder, [UPDATE_A, change(3, { action: 'unlist', base: hashOf(Buffer.from(A)) })]);
      for (const numbers of steps) await inbox.approve('lk3x-01', numbers);
      expect(statesOf(folder)).toEqual(['approved', 'approved']);
      expect(read('project_a.md')).toContain('It is of staging.');
      expect(read('MEMORY.md')).not.toContain('project_a.md');
    }
  });
});

describe('the inbox', () => {
  it('lists what is waiting, and rejecting removes it without a trace of its text', async () => {
    const { folder, inbox, read } = await place();
    await dream(folder, [UPDATE_A, { ...REMOVE_B, state: 'landed' }]);
    expect(inbox.waiting().map(({ record }) => record.id)).toEqual(['lk3x-01']);
    expect(await inbox.reject('lk3x-01')).toMatchObject({
      decisions: [{ number: 1, outcome: 'rejected' }],
      waiting: [],
    });
    expect(inbox.waiting()).toEqual([]);
    expect(readFileSync(join(folder, '.reverie', 'dreams', 'lk3x-01.json'), 'utf8')).not.toContain('It is of staging');
    expect(read('project_a.md')).toBe(A);
  });

  it('forgets a purged memory', async () => {
    const { folder, memory, inbox } = await place();
    const other = change(3, { file: 'project_c.md', evidence: [], text: 'stays' });
    await dream(folder, [UPDATE_A, REMOVE_B, other]);
    await memory.purge('project_b.md');
    expect(inbox.find('lk3x-01').record.changes).toEqual([other]);
  });

  it('shows a change against the current file, and what landed from the journal', async () => {
    const { folder, memory, inbox } = await place();
    await dream(folder, [UPDATE_A, REMOVE_B]);
    const { shown } = await inbox.show('lk3x-01');
    expect(shown.map(({ diff, note }) => [diff?.before, diff?.after, note])).toEqual([
      [A, MERGED, ''],
      [B, null, ''],
    ]);
    await inbox.approve('lk3x-01', [1]);
    await memory.files.write('project_a.md', 'other\n');
    expect((await inbox.show('lk3x-01', [1])).shown[0]?.diff).toEqual({ before: A, after: MERGED });
  });

  it.each([
    ['nope', undefined, 'not-found', /The last was lk3x-02/],
    ['lk3x-0', undefined, 'ambiguous', /lk3x-02, lk3x-01|lk3x-01, lk3x-02/],
    ['', undefined, 'not-found', /inbox/],
    ['lk3x-01', [7], 'not-found', /reverie dream show lk3x-01/],
    ['lk3x-01', [2], 'refused', /Waiting: 1\./],
    ['lk3x-02', undefined, 'not-found', /reverie dream inbox/],
  ] as const)('says what to do about %j %j', async (id, numbers, code, fix) => {
    const { folder, inbox } = await place();
    await dream(folder, [UPDATE_A, { ...REMOVE_B, state: 'landed' }]);
    await dream(folder, [], 'lk3x-02');
    await writeDreamRecord(folder, { ...readDreamRecord(folder, 'lk3x-02')!, startedAt: '2031-05-09T00:00:00.000Z' });
    for (const decide of [inbox.approve, inbox.reject]) {
      await expect(decide(id, numbers)).rejects.toMatchObject({ code, fix: expect.stringMatching(fix) });
    }
  });
});

describe('a dream whose process was killed while landing', () => {
  const GONE: ProcessIdentity = { ...thisProcess(), started: '1' };
  const C = fileText('c', 'Pelicans are in staging, too.');
  const UPDATE_C = change(3, { file: 'project_c.md', base: hashOf(Buffer.from(C)), text: C.replace('too', 'as well') });

  async function killed(facts: { readonly hasLanded: boolean }) {
    const opened = await place({ 'project_a.md': A, 'project_b.md': B, 'project_c.md': C });
    const { folder, memory } = opened;
    const record = await dream(folder, [UPDATE_A, REMOVE_B, UPDATE_C]);
    await writeDreamRecord(folder, { ...record, status: 'running', endedAt: null, process: GONE, landing: [1, 2] });
    const files = [
      { file: 'project_a.md', text: MERGED },
      { file: 'project_b.md', text: null },
    ];
    const reason = landingReason('lk3x-01', '1 merged, 1 updated');
    if (facts.hasLanded) await memory.files.change([], () => ({ reason, files }), { who: 'dream' });
    return opened;
  }

  it('shows what landed with its reasons, and what is waiting can still be approved', async () => {
    const { folder, memory, inbox, read } = await killed({ hasLanded: true });
    const { record, journalled } = await inbox.show('lk3x');
    expect(record).toMatchObject({ status: 'completed', change: journalled.get(1)!.change });
    expect(record.changes.map(({ state, reason }) => [state, reason])).toEqual([
      ['landed', 'They say the same.'],
      ['landed', 'They say the same.'],
      ['waiting', 'They say the same.'],
    ]);
    expect(await inbox.approve('lk3x')).toMatchObject({ decisions: [{ number: 3, outcome: 'approved' }] });
    expect(read('project_c.md')).toContain('as well');
    expect(statesOf(folder)).toEqual(['landed', 'landed', 'approved']);
    expect(readDreamRecord(folder, 'lk3x-01')).not.toHaveProperty('landing');
    await memory.undo(journalled.get(1)!.change);
    expect([read('project_a.md'), read('project_b.md')]).toEqual([A, B]);
  });

  it('leaves all of it to the user when it did not land', async () => {
    const { folder, inbox, read } = await killed({ hasLanded: false });
    expect(inbox.waiting().map(({ record }) => record.status)).toEqual(['killed']);
    await inbox.reject('lk3x', [3]);
    expect(statesOf(folder)).toEqual(['waiting', 'waiting', 'rejected']);
    await inbox.approve('lk3x');
    expect([read('project_a.md'), read('project_b.md'), read('project_c.md')]).toEqual([MERGED, null, C]);
  });
});
