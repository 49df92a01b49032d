/** Damaged payloads again, with a process for each as a host starts it, and several at once. */

import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { HOST_NAMES } from '../../src/hooks/hosts/host.ts';
import { readHookProblems } from '../../src/hooks/run/status.ts';
import { contextOf, damaged, type RecordedPayload, wrongAnswer } from '../support/damaged-payloads.ts';
import { damagedPlace } from '../support/damaged-place.ts';
import { inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';

const HOOK = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));
const TIMES = inThisRun({ short: 60, long: 500 });
const AT_ONCE = 4;
/** A hook that exceeds it says so in the record of problems; far above what one takes on a busy machine. */
const BUDGET_MS = '20000';

it('answers damaged payloads as processes, and writes nothing it should not', async () => {
  const { project, home, environment, recorded, wrongOnDisk } = await damagedPlace('damaged-processes');
  const random = seededRandom(2_100);
  // Those that are whole show that there is something to be told and to be kept.
  const payloads = [...recorded, ...Array.from({ length: TIMES }, () => damaged(recorded, random))];
  const env = { ...environment, REVERIE_HOOK_BUDGET_MS: BUDGET_MS };
  const wrong: string[] = [];
  const answers: Ran[] = [];
  const run = async (payload: RecordedPayload) => {
    const ran = await runHook(payload, { cwd: project, env });
    answers.push(ran);
    const problem = ran.code === 0 ? wrongAnswer(payload, ran.stdout) : `exit code ${ran.code}`;
    if (problem !== null) wrong.push(`${payload.host} ${payload.event}: ${problem}: ${payload.text.slice(0, 200)}`);
  };
  while (payloads.length > 0) await Promise.all(payloads.splice(0, AT_ONCE).map(run));
  expect(wrong).toEqual([]);
  expect(await wrongOnDisk()).toEqual([]);
  const problems = readHookProblems(home);
  expect(problems.filter(({ problem }) => problem.includes('took longer'))).toEqual([]);
  const told = answers.filter((ran) => contextOf(ran.payload, ran.stdout) !== null);
  expect(new Set(told.map(({ payload }) => payload.host))).toEqual(new Set(HOST_NAMES));
  const slowest = Math.max(...answers.map(({ milliseconds }) => Math.round(milliseconds)));
  say(
    `${TIMES} damaged and ${recorded.length} whole payloads of ${HOST_NAMES.length} hosts: all answered in form, ${told.length} with memory, ${problems.length} problems on record; the slowest took ${slowest} ms`,
  );
});

interface Ran {
  readonly payload: RecordedPayload;
  readonly code: number | null;
  readonly stdout: string;
  readonly milliseconds: number;
}

function runHook(payload: RecordedPayload, options: SpawnOptionsWithoutStdio): Promise<Ran> {
  const begunMs = performance.now();
  const child = spawn(process.execPath, [HOOK, 'hook', payload.host, payload.event], options);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(payload.text);
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ payload, code, stdout, milliseconds: performance.now() - begunMs }));
  });
}
