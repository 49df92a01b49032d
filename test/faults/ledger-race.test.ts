/** Several processes at one ledger, some of them killed: together they never pass the cap. */

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker } from './worker-process.ts';

const PROCESSES = 5;
const KILLS = 2;
const ROUNDS = inThisRun({ short: 1, long: 20 });
const DAY_TOKENS = 20_000;
const MOST_TOKENS = 1_500;
const NOW = '2026-03-05T10:00:00.000Z';

describe('the cap of a day', () => {
  it('is kept by processes that race for it, and not eaten up by those that were killed', {
    timeout: 120_000 * ROUNDS,
  }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await race(round);
  });
});

async function race(round: number): Promise<void> {
  await inTemporaryFolder(async (home) => {
    const facts = { home, now: NOW, dayTokens: DAY_TOKENS, mostTokens: MOST_TOKENS };
    const start = (seed: number) =>
      startWorker('./ledger-worker.mjs', { ...facts, isVictim: seed < KILLS, seed: seed + 100 * round });
    const workers = Array.from({ length: PROCESSES }, (_, seed) => start(seed));
    await Promise.all(workers.map((worker) => worker.line('READY')));
    for (const worker of workers) worker.tell('go\n');
    const random = seededRandom(round + 1);
    const victims = workers.slice(0, KILLS);
    for (const victim of victims) {
      await victim.line('RESERVED');
      await sleep(random() * 40);
      victim.signal('SIGKILL');
    }
    await Promise.all(workers.map((worker) => worker.ended));
    expect(workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('PROBLEM')))).toEqual([]);
    expect(workers.map((worker) => worker.complaints()).join('')).toBe('');
    expect(workers.filter(({ lines }) => lines.includes('END'))).toHaveLength(PROCESSES - KILLS);

    const killed = new Set(victims.map(({ pid }) => pid));
    const open = new Map<string, number>();
    let [settled, highest, refusals, lapsed] = [0, 0, 0, 0];
    for await (const line of readLedger({ home, now: new Date(NOW) })) {
      if (line.type === 'event') refusals += 1;
      if (line.type === 'reserved' && killed.has(line.process.pid)) lapsed += 1;
      if (line.type === 'reserved' && !killed.has(line.process.pid)) open.set(line.id, line.equivalentTokens);
      if (line.type === 'call') {
        open.delete(line.id);
        settled += line.equivalentTokens;
      }
      highest = Math.max(highest, settled + [...open.values()].reduce((sum, tokens) => sum + tokens, 0));
    }
    say(
      `ledger: ${PROCESSES} processes, ${KILLS} killed; ${settled} of ${DAY_TOKENS} tokens used, at most ${highest} promised`,
    );
    expect(highest).toBeLessThanOrEqual(DAY_TOKENS);
    expect(open.size).toBe(0);
    expect(lapsed).toBeGreaterThan(0);
    // Room was used up, so that the cap was what stopped them.
    expect(refusals).toBeGreaterThan(0);
    expect(highest).toBeGreaterThan(DAY_TOKENS - MOST_TOKENS);
  });
}
