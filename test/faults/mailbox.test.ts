/** Mailboxes between processes that are killed: everything arrives, in order, whole; and sends to nobody fail by name. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parseMessageId } from '../../src/mailbox/batch.ts';
import { comparePositions } from '../../src/mailbox/cursor.ts';
import { listMailboxes } from '../../src/mailbox/list.ts';
import { openMailbox } from '../../src/mailbox/mailbox.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const PROCESSES = inThisRun({ short: 4, long: 8 });
const MESSAGES = inThisRun({ short: 200, long: 1_000 });
const KILLS = inThisRun({ short: 8, long: 100 });
const SENDS_TO_NOBODY = 300;

describe('mailboxes', () => {
  it('deliver everything, in order and whole, between processes that are killed', { timeout: 600_000 }, async () => {
    await inTemporaryFolder(async (home) => {
      const names = Array.from({ length: PROCESSES }, (_, at) => `agent-${at}`);
      // In pairs, so that each of them sends and receives.
      const start = (at: number) =>
        startWorker('./mailbox-worker.mjs', { home, name: names[at], to: names[at ^ 1], count: MESSAGES });
      const workers = names.map((_, at) => start(at));
      await killAtRandom(workers, start);
      for (const worker of workers) expect(await worker.line('DONE'), worker.complaints()).not.toBeNull();
      while (listMailboxes(home).some(({ waitingFiles }) => waitingFiles > 0)) await sleep(50);
      for (const worker of workers) worker.tell('stop\n');
      await Promise.all(workers.map(({ ended }) => ended));
      expect(workers.map((worker) => worker.complaints()).join('')).toBe('');
      const again = names.reduce((sum, name, at) => sum + checkReceived(home, name, names[at ^ 1]!), 0);
      say(`mailboxes: ${PROCESSES} processes × ${MESSAGES} messages, ${KILLS} kills; all there, ${again} came again`);
      expect(again).toBeLessThanOrEqual(KILLS);
    });
  });

  it('fail a send to who is unknown, dead or renamed, and name who lives', { timeout: 600_000 }, async () => {
    await inTemporaryFolder(async (home) => {
      const ann = await openMailbox({ name: 'ann', home });
      const dead = startWorker('./mailbox-worker.mjs', { home, name: 'dead', to: 'ann', count: 0 });
      await dead.line('READY');
      dead.signal('SIGKILL');
      await dead.ended;
      await (await openMailbox({ name: 'old-name', home })).close();
      const renamed = await openMailbox({ name: 'new-name', home });
      const targets = ['nobody', 'dead', 'old-name'];
      const sends = Array.from({ length: SENDS_TO_NOBODY }, (_, at) =>
        ann.send({ to: targets[at % 3]!, message: `hello ${at}` }),
      );
      const results = await Promise.allSettled(sends);
      const errors = results.filter(
        (result) => result.status === 'rejected' && /Here are: new-name/.test(result.reason.message),
      );
      say(`mailboxes: ${errors.length} of ${SENDS_TO_NOBODY} sends to nobody failed and named who lives`);
      expect(errors).toHaveLength(SENDS_TO_NOBODY);
      await Promise.all([ann.close(), renamed.close()]);
    });
  });
});

async function killAtRandom(workers: WorkerProcess[], start: (at: number) => WorkerProcess): Promise<void> {
  const random = seededRandom(7);
  await Promise.all(workers.map((worker) => worker.line('READY')));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const at = Math.floor(random() * workers.length);
    await workers[at]!.line('READY');
    await sleep(random() * 100);
    workers[at]!.signal('SIGKILL');
    await workers[at]!.ended;
    workers[at] = start(at);
  }
}

/** How many messages came more than once; throws where one is missing, torn or out of order. */
function checkReceived(home: string, name: string, from: string): number {
  const log = readFileSync(join(home, `${name}.log`), 'utf8').split('\n');
  expect(log.filter((line) => line.startsWith('PROBLEM') || line.endsWith('TORN'))).toEqual([]);
  const received = log.filter((line) => line.startsWith('RECEIVED ')).map((line) => line.split(' '));
  const numbers = new Set(received.map(([, , , number]) => Number(number)));
  expect([name, numbers.size]).toEqual([name, MESSAGES]);
  const seen = new Set<string>();
  let [again, last] = [0, { stamp: 0, index: 0 }];
  for (const [, sender, id] of received) {
    expect(sender).toBe(from);
    const position = parseMessageId(id!)!;
    if (seen.has(id!)) again += 1;
    else expect(comparePositions(position, last), `${id} came late`).toBeGreaterThan(0);
    if (!seen.has(id!)) last = position;
    seen.add(id!);
  }
  return again;
}
