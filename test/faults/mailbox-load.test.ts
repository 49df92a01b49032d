/** More messages than fit into the reader's memory, and a disk that is really full. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { batchName, letterLine, sealBatch } from '../../src/mailbox/batch.ts';
import { type Mailbox, openMailbox } from '../../src/mailbox/mailbox.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { startWorker } from './worker-process.ts';

const WAITING = inThisRun({ short: 30_000, long: 100_000 });
const FILLING = 'many words that wait '.repeat(50);
const IN_ONE_FILE = 100;
const HEAP_MEGABYTES = 24;

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
if (!canMount) say('full disk for mailboxes SKIPPED: mounting a small disk needs root on Linux');

describe('a mailbox', () => {
  it('is read within a small memory, however much waits', { timeout: 900_000 }, async () => {
    await inTemporaryFolder(async (home) => {
      for (const name of ['ann', 'bob']) await (await openMailbox({ name, home })).close();
      leaveWaiting(home);
      const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` };
      const reader = startWorker('./mailbox-count-worker.mjs', { home, name: 'bob' }, { env });
      await reader.ended;
      const megabytes = Math.round((WAITING * FILLING.length) / 1e6);
      const peak = /PEAK (\d+)/.exec(reader.lines.join('\n'))?.[1];
      say(
        `mailboxes: ${WAITING} messages of ${megabytes} MB read with a heap of ${HEAP_MEGABYTES} MB, peak RSS ${peak} MB`,
      );
      expect([...reader.lines, reader.complaints()]).toEqual([`COUNT ${WAITING}`, `PEAK ${peak}`, '']);
      expect(Number(peak)).toBeLessThan(200);
    });
  });

  it.skipIf(!canMount)('on a full disk refuses with a reason, and loses nothing', { timeout: 120_000 }, async () => {
    await inTemporaryFolder(async (folder) => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=0700', 'tmpfs', folder]);
      try {
        await fillAndFree(folder);
      } finally {
        execFileSync('umount', ['-l', folder]);
      }
    });
  });
});

/** As ann would have sent them, without waiting for the disk each time. */
function leaveWaiting(home: string): void {
  const key = Buffer.from(readFileSync(join(home, 'mail', 'ann', 'key'), 'utf8'), 'hex');
  const inbox = join(home, 'mail', 'bob', 'inbox');
  mkdirSync(inbox);
  const at = new Date().toISOString();
  for (let next = 0; next < WAITING; next += IN_ONE_FILE) {
    const numbers = Array.from({ length: IN_ONE_FILE }, (_, offset) => next + offset);
    const lines = numbers.map((number) => letterLine({ message: `${number} ${FILLING}`, at }));
    const envelope = { from: 'ann', to: 'bob', stamp: next + 1 };
    writeFileSync(join(inbox, batchName(envelope)), sealBatch(envelope, lines, key));
  }
}

async function fillAndFree(disk: string): Promise<void> {
  const home = join(disk, 'home');
  mkdirSync(home);
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(64 * 1024));
  const [ann, bob] = [await openMailbox({ name: 'ann', home }), await openMailbox({ name: 'bob', home })];
  const stored: string[] = [];
  const reasons = new Set<string>();
  for (let count = 0; reasons.size === 0 || count < 40; count += 1) {
    const message = `${count} ${FILLING.repeat(3)}`;
    await ann.send({ to: 'bob', message }).then(
      () => stored.push(message),
      (error: Error) => reasons.add(error.message.replace(/ to .*:/, ':')),
    );
  }
  // Not even a byte for what was read.
  fillUp(join(disk, 'rest'));
  const early = await received(bob).catch((error: Error) => error.message);
  rmSync(ballast);
  const late = await received(bob);
  say(`mailboxes: a disk of 512 KiB took ${stored.length} messages; then: ${[...reasons].join('; ')}`);
  expect([...reasons]).toEqual([expect.stringMatching(/the disk is full/)]);
  expect(early).toMatch(/Cannot write to .*: the disk is full/);
  expect(late).toEqual(stored);
  await Promise.all([ann.close(), bob.close()]);
}

function fillUp(path: string): void {
  for (const bytes of [4_096, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch {}
  }
}

async function received(mailbox: Mailbox): Promise<string[]> {
  const messages: string[] = [];
  for await (const { message } of mailbox.receive({ until: 'empty' })) messages.push(message);
  return messages;
}
