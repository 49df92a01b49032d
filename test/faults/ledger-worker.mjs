/** Reserves room in a shared ledger, works a while, and settles with what it really used; over and over until it is refused for good. */

import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from './seeded-random.mjs';

const facts = JSON.parse(process.argv[2]);
const { openLedger } = await import(new URL('disk/ledger/ledger.js', facts.dist).href);
const { LIMITS } = await import(new URL('limits.js', facts.dist).href);
const random = seededRandom(facts.seed);
const now = () => new Date(facts.now);
const ledger = openLedger({
  home: facts.home,
  session: `session-${facts.seed}`,
  project: 'project',
  now,
  onProblem: (problem) => writeSync(1, `PROBLEM ${problem.message}\n`),
  limits: { ...LIMITS, caps: { ...LIMITS.caps, dayTokens: facts.dayTokens, lockWaitMs: 60_000 } },
});

writeSync(1, 'READY\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
// The smallest call is refused for good once what is settled alone leaves no room for it. One that is to be killed goes on
// trying until it is: the killer may be slower than the others are in using up the room.
const mostRefusals = facts.isVictim ? Number.POSITIVE_INFINITY : 20;
for (let call = 0, refusals = 0; refusals < mostRefusals; call += 1) {
  const [id, at] = [`${process.pid}-${call}`, now().toISOString()];
  const equivalentTokens = Math.ceil(random() * facts.mostTokens);
  const answer = await ledger.reserve({ id, at, purpose: 'extraction', model: 'model', equivalentTokens });
  if (answer.reason === 'unavailable') writeSync(1, `PROBLEM ${answer.problem}\n`);
  if (answer.kind === 'refused') {
    refusals += 1;
    await sleep(random() * 5);
    continue;
  }
  writeSync(1, `RESERVED ${id}\n`);
  await sleep(random() * 10);
  const none = { outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWriteHourTokens: 0 };
  const used = Math.floor(random() * (equivalentTokens + 1));
  const usage = { inputTokens: used, ...none };
  const line = { id, at, purpose: 'extraction', background: true, model: 'model', usage, equivalentTokens: used };
  ledger.record({ ...line, money: null, milliseconds: 1, outcome: 'done' });
}
ledger.close();
writeSync(1, 'END\n');
process.exit(0);
