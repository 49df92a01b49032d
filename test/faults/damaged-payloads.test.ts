/** Damaged payloads again, with a process for each as a host starts it, and several at once. */

import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { damaged, type RecordedPayload, wrongAnswer } from '../support/damaged-payloads.ts';
import { damagedPlace } from '../support/damaged-place.ts';
import { seededRandom } from './seeded-random.mjs';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const TIMES = 60;
const AT_ONCE = 4;
/** Far above what a hook takes on a busy machine. */
const BUDGET_MS = '20000';

it('answers damaged payloads as processes, and writes nothing it should not', async () => {
  const { project, environment, recorded, wrongOnDisk } = await damagedPlace('damaged-processes');
  const random = seededRandom(2_100);
  const payloads = Array.from({ length: TIMES }, () => damaged(recorded, random));
  const wrong: string[] = [];
  const run = async (payload: RecordedPayload) => {
    const problem = await problemOf(payload, {
      cwd: project,
      env: { ...environment, REVERIE_HOOK_BUDGET_MS: BUDGET_MS },
    });
    if (problem !== null) wrong.push(`${payload.host} ${payload.event}: ${problem}: ${payload.text.slice(0, 200)}`);
  };
  while (payloads.length > 0) await Promise.all(payloads.splice(0, AT_ONCE).map(run));
  expect(wrong).toEqual([]);
  expect(await wrongOnDisk()).toEqual([]);
});

function problemOf(payload: RecordedPayload, options: SpawnOptionsWithoutStdio): Promise<string | null> {
  const child = spawn(process.execPath, [BINARY, 'hook', payload.host, payload.event], options);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(payload.text);
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(code === 0 ? wrongAnswer(payload, stdout) : `exit code ${code}`));
  });
}
