/** Dreams under fire: holders killed and stopped at any moment, never two at once, never stuck, the time always put back. */

import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDreamLock } from '../../src/layers/6-dreaming/records/lock.ts';
import { type DreamLine, followDreams, isSame, readDreamLog } from './dream-log.ts';
import { inTemporaryFolder, inThisRun, sampleEvenly, say, twoAtOnce } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { strikeAt, traceCalls, whyNoStrace } from './strace.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const PROCESSES = 5;
const HANG_MS = 60_000;
const HOUR_MS = 3_600_000;

interface Fire {
  readonly rounds: number;
  readonly kills: number;
  readonly stops: number;
  readonly stoppedMs: number;
  /** What a run must have seen before it may end. */
  isEnough(log: readonly DreamLine[]): boolean;
  readonly facts: object;
}

/** Several processes dream in one folder while some are killed and some are stopped for a while. */
async function underFire(folder: string, fire: Fire) {
  const places = {
    memory: `${folder}/memory`,
    commitFolder: `${folder}/commit-lock`,
    witnessFolder: `${folder}/witness`,
  };
  for (const path of Object.values(places)) mkdirSync(path);
  for (const name of ['rounds', 'commits']) writeFileSync(`${places.witnessFolder}/${name}.log`, '');
  const random = seededRandom(inThisRun({ short: 17, long: 18 }));
  let seed = 1;
  const start = () => startWorker('./dream-lock-worker.mjs', { ...places, ...fire.facts, seed: seed++ });
  const workers = Array.from({ length: PROCESSES }, start);
  await Promise.all(workers.map((worker) => worker.line('READY')));

  const done = { kills: 0, stops: 0 };
  const ended: WorkerProcess[] = [];
  const progress = { rounds: 0, atMs: Date.now() };
  for (;;) {
    const log = readDreamLog(places.witnessFolder);
    const rounds = log.filter(({ event }) => event === 'begin').length;
    if (rounds > progress.rounds) Object.assign(progress, { rounds, atMs: Date.now() });
    if (Date.now() - progress.atMs > HANG_MS) break;
    const isDone = rounds >= fire.rounds && done.kills >= fire.kills && done.stops >= fire.stops;
    // What was not seen by then is not going to be; the expectations say so.
    if (isDone && (fire.isEnough(log) || rounds >= 4 * fire.rounds)) break;
    await sleep(random() * 30);
    // Strikes keep pace with the dreams; faster, nobody would come to dreaming any more.
    const share = (done.kills + done.stops) / (fire.kills + fire.stops);
    if (share > rounds / fire.rounds) continue;
    // One that has not come to dreaming yet would only be killed at its start.
    const ready = workers.filter(({ lines }) => lines.length > 0);
    const dreamer = random() < 0.7 ? dreamerAmong(ready, log) : undefined;
    const victim = dreamer ?? ready[Math.floor(random() * ready.length)];
    if (victim === undefined) continue;
    if (random() < fire.kills / (fire.kills + fire.stops)) {
      victim.signal('SIGKILL');
      ended.push(victim);
      workers[workers.indexOf(victim)] = start();
      done.kills += 1;
    } else {
      victim.signal('SIGSTOP');
      await sleep(random() * fire.stoppedMs);
      victim.signal('SIGCONT');
      done.stops += 1;
    }
  }
  writeFileSync(`${places.witnessFolder}/stop`, '');
  await Promise.all([...ended, ...workers].map((worker) => worker.ended));
  const log = readDreamLog(places.witnessFolder);
  const commits = readFileSync(`${places.witnessFolder}/commits.log`, 'utf8').split('\n').slice(0, -1).map(Number);
  const complaints = [...ended, ...workers].map((worker) => worker.complaints()).join('');
  return { places, done, log, commits, complaints };
}

/** The process that was the last to begin, if it has not ended yet. */
function dreamerAmong(workers: readonly WorkerProcess[], log: readonly DreamLine[]): WorkerProcess | undefined {
  const newest = log.findLast(({ event }) => event === 'begin' || event === 'ended');
  return newest?.event === 'begin' ? workers.find(({ pid }) => pid === newest.pid) : undefined;
}

const count = (log: readonly DreamLine[], event: DreamLine['event']) =>
  log.filter((line) => line.event === event).length;
const isAscending = (numbers: readonly number[]) => numbers.every((each, at) => at === 0 || each > numbers[at - 1]!);

describe.concurrent('dreams', () => {
  it('are never two at once, never stuck, and told the right time, while dreamers are killed and stopped', {
    timeout: 600_000,
  }, async () => {
    await inTemporaryFolder(async (folder) => {
      const rounds = inThisRun({ short: 40, long: 1_000 });
      const { places, done, log, commits, complaints } = await underFire(folder, {
        rounds,
        kills: inThisRun({ short: 8, long: 200 }),
        stops: inThisRun({ short: 8, long: 200 }),
        stoppedMs: 60,
        isEnough: (lines) => count(lines, 'inherited') >= inThisRun({ short: 2, long: 50 }),
        facts: { isExclusive: true, heldMs: 20, commitMs: 1 },
      });
      const { possible, problems } = followDreams(log);
      say(
        `dream lock: ${count(log, 'begin')} dreams by ${PROCESSES} processes, ${done.kills} killed (${count(log, 'inherited')} inside), ` +
          `${done.stops} stopped; ${count(log, 'double')} at once, ${commits.length} commits, ${problems.length} told a wrong time`,
      );
      expect(complaints).toBe('');
      expect(log.filter(({ event }) => event === 'double' || event === 'error')).toEqual([]);
      expect(problems).toEqual([]);
      expect(count(log, 'begin')).toBeGreaterThanOrEqual(rounds);
      expect(count(log, 'inherited')).toBeGreaterThan(0);
      expect(log.filter((line) => line.isDone === false || line.isCommitted === false)).toEqual([]);
      expect(isAscending(commits)).toBe(true);

      const lock = openDreamLock(places.memory);
      const look = lock.look();
      expect(look.heldBy).toBeNull();
      expect(possible.some((each) => isSame(each, look))).toBe(true);
      await expectUsable(places.memory, look.lastAtMs);
    });
  });

  it('that take too long are taken over, and commit nothing afterwards', { timeout: 600_000 }, async () => {
    await inTemporaryFolder(async (folder) => {
      const fenced = (log: readonly DreamLine[]) => log.filter(({ isCommitted }) => isCommitted === false).length;
      const wanted = inThisRun({ short: 4, long: 60 });
      const staleMs = 150;
      const { places, done, log, commits, complaints } = await underFire(folder, {
        rounds: inThisRun({ short: 25, long: 400 }),
        kills: inThisRun({ short: 2, long: 50 }),
        stops: inThisRun({ short: 12, long: 200 }),
        stoppedMs: 3 * staleMs,
        isEnough: (lines) => fenced(lines) >= wanted,
        facts: { isExclusive: false, heldMs: staleMs, commitMs: 20, limits: { staleMinutes: staleMs / 60_000 } },
      });
      say(
        `dream lock: ${count(log, 'begin')} dreams that may grow stale, ${done.kills} killed, ${done.stops} stopped; ` +
          `${commits.length} commits in order, ${fenced(log)} held back because another one had taken over`,
      );
      expect(complaints).toBe('');
      expect(log.filter(({ event }) => event === 'error')).toEqual([]);
      expect(commits).not.toEqual([]);
      // A number that is not above the one before it is a dream that committed after its successor.
      expect(commits.filter((each, at) => at > 0 && each <= commits[at - 1]!)).toEqual([]);
      expect(fenced(log)).toBeGreaterThanOrEqual(wanted);
      expect(log.filter((line) => line.isCommitted === false && line.isDone)).toEqual([]);
      await openDreamLock(places.memory).reclaim();
      await expectUsable(places.memory, openDreamLock(places.memory).look().lastAtMs);
    });
  });
});

/** The next one gets in, is told the time, and leaves no trace when it takes itself back. */
async function expectUsable(memory: string, lastAtMs: number | null): Promise<void> {
  const lock = openDreamLock(memory);
  const next = await lock.take();
  expect(next).toMatchObject({ kind: 'held', lastAtMs });
  if (next.kind !== 'held') return;
  const { failures } = lock.look();
  await next.cancel();
  expect(lock.look()).toMatchObject({ lastAtMs, failures, heldBy: null, hasDied: false });
  const seen = lock.lastDream();
  expect(seen.isOpen).toBe(false);
  expect(lastAtMs === null ? seen.atMs === null : Math.abs(seen.atMs! - lastAtMs) < 2_000).toBe(true);
  const names = readdirSync(memory, { recursive: true, encoding: 'utf8' });
  expect(
    names.filter((name) => /\d+-\d+-[0-9a-f]{12}$/.test(name)),
    'files on their way',
  ).toEqual([]);
  const modes = names.map((name) => statSync(`${memory}/${name}`)).map((stats) => [stats.isFile(), stats.mode & 0o777]);
  expect(modes.filter(([isFile, mode]) => mode !== (isFile ? 0o600 : 0o700))).toEqual([]);
}

const missing = whyNoStrace();
if (missing !== null) say(`kill points of a dream SKIPPED: ${missing}`);

describe.skipIf(missing !== null).concurrent('a dream killed at any system call', () => {
  const LAST_MS = Date.now() - 100 * HOUR_MS;
  const NEW_MS = Date.now() - HOUR_MS;

  it.each(['succeed', 'giveBack', 'cancel', 'reclaim'])(
    '%s: leaves the time before or after, and nothing in the way',
    {
      timeout: 480_000,
    },
    async (end) => {
      await inTemporaryFolder(async (folder) => {
        const template = `${folder}/template`;
        await prepareFolder({ template, warmFolder: `${folder}/warm`, isDead: end === 'reclaim' });
        let runs = 0;
        const begin = () => {
          runs += 1;
          const memory = `${folder}/memory-${runs}`;
          cpSync(template, memory, { recursive: true, preserveTimestamps: true });
          const facts = { task: 'once', memory, warmFolder: `${folder}/warm`, end, atMs: NEW_MS };
          return { memory, output: `${memory}.trace`, worker: startWorker('./dream-lock-worker.mjs', facts) };
        };
        const whole = begin();
        const points = await traceCalls(whole.worker, { store: whole.memory, output: whole.output });
        expect(whole.worker.complaints() + whole.worker.lines.at(-1)).toBe('ACK');
        const after = openDreamLock(whole.memory).look();
        expect(after.lastAtMs).toBe(end === 'succeed' ? NEW_MS : LAST_MS);
        expect(after.failures).toBe({ succeed: 0, giveBack: 3, cancel: 2, reclaim: 3 }[end]);

        const tally = { before: 0, died: 0, after: 0, missed: 0 };
        const struck = sampleEvenly(points, { count: inThisRun({ short: 3, long: 1_000 }), seed: 21 });
        await twoAtOnce(struck, async (point) => {
          const { memory, output, worker } = begin();
          const { wasHit } = await strikeAt(worker, { point, effect: 'signal=KILL', store: memory, output });
          if (!wasHit) tally.missed += 1;
          const lock = openDreamLock(memory);
          const look = lock.look();
          expect(look.heldBy, point.shown).toBeNull();
          const is = (lastAtMs: number, failures: number) => isSame(look, { lastAtMs, failures });
          if (is(after.lastAtMs!, after.failures)) tally.after += 1;
          else if (is(LAST_MS, 2)) tally.before += 1;
          else if (is(LAST_MS, 3)) tally.died += 1;
          else expect.fail(`${point.shown}: ${JSON.stringify(look)}`);
          const isDead = look.hasDied;
          expect(await lock.reclaim()).toBe(isDead);
          expect(lock.look()).toEqual({ ...look, hasDied: false });
          await expectUsable(memory, look.lastAtMs);
        });
        say(
          `dream, ${end}: killed at ${struck.length} of ${points.length} calls (${tally.missed} not reached); ` +
            `${tally.after} as after, ${tally.before} as before, ${tally.died} counted as a failure`,
        );
        expect(tally.missed).toBeLessThan(1 + struck.length / 20);
      });
    },
  );

  /** One dream that succeeded and two that failed since, and on request a third that died. */
  async function prepareFolder(facts: { template: string; warmFolder: string; isDead: boolean }): Promise<void> {
    for (const path of [facts.template, facts.warmFolder]) mkdirSync(path, { mode: 0o700 });
    const lock = openDreamLock(facts.template);
    for (const end of ['succeed', 'giveBack', 'giveBack'] as const) {
      const dream = await lock.take();
      if (dream.kind !== 'held') throw new Error('held');
      if (end === 'succeed') await dream.succeed(new Date(LAST_MS));
      else await dream.giveBack('prepared');
    }
    if (!facts.isDead) return;
    const places = { commitFolder: facts.warmFolder, witnessFolder: `${facts.warmFolder}-witness` };
    mkdirSync(places.witnessFolder);
    writeFileSync(`${places.witnessFolder}/rounds.log`, '');
    const dying = startWorker('./dream-lock-worker.mjs', { ...places, memory: facts.template, seed: 1, heldMs: 9e6 });
    while (readDreamLog(places.witnessFolder).length === 0) await sleep(5);
    dying.signal('SIGKILL');
    await dying.ended;
    expect(lock.look()).toMatchObject({ hasDied: true, failures: 3, lastAtMs: LAST_MS });
  }
});
