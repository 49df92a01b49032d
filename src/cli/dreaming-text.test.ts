import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLine } from '../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { NO_USAGE } from '../conversation/message.ts';
import { projectLayout } from '../disk/home.ts';
import { openLedger } from '../disk/ledger/ledger.ts';
import { thisProcess } from '../disk/process-identity.ts';
import { readDreamingStatus } from '../layers/6-dreaming/inbox/status.ts';
import { openDreamLock } from '../layers/6-dreaming/records/lock.ts';
import { writeProgress } from '../layers/6-dreaming/records/progress.ts';
import type { DreamChange, DreamRecord } from '../layers/6-dreaming/records/record.ts';
import { writeDreamRecord } from '../layers/6-dreaming/records/records.ts';
import { openMemory } from '../session/open-memory.ts';
import { findPlace } from '../settings/place.ts';
import { dreamingLines } from './dreaming-text.ts';
import { NO_PAINT } from './terminal/paint.ts';

const NOW = new Date('2031-05-08T12:00:00.000Z');
let root: string;
let folder: string;
beforeEach(() => {
  root = temporaryFolder('dream-status');
  folder = join(root, 'memory');
  mkdirSync(folder);
});

function look(settings: Record<string, unknown> = {}) {
  const place = findPlace({ directory: folder, home: join(root, 'home'), cwd: root, settings, env: { HOME: root } });
  const status = readDreamingStatus({ memory: { enabled: true, folders: { project: folder } }, place, now: NOW });
  const text = dreamingLines(status, { paint: NO_PAINT, now: NOW, inbox: 'reverie dream inbox' }).join('\n');
  return { status, scope: status.scopes[0]!, text };
}

const change = (number: number, state: DreamChange['state']): DreamChange => ({
  ...{ number, state, action: 'remove', file: 'a.md', reason: '', evidence: [], into: [], why: '' },
  ...{ base: null, text: null },
});
const record = (fields: Partial<DreamRecord> = {}): DreamRecord => ({
  ...{ id: 'd1', startedAt: '2031-05-08T10:00:00.000Z', endedAt: '2031-05-08T10:01:00.000Z', by: 'itself' },
  ...{ status: 'completed', problem: null, process: thisProcess(), model: 'm', rounds: 1, toolCalls: 1 },
  ...{ equivalentTokens: 1, money: 0.5, change: null, changes: [change(1, 'landed'), change(2, 'waiting')] },
  ...fields,
});

describe('the status of dreaming', () => {
  it.each([
    [
      {},
      { isOn: true, isByItself: true, mode: 'apply' },
      'on, starts by itself; changes that pass its rules take effect',
    ],
    [{ 'layers.dreaming': false }, { isOn: false, isByItself: false }, 'dreaming: off'],
    [{ dailyLog: true }, { isOn: true, isByItself: false }, 'on, only by hand or by a timer'],
    [{ 'dreaming.mode': 'review' }, { mode: 'review' }, 'every change waits for you'],
  ])('says whether it is on: %j', (settings, wanted, words) => {
    const { status, text } = look(settings);
    expect(status).toMatchObject(wanted);
    expect(text).toContain(words);
  });

  it('says nothing when nothing was dreamt', () => {
    expect(look().scope).toEqual({
      ...{ scope: 'project', last: null, lastAt: null, underWay: null, waiting: 0, nextAt: null, backOff: null },
      ...{ due: null, problems: [] },
    });
  });

  it('shows the last one, what is waiting, and when the next may begin', async () => {
    await writeDreamRecord(folder, record());
    await writeDreamRecord(folder, record({ id: 'd0', startedAt: '2031-05-01T10:00:00.000Z' }));
    const held = await openDreamLock(folder, { now: () => new Date('2031-05-08T10:00:00.000Z') }).take();
    if (held.kind === 'held') await held.succeed(new Date('2031-05-08T10:00:00.000Z'));
    const { scope, text } = look();
    expect(scope).toMatchObject({
      last: { id: 'd1', status: 'completed', changes: { landed: 1, waiting: 1 }, money: 0.5 },
      waiting: 2,
      nextAt: '2031-05-09T10:00:00.000Z',
    });
    expect(text).toContain('project: last dream 2 hours ago, completed: 1 landed, 1 waits; cost $0.50');
    expect(text).toContain('project: 2 changes wait for you: reverie dream inbox');
    expect(text).toContain('next one from 2031-05-09 10:00 UTC on, after 5 sessions');
  });

  it.each([
    [2, 'project: the next one starts after 5 sessions; 2 so far'],
    [7, 'project: a dream is due: it begins after an answer in a conversation'],
  ])('says why one that is due has not begun, after %d sessions', (sessions, words) => {
    writeFileSync(join(folder, 'a.md'), 'A');
    const place = findPlace({ directory: folder, home: join(root, 'home'), cwd: root, env: { HOME: root } });
    const project = projectLayout(place.home, place.slug).folder;
    mkdirSync(project, { recursive: true });
    for (let at = 0; at < sessions; at++) writeFileSync(join(project, `${randomUUID()}.jsonl`), '');
    const { scope, text } = look();
    expect(scope.due).toEqual({ sessions: Math.min(5, sessions), needed: 5 });
    expect(text).toContain(words);
    expect(look({ dailyLog: true }).text).not.toContain(words);
  });

  it('shows the running one, whose record is not the last one', async () => {
    await writeDreamRecord(folder, record({ id: 'd2', startedAt: '2031-05-08T11:57:00.000Z', status: 'running' }));
    await writeDreamRecord(folder, record({ changes: [] }));
    await writeProgress(folder, {
      ...{ id: 'd2', scope: 'project', startedAt: '2031-05-08T11:57:00.000Z', status: 'running', state: 'updating' },
      ...{
        rounds: 4,
        lastRounds: [],
        toolCalls: 7,
        files: ['a.md', 'b.md'],
        equivalentTokens: 1,
        money: null,
        closing: null,
      },
    });
    const { scope, text } = look();
    expect(scope).toMatchObject({ last: { id: 'd1' }, underWay: { id: 'd2', rounds: 4, files: 2, pid: process.pid } });
    expect(text).toContain('running, begun 3 minutes ago: dreaming · 4 rounds · 2 files');
    expect(text).toContain('completed: nothing to change');
  });

  it('shows one that died, and how long failures hold the next one back', async () => {
    await writeDreamRecord(folder, record({ status: 'running', endedAt: null }));
    const held = await openDreamLock(folder, { now: () => new Date('2031-05-08T11:30:00.000Z') }).take();
    if (held.kind === 'held') await held.giveBack('the model\u001b[2J left');
    const { scope, text } = look();
    expect(scope.last?.status).toBe('died');
    expect(scope.backOff).toMatchObject({ until: '2031-05-08T12:30:00.000Z', failures: 1 });
    expect(text).toContain('waits until 2031-05-08 12:30 UTC, because it failed once: the model left');
  });

  it('says when the folder is not what it should be', () => {
    mkdirSync(join(folder, '.reverie', 'dreams'), { recursive: true });
    writeFileSync(join(folder, '.reverie', 'dreams', 'torn.json'), '{');
    expect(look().scope.problems).toEqual(['.reverie/dreams/torn.json is skipped: it is not JSON']);
    rmSync(join(folder, '.reverie'), { recursive: true });
    writeFileSync(join(folder, '.reverie'), 'a file');
    expect(look().scope.problems).toHaveLength(1);
  });

  it('shows what a killed one had cost', async () => {
    await writeDreamRecord(folder, record({ status: 'running', endedAt: null, money: 0, changes: [] }));
    await writeProgress(folder, {
      ...{ id: 'd1', scope: 'project', startedAt: '2031-05-08T10:00:00.000Z', status: 'running', state: 'updating' },
      ...{ rounds: 3, lastRounds: [], toolCalls: 7, files: [], equivalentTokens: 9, money: 0.25, closing: null },
    });
    const file = join(folder, '.reverie', 'dreams', 'progress.json');
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    // Another process with its PID began at another time.
    writeFileSync(file, JSON.stringify({ ...kept, process: { ...kept.process, started: '1' } }));
    expect(look().scope.last).toMatchObject({ status: 'died', money: 0.25 });
    expect(look().text).toContain('died; cost $0.25');
  });

  it('counts undone changes as undone, and as landed again once the undo is undone', async () => {
    const memory = await openMemory({ directory: folder, home: join(root, 'home'), env: { HOME: root } });
    await memory.files.write('a.md', 'A');
    const plan = () => ({ reason: 'dream d1: 1 removed', files: [{ file: 'a.md', text: null }] });
    const landed = await memory.files.change(['a.md'], plan, { who: 'dream' });
    await writeDreamRecord(folder, record({ change: landed!.change }));
    expect(look().scope.last?.changes).toEqual({ landed: 1, waiting: 1 });
    const undo = await memory.undo(landed!.change);
    expect(look().scope.last?.changes).toEqual({ undone: 1, waiting: 1 });
    expect(look().text).toContain('completed: 1 taken back, 1 waits');
    await memory.undo(undo.id);
    expect(look().scope.last?.changes).toEqual({ landed: 1, waiting: 1 });
    await memory.close();
  });

  it('shows one that landed and was killed before it could say so', async () => {
    const memory = await openMemory({ directory: folder, home: join(root, 'home'), env: { HOME: root } });
    await memory.files.write('a.md', 'A');
    const gone = { ...thisProcess(), started: '1' };
    const changes = [change(1, 'waiting'), change(2, 'waiting')];
    await writeDreamRecord(folder, record({ status: 'running', endedAt: null, process: gone, changes, landing: [1] }));
    expect(look().scope).toMatchObject({ last: { status: 'died' }, waiting: 2 });
    const plan = () => ({ reason: 'dream d1: 1 removed', files: [{ file: 'a.md', text: null }] });
    await memory.files.change(['a.md'], plan, { who: 'dream' });
    expect(look().scope).toMatchObject({
      last: { status: 'completed', changes: { landed: 1, waiting: 1 } },
      waiting: 1,
    });
    await memory.close();
  });

  it('is reported in one place, with what the ledger knows', async () => {
    const home = join(root, 'home');
    const { slug: project } = findPlace({ home, env: { HOME: root } });
    const ledger = openLedger({ home, session: 's', project, now: () => NOW, onProblem: () => {} });
    const spent = { usage: NO_USAGE, equivalentTokens: 1, milliseconds: 1, money: 0.5 };
    ledger.record({
      ...{ id: '1', at: NOW.toISOString(), purpose: 'dream', background: true, model: 'm', outcome: 'done' },
      ...spent,
    });
    ledger.close();
    const memory = await openMemory({ directory: folder, home, env: { HOME: root } });
    const { stdout } = await runLine(['status', '--home', home], { memory, now: NOW, environment: { HOME: root } });
    const lines = stdout.split('\n').filter((line) => /^ {2}dream/.test(line));
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}dreaming: on, starts by itself; .*; 1 call, \$0\.5000 in \d+ days$/),
    ]);
    await memory.close();
  });
});
