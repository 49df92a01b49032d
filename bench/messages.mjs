// How fast messages are: from one idle process to another, many through one mailbox, and the same with an inbox that is one
// JSON file, read, changed and written again. Run it: npm run bench:messages
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openMailbox } from '../dist/index.js';

const DELIVERIES = 100;
const MESSAGES = 20_000;
const JSON_MESSAGES = 1_000;
const TEXT = 'Please look at the rename in the folder module; three of forty tests fail since this morning.';
const [role, home] = process.argv.slice(2);

if (role === 'echo') await echo();
else await measure();

/** The other process: answers each message with the time at which it had it. */
async function echo() {
  const mailbox = await openMailbox({ name: 'echo', home });
  process.stdout.write('ready\n');
  for await (const { from } of mailbox.receive()) await mailbox.send({ to: from, message: String(clock()) });
}

/** One clock for all processes. */
function clock() {
  return performance.timeOrigin + performance.now();
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'reverie-bench-'));
  try {
    print('delivery between two idle processes', await idleDelivery(folder));
    const { stored, received } = await throughput(folder);
    print('through one mailbox, stored', stored);
    print('through one mailbox, received', received);
    print('one JSON file, read and written again', jsonInbox(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function idleDelivery(folder) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'echo', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const mailbox = await openMailbox({ name: 'bench', home: folder });
  const times = [];
  const answers = mailbox.receive();
  for (let count = 0; count < DELIVERIES; count += 1) {
    await sleep(20);
    const sentAt = clock();
    await mailbox.send({ to: 'echo', message: 'ping' });
    const { value } = await answers.next();
    times.push(Number(value.message) - sentAt);
  }
  await answers.return();
  await mailbox.close();
  child.kill();
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, from the call of send to the other's loop`;
}

async function throughput(folder) {
  const [sender, reader] = [
    await openMailbox({ name: 'sender', home: folder }),
    await openMailbox({ name: 'reader', home: folder }),
  ];
  const stored = await rate(MESSAGES, () =>
    Promise.all(Array.from({ length: MESSAGES }, (_, at) => sender.send({ to: 'reader', message: `${TEXT} ${at}` }))),
  );
  const received = await rate(MESSAGES, async () => {
    let count = 0;
    for await (const _ of reader.receive({ until: 'empty' })) count += 1;
    if (count !== MESSAGES) throw new Error(`${count} of ${MESSAGES} came`);
  });
  await Promise.all([sender.close(), reader.close()]);
  return { stored, received };
}

/** What it is compared with: no sync, no lock, and every message costs as much as all that wait. */
function jsonInbox(folder) {
  const path = join(folder, 'inbox.json');
  writeFileSync(path, '[]');
  const start = performance.now();
  for (let at = 0; at < JSON_MESSAGES; at += 1) {
    const messages = JSON.parse(readFileSync(path, 'utf8'));
    messages.push({ id: at, from: 'sender', message: `${TEXT} ${at}`, at: new Date().toISOString() });
    writeFileSync(path, JSON.stringify(messages));
  }
  return perSecond(JSON_MESSAGES, performance.now() - start);
}

async function rate(count, work) {
  const start = performance.now();
  await work();
  return perSecond(count, performance.now() - start);
}

function perSecond(count, milliseconds) {
  return `${Math.round((count / milliseconds) * 1_000).toLocaleString('en')} messages a second (${count.toLocaleString('en')})`;
}

function print(name, result) {
  process.stdout.write(`${name.padEnd(40)} ${result}\n`);
}
