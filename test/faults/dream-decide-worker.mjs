/** Decides about dreams that wait, one a line: opened beforehand and begun on a word, so that two processes meet in the middle. */

import { createInterface } from 'node:readline';

const facts = JSON.parse(process.argv[2]);
const load = (path) => import(new URL(path, facts.dist).href);
const { openMemory } = await load('session/open-memory.js');
const { openDreamInbox } = await load('layers/6-dreaming/inbox/inbox.js');
const { LIMITS } = await load('limits.js');

const memory = await openMemory({ directory: facts.memory, home: facts.home, env: { HOME: facts.home } });
const inbox = openDreamInbox(memory, { patience: LIMITS.lock });
process.stdout.write('READY\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, delayMs } = JSON.parse(line);
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  const answer = await inbox[facts.verb](id).catch((error) => ({ error: error.message }));
  process.stdout.write(`DECIDED ${id} ${JSON.stringify(answer)}\n`);
}
await memory.close();
process.exit(0);
