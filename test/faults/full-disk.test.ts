/** A disk that is really full, a folder that may not be written, and any umask. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReverieError } from '../../src/errors.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { areSame, indexProblems, leftovers, modeProblems, readJournalFacts, readUserFiles } from './folder-facts.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker } from './worker-process.ts';

const isRoot = process.getuid?.() === 0;
const missing =
  process.platform === 'linux' && isRoot ? null : 'mounting a small disk and changing user need root on Linux';
if (missing !== null) say(`full and read-only disk SKIPPED: ${missing}`);

const UMASKS = inThisRun({ short: [0, 0o777], long: [0, 0o022, 0o077, 0o777] });
const NOBODY = 65_534;

describe.skipIf(missing !== null).concurrent('a full disk', () => {
  it('refuses with a reason, loses nothing, and works again once there is space', { timeout: 120_000 }, async () => {
    const rounds = inThisRun({ short: 1, long: 8 });
    const tally = { saved: 0, refused: 0 };
    for (let round = 0; round < rounds; round += 1) {
      await inTemporaryFolder(async (folder) => {
        const disk = join(folder, 'disk');
        mkdirSync(disk);
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=0700', 'tmpfs', disk]);
        try {
          await fillAndFree({ disk, home: join(folder, 'home'), seed: round, tally });
        } finally {
          execFileSync('umount', ['-l', disk]);
        }
      });
    }
    say(`full disk: ${rounds} disks of 256 KiB, ${tally.saved} saved, ${tally.refused} refused`);
    expect(tally.refused).toBeGreaterThan(0);
  });

  it('answers all the same, and says in words why the index of memories is not kept', async () => {
    await inTemporaryFolder(async (folder) => {
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=0700', 'tmpfs', disk]);
      const memory = await openMemory({ directory: join(folder, 'memory'), home: join(disk, 'home'), cwd: folder });
      try {
        await memory.save({
          type: 'project',
          name: 'Office',
          description: 'The office is closed',
          body: 'On Fridays.',
        });
        expect(() => writeFileSync(join(disk, 'ballast'), Buffer.alloc(1_000_000))).toThrow('ENOSPC');
        expect(await memory.recall('when is the office closed?')).toHaveLength(1);
        const told = memory.problems().filter((line) => line.includes('index of memories cannot be kept'));
        expect(told).toEqual([expect.stringContaining(': the disk is full. Fix it')]);
      } finally {
        await memory.close();
        execFileSync('umount', ['-l', disk]);
      }
    });
  });
});

async function fillAndFree(facts: {
  readonly disk: string;
  readonly home: string;
  readonly seed: number;
  readonly tally: { saved: number; refused: number };
}): Promise<void> {
  const { disk, home, tally } = facts;
  const directory = join(disk, 'memory');
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(24 * 1024));
  const random = seededRandom(facts.seed);
  const saved = new Map<string, string>();
  const bodyOf = () => `${'lorem '.repeat(random() * 800)}end ${random()}\n`;
  const request = (body: string) => ({ type: 'project' as const, name: 'filler', description: 'fills the disk', body });

  const memory = await openMemory({ directory, home, cwd: disk });
  // A small one may still fit where a large one did not; twelve refusals in a row, and nothing fits.
  for (let refusals = 0; refusals < 12; ) {
    const body = bodyOf();
    try {
      saved.set((await memory.save(request(body))).file, body);
      refusals = 0;
      tally.saved += 1;
    } catch (error) {
      refusals += 1;
      tally.refused += 1;
      const { code, message, fix } = error as ReverieError;
      expect({ code, message }).toEqual({ code: 'storage', message: expect.stringContaining('the disk is full') });
      expect(fix).toContain('Free some space');
    }
  }
  expect(saved.size).toBeGreaterThan(3);
  await memory.close();
  checkAllThere(directory, saved);

  rmSync(ballast);
  const again = await openMemory({ directory, home, cwd: disk });
  const body = 'there is space again\n';
  saved.set((await again.save(request(body))).file, body);
  expect(again.problems()).toEqual([]);
  await again.close();
  checkAllThere(directory, saved);
  expect(readJournalFacts(directory)).toMatchObject({ unclosed: [], damagedLines: 0 });
  expect(leftovers(directory)).toEqual([]);
}

function checkAllThere(directory: string, saved: ReadonlyMap<string, string>): void {
  const files = readUserFiles(directory);
  expect([...files.keys()].filter((file) => file !== 'MEMORY.md').sort()).toEqual([...saved.keys()].sort());
  for (const [file, body] of saved) expect(files.get(file)?.toString('utf8').endsWith(body), file).toBe(true);
  expect(indexProblems(files)).toEqual([]);
}

describe.skipIf(missing !== null).concurrent('a folder that may not be written', () => {
  const kinds = [
    ['the folder itself', (memory: string) => chmodSync(memory, 0o500)],
    ['the folder of staged files', (memory: string) => chmodSync(`${memory}/.reverie/temporary`, 0o500)],
    ['the lock', (memory: string) => chmodSync(`${memory}/.reverie/lock`, 0o500)],
    ['the whole disk', (memory: string) => execFileSync('mount', ['-o', 'bind,ro', memory, memory])],
  ] as const;
  it.each(kinds)('is left alone and says what to do: %s', async (kind, close) => {
    await inTemporaryFolder(async (folder) => {
      const directory = join(folder, 'memory');
      const place = { directory, home: join(folder, 'home'), cwd: folder };
      const memory = await openMemory(place);
      await memory.save({ type: 'user', name: 'Bread', description: 'bakes bread', body: 'Bread.\n' });
      const { file } = await memory.save({ type: 'user', name: 'Tea', description: 'drinks tea', body: 'Tea.\n' });
      await memory.close();
      execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, directory]);
      chmodSync(folder, 0o755);
      const before = readUserFiles(directory);
      close(directory);
      try {
        for (const operation of [
          { name: 'save', request: { type: 'user', name: 'Coffee', description: 'drinks coffee', body: 'Coffee.\n' } },
          { name: 'update', file, changes: { body: 'No tea.\n' } },
          { name: 'forget', file },
          { name: 'undo' },
        ]) {
          const worker = startWorker('./store-worker.mjs', { operation, place, user: NOBODY });
          worker.tell('.');
          const line = await worker.line('ERR');
          await worker.ended;
          expect(line, worker.lines.join('\n') + worker.complaints()).not.toBeNull();
          const error = JSON.parse(line!.slice(4));
          expect(error).toMatchObject({ isExpected: true, code: 'storage', fix: expect.stringMatching(/\w/) });
          expect(error.message).toMatch(/permission denied|read-only/);
          expect(areSame(readUserFiles(directory), before, { times: 'exact' })).toBe(true);
        }
        // What cannot be written can be read.
        const reader = startWorker('./store-worker.mjs', { operation: { name: 'open' }, place, user: NOBODY });
        reader.tell('.');
        expect(await reader.line('ACK'), reader.lines.join('\n')).toContain('"kind":"save"');
        await reader.ended;
      } finally {
        if (kind === 'the whole disk') execFileSync('umount', [directory]);
      }
    });
    say(`read-only: ${kind}: 4 writes refused, 1 read answered`);
  });
});

describe.concurrent('any umask', () => {
  it('leaves files 0600 and folders 0700', { timeout: 60_000 }, async () => {
    await inTemporaryFolder(async (folder) => {
      for (const umask of UMASKS) {
        const directory = join(folder, `umask-${umask}`, 'memory');
        const place = { directory, home: join(folder, 'home'), cwd: folder };
        const request = { type: 'user', name: 'Tea', description: 'drinks tea', body: 'Tea.\n' };
        for (const operation of [
          { name: 'save', request },
          { name: 'update', file: 'user_tea.md', changes: { body: 'Green tea.\n' } },
          { name: 'undo' },
        ]) {
          const worker = startWorker('./store-worker.mjs', { operation, place, umask });
          worker.tell('.');
          expect(await worker.line('ACK'), worker.lines.join('\n') + worker.complaints()).not.toBeNull();
          await worker.ended;
        }
        expect(modeProblems(join(folder, `umask-${umask}`)), `umask ${umask.toString(8)}`).toEqual([]);
        expect(readFileSync(join(directory, 'user_tea.md'), 'utf8')).toContain('Tea.\n');
      }
    });
    say(`umask: ${UMASKS.length} umasks, 3 operations each`);
  });
});
