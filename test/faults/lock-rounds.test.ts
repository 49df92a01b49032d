/** The lock under fire: many processes, holders killed and stopped at any moment, never two at once, never stuck. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openFolder } from '../../src/disk/folder.ts';
import { takeLock } from '../../src/disk/lock.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const ROUNDS = inThisRun({ short: 400, long: 6_000 });
const KILLS = inThisRun({ short: 24, long: 300 });
const STOPS = inThisRun({ short: 24, long: 300 });
const PROCESSES = 6;
const HANG_MS = 30_000;

interface LogLine {
  readonly pid: number;
  readonly event: 'round' | 'double' | 'inherited' | 'stuck' | 'lost' | 'error';
  readonly generation?: number;
  readonly message?: string;
}

function readLog(folder: string): LogLine[] {
  const text = readFileSync(`${folder}/rounds.log`, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine);
}

describe.concurrent('lock', () => {
  it('never has two holders, and is never stuck, while holders are killed and stopped', {
    timeout: 300_000,
  }, async () => {
    await inTemporaryFolder(async (folder) => {
      const places = { lockFolder: `${folder}/lock`, witnessFolder: `${folder}/witness` };
      for (const path of Object.values(places)) mkdirSync(path);
      writeFileSync(`${places.witnessFolder}/rounds.log`, '');
      const random = seededRandom(inThisRun({ short: 7, long: 8 }));
      let seed = 1;
      const start = () =>
        startWorker('./lock-worker.mjs', { ...places, seed: seed++, waitMs: HANG_MS, staleAfterMs: 10 * 60_000 });
      const workers = Array.from({ length: PROCESSES }, start);
      await Promise.all(workers.map((worker) => worker.line('READY')));

      const done = { kills: 0, stops: 0 };
      const ends: Promise<unknown>[] = [];
      const rounds = () => readLog(places.witnessFolder).filter(({ event }) => event === 'round').length;
      const progress = { rounds: 0, atMs: Date.now() };
      while (progress.rounds < ROUNDS || done.kills < KILLS || done.stops < STOPS) {
        await sleep(random() * 25);
        const position = Math.floor(random() * PROCESSES);
        const victim = holderAmong(workers, places.witnessFolder, random() < 0.5) ?? workers[position]!;
        if (random() < KILLS / (KILLS + STOPS)) {
          victim.signal('SIGKILL');
          ends.push(victim.ended);
          workers[workers.indexOf(victim)] = start();
          done.kills += 1;
        } else {
          victim.signal('SIGSTOP');
          await sleep(random() * 60);
          victim.signal('SIGCONT');
          done.stops += 1;
        }
        const now = rounds();
        if (now > progress.rounds) Object.assign(progress, { rounds: now, atMs: Date.now() });
        else if (Date.now() - progress.atMs > HANG_MS) break;
      }
      writeFileSync(`${places.witnessFolder}/stop`, '');
      await Promise.all([...ends, ...workers.map((worker) => worker.ended)]);

      const log = readLog(places.witnessFolder);
      const count = (event: LogLine['event']) => log.filter((line) => line.event === event).length;
      const generations = log.flatMap((line) => (line.event === 'round' ? [line.generation!] : []));
      say(
        `lock: ${count('round')} rounds by ${PROCESSES} processes, ${done.kills} killed (${count('inherited')} inside), ` +
          `${done.stops} stopped; ${count('double')} double holders, ${count('stuck')} stuck`,
      );
      expect(log.filter(({ event }) => event !== 'round' && event !== 'inherited')).toEqual([]);
      expect(workers.map((worker) => worker.complaints()).join('')).toBe('');
      expect(generations).toEqual([...new Set(generations)].sort((one, other) => one - other));
      expect(count('round')).toBeGreaterThanOrEqual(ROUNDS);
      expect(count('inherited')).toBeGreaterThan(0);
    });
  });

  it('passes from a stopped holder to another once its record is too old, and the first one knows', async () => {
    const rounds = inThisRun({ short: 3, long: 25 });
    await inTemporaryFolder(async (folder) => {
      const path = `${folder}/lock`;
      mkdirSync(path);
      const lockFolder = openFolder(path)!;
      for (let round = 0; round < rounds; round += 1) {
        const staleAfterMs = 400;
        const beforeMs = Date.now();
        const first = startWorker('./lock-worker.mjs', { task: 'hold', lockFolder: path, waitMs: 5_000, staleAfterMs });
        expect(await first.line('HELD')).not.toBeNull();
        first.signal('SIGSTOP');
        await expect(takeLock(lockFolder, { waitMs: 100, staleAfterMs: 60_000 })).rejects.toMatchObject({
          code: 'locked',
          message: expect.stringContaining(`Process ${first.pid}`),
          fix: expect.stringContaining(`kill ${first.pid}`),
        });
        const second = await takeLock(lockFolder, { waitMs: 20_000, staleAfterMs });
        expect(Date.now() - beforeMs).toBeGreaterThanOrEqual(staleAfterMs);
        expect(second.stillHeld()).toBe(true);

        first.signal('SIGCONT');
        first.tell('?');
        expect(await first.line('ANSWER')).toBe('ANSWER false');
        await first.ended;
        expect(second.stillHeld(), 'what the first one released must not be the second one’s').toBe(true);
        second.release();
      }
      lockFolder.close();
      say(`lock: ${rounds} take-overs from a stopped holder, all noticed by it`);
    });
  });

  it('passes on at once from a holder that was killed', async () => {
    const rounds = inThisRun({ short: 5, long: 50 });
    await inTemporaryFolder(async (folder) => {
      const path = `${folder}/lock`;
      mkdirSync(path);
      const lockFolder = openFolder(path)!;
      for (let round = 0; round < rounds; round += 1) {
        const holder = startWorker('./lock-worker.mjs', {
          task: 'hold',
          lockFolder: path,
          waitMs: 5_000,
          staleAfterMs: 60_000,
        });
        const generation = Number((await holder.line('HELD'))?.split(' ')[1]);
        holder.signal('SIGKILL');
        const next = await takeLock(lockFolder, { waitMs: 10_000, staleAfterMs: 60 * 60_000 });
        expect(next.generation).toBe(generation + 1);
        next.release();
        await holder.ended;
      }
      lockFolder.close();
      say(`lock: ${rounds} killed holders, each one's lock taken over`);
    });
  });
});

/** The process that is inside right now, if that is asked for and someone is. */
function holderAmong(
  workers: readonly WorkerProcess[],
  witnessFolder: string,
  isWanted: boolean,
): WorkerProcess | undefined {
  if (!isWanted) return undefined;
  try {
    const pid = Number(readFileSync(`${witnessFolder}/inside`, 'utf8'));
    return workers.find((worker) => worker.pid === pid);
  } catch {
    return undefined;
  }
}
