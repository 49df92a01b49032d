/** Holds a session and goes on with its conversation until it is killed; says each message once it is appended. */

import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { seededRandom } from './seeded-random.mjs';

const facts = JSON.parse(process.argv[2]);
const load = (name) => import(new URL(`disk/${name}.js`, facts.dist).href);
const { createTranscript, openTranscript, readConversation } = await load('transcript/transcript');
const { holdSession } = await load('sessions/hold');
const { sessionLayout } = await load('home');
const random = seededRandom(facts.seed);
const at = '2026-03-05T10:00:00.000Z';

const hold = await holdSession(facts.place);
writeSync(1, `HOLD ${hold.kind}\n`);
const onProblem = (problem) => writeSync(1, `PROBLEM ${problem.message}\n`);
const first = {
  type: 'session',
  at,
  version: 1,
  sessionId: facts.place.sessionId,
  cwd: '/',
  model: 'model',
  rendered: 1,
};
const transcript = facts.isFirst
  ? createTranscript({ ...facts.place, onProblem, first })
  : openTranscript({ ...facts.place, onProblem });
let { lastUuid } = await readConversation(sessionLayout(facts.place).transcript);
for (;;) {
  const uuid = randomUUID();
  const content = [{ type: 'text', text: 'x'.repeat(random() ** 4 * 400_000) }];
  transcript.append({ type: 'message', uuid, parentUuid: lastUuid, at, message: { role: 'user', content } });
  writeSync(1, `SAID ${uuid}\n`);
  lastUuid = uuid;
  await breathe();
}
