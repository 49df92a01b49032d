/** One dreamer at a time, with the exact time of the last dream, restored after a failure, a kill or a crash. */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../../limits.ts';
import type { HeldDream } from './hold.ts';
import { type DreamLock, openDreamLock } from './lock.ts';

const HOUR_MS = 3_600_000;

interface Place {
  readonly memory: string;
  readonly file: string;
  readonly lock: DreamLock;
  /** What the lock takes as the current time. */
  setNow(ms: number): void;
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const base = temporaryFolder('dream-lock');
  const memory = join(base, 'memory');
  fs.mkdirSync(memory);
  let nowMs: number | null = null;
  const lock = openDreamLock(memory, { now: () => (nowMs === null ? new Date() : new Date(nowMs)) });
  const setNow = (ms: number) => {
    nowMs = ms;
  };
  await work({ memory, file: join(memory, '.consolidate-lock'), lock, setNow });
}

async function taken(lock: DreamLock): Promise<HeldDream> {
  const dream = await lock.take();
  if (dream.kind !== 'held') throw new Error(`held by ${dream.holder.pid}`);
  return dream;
}

/** Makes someone else the holder of the lock, as if they had taken it. */
function changeHolder(place: Place, change: object): void {
  const folder = join(place.memory, '.reverie', 'dream-lock');
  const newest = String(
    Math.max(
      ...fs
        .readdirSync(folder)
        .filter((name) => /^\d+$/.test(name))
        .map(Number),
    ),
  );
  const record = JSON.parse(fs.readFileSync(join(folder, newest), 'utf8'));
  fs.writeFileSync(join(folder, newest), JSON.stringify({ ...record, ...change }));
}

const gone = () => ({ pid: spawnSync('true').pid });

describe('a dream', () => {
  it('runs one at a time, is seen by others, and stamps its time', async () => {
    await inPlace(async ({ file, lock }) => {
      expect(lock.lastDream()).toEqual({ atMs: null, isOpen: false });
      expect(lock.look()).toMatchObject({ lastAtMs: null, heldBy: null, failures: 0, hasDied: false });
      const startMs = Date.now();
      const dream = await taken(lock);
      expect(dream).toMatchObject({ lastAtMs: null, startedAtMs: expect.any(Number) });
      expect(dream.stillHeld()).toBe(true);
      expect(fs.readFileSync(file, 'utf8').split('\n')[0]).toBe(String(process.pid));
      expect(lock.lastDream().isOpen).toBe(true);
      expect(Math.abs(lock.lastDream().atMs! - startMs)).toBeLessThan(60_000);
      expect(await lock.take()).toMatchObject({
        kind: 'someone-else',
        holder: { pid: process.pid, isOtherHost: false },
      });
      expect(lock.look()).toMatchObject({ lastAtMs: null, heldBy: { pid: process.pid }, hasDied: false });

      const at = new Date(startMs + 1_234);
      expect(await dream.succeed(at)).toBe(true);
      expect([dream.stillHeld(), await dream.succeed(at), await dream.giveBack('late')]).toEqual([false, false, false]);
      expect(lock.lastDream().isOpen).toBe(false);
      expect(fs.readFileSync(file, 'utf8').split('\n')[0]).toBe(String(process.pid));
      expect(lock.look()).toMatchObject({ lastAtMs: at.getTime(), heldBy: null, failures: 0 });
      // It may not have seen what arrived while it ran.
      expect(lock.look().unseenSinceMs).toBe(dream.startedAtMs);
      const next = await taken(lock);
      expect(next.generation).toBeGreaterThan(dream.generation);
      expect(next.lastAtMs).toBe(at.getTime());
      await next.cancel();
    });
  });

  it('starts only once when many ask at the same time', async () => {
    await inPlace(async ({ lock }) => {
      const asked = await Promise.all(Array.from({ length: 8 }, () => lock.take()));
      const held = asked.flatMap((dream) => (dream.kind === 'held' ? [dream] : []));
      expect(held).toHaveLength(1);
      await held[0]!.cancel();
      expect(lock.look().heldBy).toBeNull();
    });
  });

  it('keeps what it writes private, whatever the umask', async () => {
    await inPlace(async ({ memory, file, lock }) => {
      const dream = await taken(lock);
      const mode = (path: string) => (fs.statSync(path).mode & 0o777).toString(8);
      const control = join(memory, '.reverie');
      const check = () => {
        expect([file, join(control, 'dreams', 'last.json')].map(mode)).toEqual(['600', '600']);
        expect([control, join(control, 'dreams'), join(control, 'dream-lock')].map(mode)).toEqual([
          '700',
          '700',
          '700',
        ]);
      };
      check();
      await dream.succeed(new Date());
      check();
    });
  });

  it('knows the time of the last one to the millisecond, which the file alone does not', async () => {
    const times = fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2037, 0) });
    await inPlace(async ({ lock, setNow }) => {
      await fc.assert(
        fc.asyncProperty(times, async (atMs) => {
          setNow(atMs);
          // If it is earlier than the one before, the file's time would show it: the record must hold in both directions.
          await (await taken(lock)).succeed(new Date(atMs));
          const failing = await taken(lock);
          expect(failing.lastAtMs).toBe(atMs);
          await failing.cancel();
          expect(lock.look().lastAtMs).toBe(atMs);
          expect(Math.abs(lock.lastDream().atMs! - atMs)).toBeLessThan(2_000);
        }),
        { numRuns: 25 },
      );
    });
  });
});

describe('a dream that fails', () => {
  it('leaves no file if there was none', async () => {
    await inPlace(async ({ file, lock }) => {
      expect(await (await taken(lock)).giveBack('no model')).toBe(true);
      expect(fs.existsSync(file)).toBe(false);
      expect(lock.look()).toMatchObject({ lastAtMs: null, failures: 1, problem: 'no model', heldBy: null });
    });
  });

  it.each([
    ['another host', '4194300'],
    ['an empty file', ''],
    ['bytes of no encoding', Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80])],
    ['more than one line', '77\nsome other program\n'],
  ])('restores what was there, and its time: %s', async (_, content) => {
    await inPlace(async ({ file, lock }) => {
      fs.writeFileSync(file, content);
      const before = new Date(Date.now() - 50 * HOUR_MS - 0.4567);
      fs.utimesSync(file, before, before);
      const { mtimeMs } = fs.statSync(file);
      const dream = await taken(lock);
      expect(dream.lastAtMs).toBe(mtimeMs);
      expect(fs.readFileSync(file)).not.toEqual(Buffer.from(content));
      await dream.giveBack('killed by the user');
      expect(fs.readFileSync(file)).toEqual(Buffer.from(content));
      expect(Math.abs(fs.statSync(file).mtimeMs - mtimeMs)).toBeLessThan(1);
      expect(lock.look()).toMatchObject({ lastAtMs: mtimeMs, failures: 1 });
    });
  });

  it('is counted until one succeeds; a dry run does not count', async () => {
    await inPlace(async ({ lock, setNow }) => {
      const at = new Date(Date.now() - 100 * HOUR_MS);
      await (await taken(lock)).succeed(at);
      const failures: (number | null)[][] = [];
      for (const hours of [1, 2, 3]) {
        setNow(at.getTime() + hours * HOUR_MS);
        await (await taken(lock)).giveBack(`failed at ${hours}`);
        const { lastAtMs, failures: count, failedAtMs } = lock.look();
        failures.push([lastAtMs! - at.getTime(), count, failedAtMs! - at.getTime()]);
        await (await taken(lock)).cancel();
        expect(lock.look()).toMatchObject({ failures: count, failedAtMs, problem: `failed at ${hours}` });
      }
      expect(failures).toEqual([
        [0, 1, HOUR_MS],
        [0, 2, 2 * HOUR_MS],
        [0, 3, 3 * HOUR_MS],
      ]);
      await (await taken(lock)).succeed(new Date(at.getTime() + 9 * HOUR_MS));
      expect(lock.look()).toMatchObject({ failures: 0, failedAtMs: null, problem: '' });
    });
  });
});

describe('a holder', () => {
  const { staleMinutes } = LIMITS.dreaming;
  const minutesAgo = (minutes: number) => ({ at: Date.now() - minutes * 60_000 });

  it.each<[string, () => object, 'passes on' | 'keeps']>([
    ['that has ended', gone, 'passes on'],
    ['of another start of the machine', () => ({ boot: 'another' }), 'passes on'],
    ['whose number went to another process', () => ({ started: '1' }), 'passes on'],
    ['that lives', () => ({}), 'keeps'],
    ['that lives and nears its end', () => minutesAgo(staleMinutes - 1), 'keeps'],
    ['that lives and is too old', () => minutesAgo(staleMinutes + 1), 'passes on'],
    ['that lives, from before the clock was set back', () => minutesAgo(-staleMinutes - 1), 'passes on'],
    ['of another machine', () => ({ host: 'elsewhere' }), 'keeps'],
    ['of another machine, too old', () => ({ host: 'elsewhere', ...minutesAgo(staleMinutes + 1) }), 'passes on'],
  ])('%s', async (_, change, expected) => {
    await inPlace(async (place) => {
      const { lock, file } = place;
      const last = new Date(Date.now() - 90 * HOUR_MS);
      await (await taken(lock)).succeed(last);
      const settled = fs.readFileSync(file);
      const first = await taken(lock);
      changeHolder(place, change());
      const look = lock.look();
      const mayPass = expected === 'passes on';
      expect([look.heldBy === null, look.hasDied]).toEqual([mayPass, mayPass]);
      expect(await lock.reclaim()).toBe(mayPass);
      const second = await lock.take();
      expect(second.kind).toBe(mayPass ? 'held' : 'someone-else');
      if (second.kind !== 'held') {
        // This very process holds it under another name.
        await first.giveBack('end of test');
        return;
      }
      expect(second.lastAtMs).toBe(last.getTime());
      expect([first.stillHeld(), await first.succeed(new Date())]).toEqual([false, false]);
      expect(second.stillHeld(), 'the first one must not let go of it').toBe(true);
      await second.cancel();
      expect(fs.readFileSync(file)).toEqual(settled);
      // Seen from outside or settled for good, the death looks the same.
      expect(lock.look()).toEqual({ ...look, hasDied: false });
      expect(look).toMatchObject({ lastAtMs: last.getTime(), failures: 1, failedAtMs: first.startedAtMs });
    });
  });

  it('that died is settled by the next take if nobody did it before', async () => {
    await inPlace(async (place) => {
      const { lock, file } = place;
      await taken(lock);
      changeHolder(place, gone());
      const next = await taken(lock);
      expect(lock.look()).toMatchObject({ failures: 1, lastAtMs: null, hasDied: false });
      await next.giveBack('again');
      expect(lock.look().failures).toBe(2);
      expect(fs.existsSync(file)).toBe(false);
      expect(await lock.reclaim()).toBe(false);
    });
  });

  it.each([['123'], ['null'], ['[]'], ['{"pid":"7","at":"never"}'], ['{"pid":7}'], ['half a rec']])(
    'that is not a record holds nothing: %s',
    async (text) => {
      await inPlace(async ({ memory, lock }) => {
        const folder = join(memory, '.reverie', 'dream-lock');
        fs.mkdirSync(folder, { recursive: true });
        fs.writeFileSync(join(folder, '41'), text);
        const dream = await taken(lock);
        expect(dream.generation).toBe(42);
        await dream.cancel();
      });
    },
  );
});

describe('a record', () => {
  it.each([
    ['{"lastAtMs": 1e400, "failures": -3, "failedAtMs": "x"}'],
    ['{"lastAtMs": 9e20, "running": {"token": 1}}'],
    ['[1, 2]'],
    ['null'],
    ['{"lastAtMs": 17'],
    [''],
  ])('that is damaged leaves the time to the public one: %s', async (text) => {
    await inPlace(async ({ memory, file, lock }) => {
      const at = new Date(Date.UTC(2026, 1, 3));
      await (await taken(lock)).succeed(at);
      fs.writeFileSync(join(memory, '.reverie', 'dreams', 'last.json'), text);
      const look = lock.look();
      expect(look).toMatchObject({ failures: 0, failedAtMs: null, hasDied: false, heldBy: null });
      expect(Math.abs(look.lastAtMs! - at.getTime())).toBeLessThan(2_000);
      await (await taken(lock)).giveBack('x');
      expect(fs.readFileSync(file, 'utf8')).toContain(at.toISOString());
    });
  });

  it('lost to a power cut leaves no mark of a running dream', async () => {
    await inPlace(async (place) => {
      const { memory, file, lock } = place;
      const at = new Date(Date.UTC(2026, 1, 3));
      await (await taken(lock)).succeed(at);
      const kept = fs.readFileSync(join(memory, '.reverie', 'dreams', 'last.json'));
      await taken(lock);
      fs.writeFileSync(join(memory, '.reverie', 'dreams', 'last.json'), kept);
      changeHolder(place, gone());
      expect(lock.look()).toMatchObject({ lastAtMs: at.getTime(), heldBy: null });
      await (await taken(lock)).giveBack('x');
      expect(fs.readFileSync(file, 'utf8')).toContain(at.toISOString());
      expect(lock.lastDream().isOpen).toBe(false);
    });
  });

  it('still has the time when the public file was removed', async () => {
    await inPlace(async ({ file, lock }) => {
      await (await taken(lock)).succeed(new Date(Date.UTC(2026, 1, 3)));
      fs.rmSync(file);
      expect(lock.lastDream().atMs).toBeNull();
      expect(lock.look().lastAtMs).toBe(Date.UTC(2026, 1, 3));
    });
  });
});

describe('a link', () => {
  it.each([
    ['.consolidate-lock', 'file'],
    ['.reverie', 'folder'],
    ['.reverie/dreams', 'folder'],
    ['.reverie/dream-lock', 'folder'],
    ['.reverie/dreams/last.json', 'file'],
  ])('in place of %s is not followed', async (name, kind) => {
    await inPlace(async ({ memory, lock }) => {
      const outside = join(memory, '..', 'outside');
      if (kind === 'folder') fs.mkdirSync(outside);
      else fs.writeFileSync(outside, 'theirs');
      fs.mkdirSync(join(memory, name, '..'), { recursive: true });
      if (name.endsWith('last.json')) fs.mkdirSync(join(memory, '.reverie', 'dreams'), { recursive: true });
      fs.symlinkSync(outside, join(memory, name));
      expect(lock.lastDream()).toEqual({ atMs: null, isOpen: false });
      await expect(lock.take()).rejects.toMatchObject({ code: 'refused' });
      if (kind === 'folder') expect(fs.readdirSync(outside)).toEqual([]);
      else expect(fs.readFileSync(outside, 'utf8')).toBe('theirs');
      // Whoever repairs it finds the lock free.
      fs.rmSync(join(memory, name));
      await (await taken(lock)).cancel();
    });
  });
});
