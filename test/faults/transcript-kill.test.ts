/** A conversation whose process is killed again and again: nothing that was appended is lost, and the next process goes on. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sessionLayout } from '../../src/disk/home.ts';
import { readConversation } from '../../src/disk/transcript/transcript.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker } from './worker-process.ts';

const KILLS = inThisRun({ short: 8, long: 100 });

describe('a transcript', () => {
  it('holds every message of processes that were killed', { timeout: 10_000 * KILLS }, async () => {
    await inTemporaryFolder(async (home) => {
      const place = { home, slug: 'project-00000000', sessionId: randomUUID() };
      const random = seededRandom(11);
      const said: string[] = [];
      for (let kill = 0; kill < KILLS; kill += 1) {
        const worker = startWorker('./transcript-worker.mjs', { place, seed: kill, isFirst: kill === 0 });
        expect(await worker.line('HOLD')).toBe('HOLD held');
        expect(await worker.line('SAID')).not.toBeNull();
        await sleep(random() * 60);
        worker.signal('SIGKILL');
        await worker.ended;
        expect(worker.lines.filter((line) => line.startsWith('PROBLEM'))).toEqual([]);
        said.push(...worker.lines.flatMap((line) => (line.startsWith('SAID ') ? [line.slice(5)] : [])));
      }
      const found = await readConversation(sessionLayout(place).transcript);
      const uuids = new Set(found.entries.map(({ uuid }) => uuid));
      say(
        `transcript: ${KILLS} kills, ${said.length} messages said, ${uuids.size} kept, ${found.damaged.length} lines torn`,
      );
      expect(said.filter((uuid) => !uuids.has(uuid))).toEqual([]);
      // What was appended in the moment of a kill may be there unsaid.
      expect(uuids.size).toBeLessThanOrEqual(said.length + KILLS);
      expect(found.damaged.length).toBeLessThanOrEqual(KILLS);
      expect(found.bridged).toBe(0);
      expect(found.first?.sessionId).toBe(place.sessionId);
    });
  });
});
