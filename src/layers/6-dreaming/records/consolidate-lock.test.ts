/** The record that other hosts read and write too: whose it is, and whether someone else is dreaming. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { CONSOLIDATION_LIMITS, LIMITS } from '../../../limits.ts';
import { formOf, settledRecord, underWayRecord } from './consolidate-lock.ts';
import { openDreamLock } from './lock.ts';

const MINUTE_MS = 60_000;
const { staleMinutes } = LIMITS.dreaming;

let living: ChildProcess;
beforeAll(async () => {
  living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => living.stdout!.once('data', resolve));
});
afterAll(() => void living.kill('SIGKILL'));

async function inMemoryFolder(work: (memory: string, file: string) => Promise<void>): Promise<void> {
  const memory = temporaryFolder('consolidate');
  await work(memory, join(memory, '.consolidate-lock'));
}

function write(file: string, content: string, minutesAgo: number): void {
  fs.writeFileSync(file, content);
  const at = new Date(Date.now() - minutesAgo * MINUTE_MS);
  fs.utimesSync(file, at, at);
}

describe('our forms', () => {
  const pids = fc.integer({ min: 1, max: 2 ** 32 - 1 });
  const times = fc.integer({ min: 0, max: Date.UTC(2200, 0) });

  it('are recognised by their length and by their second line', () => {
    fc.assert(
      fc.property(pids, times, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (pid, atMs, number) => {
        const token = number.toString(16).padStart(16, '0');
        const underWay = underWayRecord({ pid, token, atMs });
        const settled = settledRecord({ pid, atMs });
        expect(underWay.bytes.length).toBeLessThan(CONSOLIDATION_LIMITS.settledBytes);
        expect(settled.bytes.length).toBeGreaterThanOrEqual(CONSOLIDATION_LIMITS.settledBytes);
        expect(formOf(underWay)).toEqual({ kind: 'under-way', pid, token });
        expect(formOf(settled)).toEqual({ kind: 'settled', pid });
      }),
    );
  });

  it.each<[string, number | null]>([
    ['812', 812],
    ['812\n', 812],
    [' 812 \r\nclaude\n', 812],
    ['812\n0123456789abcdef', 812],
    ['', null],
    ['\n812', null],
    ['0', null],
    ['-4', null],
    ['12345678901', null],
    ['{"pid": 812}', null],
    ['\u0000\u0000', null],
  ])('are not taken for another host’s: %j', (text, pid) => {
    expect(formOf({ bytes: Buffer.from(text), mtimeMs: 0 })).toEqual({ kind: 'other-host', pid });
  });
});

describe('another host', () => {
  it.each<[string, () => { pid: number | string; minutesAgo: number }, 'dreams' | 'does not']>([
    ['that lives and began just now', () => ({ pid: living.pid!, minutesAgo: 0 }), 'dreams'],
    ['whose mark is too old', () => ({ pid: living.pid!, minutesAgo: staleMinutes + 1 }), 'does not'],
    ['whose mark is from the future', () => ({ pid: living.pid!, minutesAgo: -staleMinutes - 1 }), 'does not'],
    ['that has ended', () => ({ pid: spawnSync('true').pid, minutesAgo: 0 }), 'does not'],
    ['whose number is ours by now', () => ({ pid: process.pid, minutesAgo: 0 }), 'does not'],
    ['that wrote no number', () => ({ pid: 'dreaming', minutesAgo: 0 }), 'does not'],
    ['with a number that no process has', () => ({ pid: '9999999999', minutesAgo: 0 }), 'does not'],
  ])('%s', async (_, given, expected) => {
    await inMemoryFolder(async (memory, file) => {
      const { pid, minutesAgo } = given();
      write(file, `${pid}`, minutesAgo);
      const lock = openDreamLock(memory);
      expect(lock.lastDream().isOpen).toBe(true);
      const holder = { pid, isOtherHost: true };
      const look = lock.look();
      const dream = await lock.take();
      if (expected === 'dreams') {
        expect(look.heldBy).toMatchObject(holder);
        expect(dream).toMatchObject({ kind: 'someone-else', holder });
        expect(fs.readFileSync(file, 'utf8'), 'its mark must stay').toBe(`${pid}`);
      } else {
        expect(look.heldBy).toBeNull();
        expect(dream.kind).toBe('held');
        if (dream.kind === 'held') await dream.cancel();
      }
    });
  });

  it.runIf(process.platform === 'linux')('whose PID went to a younger process is not dreaming', async () => {
    await inMemoryFolder(async (memory, file) => {
      // Both are recent enough, but the process that has the PID now did not exist when it was written.
      write(file, String(living.pid), staleMinutes / 2);
      const dream = await openDreamLock(memory).take();
      expect(dream.kind).toBe('held');
      if (dream.kind === 'held') await dream.cancel();
    });
  });

  it('that writes its mark over ours has taken over, and keeps it', async () => {
    for (const end of ['succeed', 'giveBack'] as const) {
      await inMemoryFolder(async (memory, file) => {
        const lock = openDreamLock(memory);
        const dream = await lock.take();
        if (dream.kind !== 'held') throw new Error('held');
        expect(dream.stillHeld()).toBe(true);
        write(file, String(living.pid), 0);
        expect(dream.stillHeld()).toBe(false);
        if (end === 'succeed') await dream.succeed(new Date());
        else await dream.giveBack('another host took over');
        expect(fs.readFileSync(file, 'utf8')).toBe(String(living.pid));
        expect(lock.look()).toMatchObject({ heldBy: { pid: living.pid }, failures: end === 'succeed' ? 0 : 1 });
      });
    }
  });

  it('that dreamed after us sets the time, one that dreamed before us does not', async () => {
    await inMemoryFolder(async (memory, file) => {
      const lock = openDreamLock(memory);
      const ours = Date.now() - 300 * MINUTE_MS;
      const dream = await lock.take();
      if (dream.kind !== 'held') throw new Error('held');
      await dream.succeed(new Date(ours));
      write(file, '1', 400);
      expect(lock.look().lastAtMs).toBe(ours);
      write(file, '1', 200);
      expect(lock.look().lastAtMs).toBe(fs.statSync(file).mtimeMs);
    });
  });
});
