/** Payloads of all hosts, damaged at random: each is answered in the host's own form, and nothing is written that should not be. */

import { expect, it } from 'vitest';
import { HOST_NAMES } from '../../src/hooks/hosts/host.ts';
import { seededRandom } from '../faults/seeded-random.mjs';
import { runBuiltHook } from '../support/built-hook.ts';
import { contextOf, damaged, wrongAnswer } from '../support/damaged-payloads.ts';
import { damagedPlace } from '../support/damaged-place.ts';

const TIMES = 500;
const SEED = 21;

it('answers five hundred damaged payloads of all hosts, and writes nothing it should not', async () => {
  const { environment, recorded, wrongOnDisk } = await damagedPlace('damaged-payloads');
  const random = seededRandom(SEED);
  const wrong: string[] = [];
  const told = new Set<string>();
  for (let time = 0; time < TIMES; time++) {
    const payload = damaged(recorded, random);
    const { host, event, text } = payload;
    const ran = await runBuiltHook(['hook', host, event], { input: text, environment });
    const problem = ran.code === 0 ? wrongAnswer(payload, ran.stdout) : `exit code ${ran.code}`;
    if (problem !== null) wrong.push(`${time} ${host} ${event}: ${problem}: ${text.slice(0, 200)}`);
    if (contextOf(payload, ran.stdout) !== null) told.add(host);
  }
  expect(wrong).toEqual([]);
  expect(await wrongOnDisk()).toEqual([]);
  // Else it would prove little that nothing was wrong.
  expect(told).toEqual(new Set(HOST_NAMES));
}, 300_000);
