/** Sends its share of numbered messages to one mailbox and receives all the while; goes on where it was when it was killed. */

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { dist, home, name, to, count } = JSON.parse(process.argv[2]);
const { openMailbox } = await import(new URL('mailbox/mailbox.js', dist).href);
const log = join(home, `${name}.log`);
const note = (line) => appendFileSync(log, `${line}\n`);
const TOGETHER = 20;

function sentBefore() {
  try {
    const sent = readFileSync(log, 'utf8').matchAll(/^SENT (\d+)$/gm);
    return Math.max(-1, ...[...sent].map(([, number]) => Number(number)));
  } catch {
    return -1;
  }
}

const mailbox = await openMailbox({ name, home, onProblem: (problem) => note(`PROBLEM ${problem.message}`) });
process.stdout.write('READY\n');

async function receive() {
  for await (const { id, from, message } of mailbox.receive()) {
    const [number, filling] = message.split(' ');
    const isWhole = filling === 'x'.repeat(Number(number) % 500);
    note(`RECEIVED ${from} ${id} ${number}${isWhole ? '' : ' TORN'}`);
  }
}

/** Until the recipient is there: it may have been killed a moment ago. */
async function sendSurely(number) {
  for (;;) {
    try {
      return await mailbox.send({ to, message: `${number} ${'x'.repeat(number % 500)}` });
    } catch (error) {
      if (error.code !== 'not-found') throw error;
      await sleep(20);
    }
  }
}

const receiving = receive();
for (let next = sentBefore() + 1; next < count; next += TOGETHER) {
  const numbers = Array.from({ length: Math.min(TOGETHER, count - next) }, (_, at) => next + at);
  await Promise.all(numbers.map(sendSurely));
  note(`SENT ${numbers.at(-1)}`);
  // So that there is something to kill in the middle of.
  await sleep(5);
}
process.stdout.write('DONE\n');
process.stdin.once('data', () => mailbox.close());
await receiving;
process.exit(0);
