/** The hooks of one conversation are processes that run at once: what one claims, no other has. */

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { thisProcess } from '../../disk/process-identity.ts';
import { openHookSession, sweepHookSessions } from './session.ts';
import { readHookProblems, recentHookProblems, recordHookProblem } from './status.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder('hook-session');
});

const open = (sessionId = 's') => openHookSession(home, { host: 'claude-code', sessionId });
const folder = () => join(home, 'hook-sessions');

it('reads as empty, and leaves no file, until something is claimed', () => {
  expect(open().read()).toEqual({
    surfaced: new Set(),
    bytesSurfaced: 0,
    given: 0,
    start: 'never',
    toldAtMs: 0,
    waiting: [],
    handled: new Set(),
    claimed: new Map(),
    forkedAt: '',
    learntUntil: '',
  });
  expect(existsSync(folder())).toBe(false);
});

it('counts as given what a hook put before the agent, not what the agent read itself', () => {
  open().claimSurfaced([
    { key: 'project:a.md', bytes: 100 },
    { key: 'project:b.md', bytes: 0 },
  ]);
  expect(open().read()).toMatchObject({ surfaced: new Set(['project:a.md', 'project:b.md']), given: 1 });
});

it('gives a memory to the first that claims it, until the conversation is compacted', () => {
  const items = [{ key: 'project:a.md', bytes: 100 }];
  expect(open().claimSurfaced(items)).toEqual(items);
  expect(open().claimSurfaced([...items, { key: 'project:b.md', bytes: 50 }])).toEqual([
    { key: 'project:b.md', bytes: 50 },
  ]);
  expect(open().read().bytesSurfaced).toBe(150);
  open().forgetSurfaced();
  expect(open().read()).toMatchObject({ bytesSurfaced: 0, start: 'lost' });
  expect(open().claimSurfaced(items)).toEqual(items);
});

it('keeps conversations apart, and their ids out of file names', () => {
  open('../../escape').claimSurfaced([{ key: 'k', bytes: 1 }]);
  open('other').claimSurfaced([{ key: 'k', bytes: 1 }]);
  expect(readdirSync(folder()).every((name) => /^[0-9a-f]{32}\.jsonl$/.test(name))).toBe(true);
  expect(readdirSync(folder())).toHaveLength(2);
});

it('hands a message to one hook, and to the next only when that one failed', () => {
  expect(open().claimSaid('h')).toBe(true);
  expect(open().claimSaid('h')).toBe(false);
  open().releaseSaid('h');
  expect(open().claimSaid('h')).toBe(true);
  open().finishSaid('h');
  open().releaseSaid('h');
  expect(open().claimSaid('h')).toBe(false);
});

it('hands a message on when the hook that had it was killed', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    expect(open().claimSaid('h')).toBe(true);
    vi.advanceTimersByTime(20_000);
    expect(open().claimSaid('h')).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(open().claimSaid('h')).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

it('hands a message on at once when the process that had it is gone', () => {
  const { pid } = spawnSync('true');
  const session = open();
  session.keepSaid({ text: 'one', at: '2026-01-01T00:00:00.000Z' }, null);
  const [name] = readdirSync(folder());
  const claim = (of: number) => {
    const by = { ...thisProcess(), pid: of, started: null };
    return { claimed: 'h', id: `of-${of}`, by, untilMs: Date.now() + 60_000 };
  };
  appendFileSync(join(folder(), name!), `${JSON.stringify(claim(pid))}\n`);
  expect(session.claimSaid('h')).toBe(true);
  session.releaseSaid('h');
  appendFileSync(join(folder(), name!), `${JSON.stringify(claim(process.ppid))}\n`);
  expect(session.claimSaid('h')).toBe(false);
});

it('loses one line to damage, and no other', () => {
  open().keepSaid({ text: 'one', at: '2026-01-01T00:00:00.000Z' }, null);
  const [name] = readdirSync(folder());
  appendFileSync(join(folder(), name!), '{"said":"torn');
  open().keepSaid({ text: 'two', at: '2026-01-01T00:00:00.000Z' }, null);
  expect(
    open()
      .read()
      .waiting.map(({ text }) => text),
  ).toEqual(['one', 'two']);
});

it('sweeps what nobody went on with for thirty days, and nothing that is not its own', () => {
  open('old').markStarted();
  open('new').markStarted();
  appendFileSync(join(folder(), 'notes.txt'), 'mine');
  const now = new Date('2026-06-30T00:00:00Z');
  const names = readdirSync(folder());
  for (const name of names) utimesSync(join(folder(), name), new Date('2026-06-29'), new Date('2026-06-29'));
  const old = names.filter((name) => name.endsWith('.jsonl'))[0]!;
  for (const name of [old, 'notes.txt'])
    utimesSync(join(folder(), name), new Date('2026-05-01'), new Date('2026-05-01'));
  sweepHookSessions(home, { now, keptDays: 30 });
  expect(readdirSync(folder()).toSorted()).toEqual(names.filter((name) => name !== old).toSorted());
});

it('reports problems for a week', () => {
  const problem = { host: 'codex', event: 'Stop', problem: 'broken' };
  for (const at of ['2026-01-01T00:00:00.000Z', '2026-01-09T00:00:00.000Z'])
    recordHookProblem(home, { ...problem, at });
  expect(recentHookProblems(home, new Date('2026-01-10')).map(({ at }) => at)).toEqual(['2026-01-09T00:00:00.000Z']);
  expect(readHookProblems(home)).toHaveLength(2);
});

it('keeps the record of problems within bounds, the newest first', () => {
  for (let at = 0; at < 2_000; at++) {
    recordHookProblem(home, { at: '2026-01-01T00:00:00.000Z', host: 'codex', event: 'Stop', problem: `problem ${at}` });
  }
  expect(readHookProblems(home)[0]?.problem).toBe('problem 1999');
  expect(statSync(join(home, 'status', 'hooks.jsonl')).size).toBeLessThan(70_000);
});
