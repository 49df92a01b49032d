/** What is removed of old sessions, and what never is. */

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../limits.ts';
import { projectLayout, sessionLayout } from '../home.ts';
import { holdSession } from './hold.ts';
import { chooseSessions, type FoundSession, sweepSessions } from './sweep.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = new Date();
const SLUG = 'project-00000000';
const LIMITS_HERE = { ...LIMITS.transcripts, keptBytes: 10_000 };

async function inHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = temporaryFolder('sweep');
  await work(home);
}

function write(path: string, facts: { readonly bytes: number; readonly daysAgo: number }): void {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, 'x'.repeat(facts.bytes));
  const time = new Date(NOW.getTime() - facts.daysAgo * DAY_MS);
  fs.utimesSync(path, time, time);
}

function makeSession(home: string, facts: { readonly bytes: number; readonly daysAgo: number }): string {
  const sessionId = randomUUID();
  const { transcript, toolResults, notesFile } = sessionLayout({ home, slug: SLUG, sessionId });
  write(transcript, { ...facts, bytes: facts.bytes - 200 });
  write(join(toolResults, 'one.txt'), { ...facts, bytes: 100 });
  write(notesFile, { ...facts, bytes: 100 });
  return sessionId;
}

function sessionsLeft(home: string): string[] {
  return fs
    .readdirSync(projectLayout(home, SLUG).folder)
    .filter((name) => name !== 'memory')
    .map((name) => name.replace('.jsonl', ''))
    .filter((name, at, all) => all.indexOf(name) === at);
}

describe('the sweep', () => {
  it('removes sessions past their time with all that belongs to them, and never memory', async () => {
    await inHome(async (home) => {
      const old = makeSession(home, { bytes: 1_000, daysAgo: 31 });
      const young = makeSession(home, { bytes: 1_000, daysAgo: 29 });
      const memories = [join(projectLayout(home, SLUG).memory, 'old.md'), join(home, 'memory', 'old.md')];
      const others = [join(projectLayout(home, SLUG).folder, 'mine.jsonl'), projectLayout(home, SLUG).recordFile];
      for (const path of [...memories, ...others]) write(path, { bytes: 50_000, daysAgo: 400 });

      const outcome = await sweepSessions({ home, now: NOW, limits: LIMITS_HERE });
      const removed = [{ slug: SLUG, sessionId: old, bytes: 1_000, reason: 'age' }];
      expect(outcome).toEqual({ kind: 'swept', removed, kept: [] });
      for (const path of [...memories, ...others]) expect(fs.existsSync(path)).toBe(true);
      expect(sessionsLeft(home)).toContain(young);
      expect(sessionsLeft(home)).not.toContain(old);
    });
  });

  it('makes room, oldest first', async () => {
    await inHome(async (home) => {
      const sessions = [5, 4, 3, 2, 1].map((daysAgo) => makeSession(home, { bytes: 4_000, daysAgo }));
      await sweepSessions({ home, now: NOW, limits: LIMITS_HERE });
      expect(sessionsLeft(home).sort()).toEqual(sessions.slice(3).sort());
    });
  });

  it('leaves a session that is open', async () => {
    await inHome(async (home) => {
      const sessionId = makeSession(home, { bytes: 1_000, daysAgo: 100 });
      const hold = await holdSession({ home, slug: SLUG, sessionId });
      const later = new Date(NOW.getTime() + 100 * DAY_MS);
      expect(await sweepSessions({ home, now: later, limits: LIMITS_HERE })).toEqual({
        kind: 'swept',
        removed: [],
        kept: [],
      });
      if (hold.kind === 'held') await hold.release();
      const muchLater = new Date(NOW.getTime() + 102 * DAY_MS);
      expect(await sweepSessions({ home, now: muchLater, limits: LIMITS_HERE })).toMatchObject({
        removed: [{ sessionId }],
      });
      expect(sessionsLeft(home)).toEqual([]);
    });
  });

  it('removes tool results whose session kept no transcript', async () => {
    await inHome(async (home) => {
      const sessionId = randomUUID();
      write(join(sessionLayout({ home, slug: SLUG, sessionId }).toolResults, 'x'), { bytes: 5, daysAgo: 50 });
      await sweepSessions({ home, now: NOW, limits: LIMITS_HERE });
      expect(sessionsLeft(home)).toEqual([]);
    });
  });

  it('follows no link out of the home', async () => {
    await inHome(async (home) => {
      const sessionId = makeSession(home, { bytes: 1_000, daysAgo: 50 });
      const outside = join(home, 'outside');
      write(join(outside, 'kept'), { bytes: 5, daysAgo: 50 });
      fs.symlinkSync(outside, join(sessionLayout({ home, slug: SLUG, sessionId }).folder, 'link'));
      const foreign = join(outside, `${randomUUID()}.jsonl`);
      write(foreign, { bytes: 5, daysAgo: 50 });
      fs.symlinkSync(outside, join(home, 'projects', 'linked'));
      await sweepSessions({ home, now: NOW, limits: LIMITS_HERE });
      expect(fs.existsSync(join(outside, 'kept'))).toBe(true);
      expect(fs.existsSync(foreign)).toBe(true);
    });
  });

  it('comes once a day', async () => {
    await inHome(async (home) => {
      const sweepAfter = (hours: number) =>
        sweepSessions({ home, now: new Date(NOW.getTime() + hours * 3_600_000), limits: LIMITS_HERE });
      const kinds = [];
      for (const hours of [0, 1, 23, 25, 30, -100]) kinds.push((await sweepAfter(hours)).kind);
      expect(kinds).toEqual(['swept', 'not-yet', 'not-yet', 'swept', 'not-yet', 'swept']);
    });
  });
});

describe('the choice', () => {
  const session = fc.record({
    slug: fc.constant(SLUG),
    sessionId: fc.uuid(),
    bytes: fc.nat(5_000),
    modifiedMs: fc.integer({ min: NOW.getTime() - 60 * DAY_MS, max: NOW.getTime() }),
    isHeld: fc.boolean(),
  }) satisfies fc.Arbitrary<FoundSession>;

  it('is no more than it must be, and never what is held', () => {
    fc.assert(
      fc.property(fc.array(session), (sessions) => {
        const limits = LIMITS_HERE;
        const chosen = chooseSessions(sessions, { now: NOW, limits });
        const gone = new Set(chosen.map((each) => each.session));
        const left = sessions.filter((each) => !gone.has(each));
        const isOld = (each: FoundSession) => each.modifiedMs < NOW.getTime() - limits.keptDays * DAY_MS;
        const sum = (list: readonly FoundSession[]) => list.reduce((total, { bytes }) => total + bytes, 0);
        expect([...gone].filter(({ isHeld }) => isHeld)).toEqual([]);
        expect(left.filter((each) => isOld(each) && !each.isHeld)).toEqual([]);
        const free = left.filter(({ isHeld }) => !isHeld);
        if (sum(left) > limits.keptBytes) expect(free).toEqual([]);
        const last = chosen.filter(({ reason }) => reason === 'room').at(-1)?.session;
        if (last) expect(sum([...left, last])).toBeGreaterThan(limits.keptBytes);
      }),
    );
  });
});
