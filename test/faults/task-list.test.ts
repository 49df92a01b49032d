/** Many processes claim from one list of tasks while they are killed: each is done once, and none is lost. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parseChange } from '../../src/mailbox/tasks/task.ts';
import { openTaskList } from '../../src/mailbox/tasks/task-list.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker } from './worker-process.ts';

const PROCESSES = inThisRun({ short: 4, long: 16 });
const TASKS = inThisRun({ short: 60, long: 1_000 });
const KILLS = inThisRun({ short: 6, long: 40 });

describe('a shared task list', () => {
  it('has each task done once by processes that are killed, and loses none', { timeout: 900_000 }, async () => {
    await inTemporaryFolder(async (home) => {
      const list = openTaskList({ team: 'crew', name: 'leader', home });
      for (let count = 0; count < TASKS; count += 1) await list.create({ subject: `task ${count}` });
      const start = (at: number) => startWorker('./task-worker.mjs', { home, name: `agent-${at}` });
      const workers = Array.from({ length: PROCESSES }, (_, at) => start(at));
      const random = seededRandom(11);
      for (let kill = 0; kill < KILLS; kill += 1) {
        const at = Math.floor(random() * PROCESSES);
        // Mostly in the middle of a task.
        await workers[at]!.line('CLAIMED');
        await sleep(random() * 50);
        workers[at]!.signal('SIGKILL');
        await workers[at]!.ended;
        workers[at] = start(at);
      }
      await Promise.all(workers.map(({ ended }) => ended));
      expect(workers.map((worker) => worker.complaints()).join('')).toBe('');
      const states = (await list.list()).map(({ state }) => state);
      const completed = changesIn(home)
        .filter(({ state }) => state === 'completed')
        .map(({ id }) => id);
      const claims = changesIn(home).filter(({ state }) => state === 'in_progress').length;
      say(
        `tasks: ${PROCESSES} processes, ${TASKS} tasks, ${KILLS} kills; ${completed.length} done, ${claims - TASKS} claims came back`,
      );
      expect(states).toEqual(Array.from({ length: TASKS }, () => 'completed'));
      expect(completed.toSorted()).toEqual([...new Set(completed)].toSorted());
      expect(completed).toHaveLength(TASKS);
      list.close();
    });
  });
});

function changesIn(home: string) {
  const lines = readFileSync(join(home, 'teams', 'crew', 'tasks', 'log.jsonl'), 'utf8').split('\n');
  return lines.flatMap((line) => parseChange(line) ?? []);
}
