/** One approves what another rejects in the same moment: whoever is first has decided, both say so, and so do the record and the files. */

import { existsSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../src/disk/contents.ts';
import { thisProcess } from '../../src/disk/process-identity.ts';
import type { DreamRecord } from '../../src/layers/6-dreaming/records/record.ts';
import { readDreamRecord, writeDreamRecord } from '../../src/layers/6-dreaming/records/records.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const HANG_MS = 60_000;

interface Answer {
  readonly error?: string;
  readonly change?: string | null;
  readonly decisions?: readonly { readonly outcome: string }[];
}

function recordOf(id: string, file: string, base: string): DreamRecord {
  return {
    ...{
      id,
      startedAt: '2031-05-08T03:30:00.000Z',
      endedAt: '2031-05-08T03:31:00.000Z',
      by: 'hand',
      status: 'completed',
    },
    ...{
      problem: null,
      process: thisProcess(),
      model: 'm',
      rounds: 3,
      toolCalls: 5,
      equivalentTokens: 10,
      money: null,
    },
    change: null,
    changes: [
      {
        ...{ number: 1, action: 'remove', file, reason: 'Said elsewhere.', evidence: [], into: [], state: 'waiting' },
        ...{ why: 'review', base, text: null },
      },
    ],
  };
}

async function answerOf(worker: WorkerProcess, id: string): Promise<Answer> {
  const line = await worker.line(`DECIDED ${id} `);
  return JSON.parse(line?.slice(`DECIDED ${id} `.length) ?? '{"error":"it ended"}');
}

describe('approving and rejecting at once', () => {
  it(
    'tells one truth',
    () =>
      inTemporaryFolder(async (folder) => {
        const places = { memory: `${folder}/memory`, home: `${folder}/home` };
        mkdirSync(places.home);
        const memory = await openMemory({ directory: places.memory, home: places.home, env: { HOME: places.home } });
        const rounds = inThisRun({ short: 24, long: 300 });
        const random = seededRandom(7);
        const ids = Array.from({ length: rounds }, (_, round) => `lk3x-${String(round).padStart(4, '0')}`);
        for (const id of ids) {
          const text = `---\nname: ${id}\ndescription: d\ntype: project\n---\n\nThe text of ${id}.\n`;
          await memory.files.write(`project_${id}.md`, text);
          await writeDreamRecord(places.memory, recordOf(id, `project_${id}.md`, hashOf(Buffer.from(text))));
        }
        const workers = ['approve', 'reject'].map((verb) =>
          startWorker('./dream-decide-worker.mjs', { ...places, verb }),
        );
        await Promise.all(workers.map((worker) => worker.line('READY')));
        const seen = { approved: 0, rejected: 0, met: 0 };
        for (const id of ids) {
          // One of the two begins a little earlier, so that they meet at every stage of each other.
          const [first, second] = random() < 0.5 ? [0, random() * 20] : [random() * 20, 0];
          workers[0]!.tell(`${JSON.stringify({ id, delayMs: first })}\n`);
          workers[1]!.tell(`${JSON.stringify({ id, delayMs: second })}\n`);
          const answers = await Promise.all(workers.map((worker) => answerOf(worker, id)));
          const state = readDreamRecord(places.memory, id)?.changes[0]?.state;
          const isThere = existsSync(`${places.memory}/project_${id}.md`);
          expect({ id, state, isThere }).toEqual({ id, state: isThere ? 'rejected' : 'approved', isThere });
          for (const { error, decisions } of answers) {
            if (error === undefined) expect(decisions).toMatchObject([{ outcome: state }]);
            // Who comes when all is decided is told that nothing waits.
            else expect(error).toBe(`Nothing of dream ${id} waits`);
          }
          expect(answers.some(({ error }) => error === undefined)).toBe(true);
          if (state === 'approved') expect(answers.some(({ change }) => typeof change === 'string')).toBe(true);
          seen[state as 'approved' | 'rejected'] += 1;
          if (answers.every(({ error }) => error === undefined)) seen.met += 1;
        }
        for (const worker of workers) worker.signal('SIGTERM');
        await Promise.all(workers.map(({ ended }) => ended));
        await memory.close();
        say(`${rounds} dreams approved and rejected at once: ${JSON.stringify(seen)}`);
      }),
    inThisRun({ short: HANG_MS, long: 10 * HANG_MS }),
  );
});
