// How fast messages are: from one idle process to another, many through one mailbox, and the same with an inbox that is one
// JSON file, read, changed and written again. Run it: npm run bench:messages
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAgent, openMailbox } from '../dist/index.js';

const DELIVERIES = 100;
const MESSAGES = 20_000;
const JSON_MESSAGES = 1_000;
const TEXT = 'Please look at the rename in the folder module; three of forty tests fail since this morning.';
const [role, home] = process.argv.slice(2);

if (role === 'echo') await echo();
else if (role === 'session') await session();
else await measure();

/** The other process: answers each message with the time at which it had it. */
async function echo() {
  const mailbox = await openMailbox({ name: 'echo', home });
  process.stdout.write('ready\n');
  for await (const { from } of mailbox.receive()) await mailbox.send({ to: from, message: String(clock()) });
}

/** An idle session that answers each message in a turn of its own. */
async function session() {
  const agent = await openAgent({
    ...{ name: 'sam', home, cwd: home, dreams: false },
    async onWake(begin) {
      for await (const _ of begin());
      process.stdout.write('idle\n');
    },
  });
  process.stdout.write(`ready ${agent.sessionId}\n`);
}

/** One clock for all processes. */
function clock() {
  return performance.timeOrigin + performance.now();
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'reverie-bench-'));
  try {
    print('delivery between two idle processes', await idleDelivery(folder));
    print('from send to the request of an idle session', await idleSession(folder));
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
  return `${shares(times)}, from the call of send to the other's loop`;
}

function shares(times) {
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${times.length})`;
}

async function idleSession(folder) {
  const arrived = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const now = clock();
    for (const word of Buffer.concat(chunks)
      .toString('utf8')
      .match(/PING-\d+/g) ?? [])
      if (!arrived.has(word)) arrived.set(word, now);
    answerWith(response, 'Fine.');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'session', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, ANTHROPIC_API_KEY: 'none' },
      ...{ REVERIE_DISABLE_RECALL: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_NOTES: '1' },
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    },
  });
  const heard = () => new Promise((resolve) => child.stdout.once('data', resolve));
  await heard();
  const mailbox = await openMailbox({ name: 'bench', home: folder });
  const times = [];
  for (let count = 0; count < DELIVERIES; count += 1) {
    await sleep(20);
    const sentAt = clock();
    const idle = heard();
    await mailbox.send({ to: 'sam', message: `PING-${count} ` });
    await idle;
    times.push(arrived.get(`PING-${count}`) - sentAt);
  }
  await mailbox.close();
  child.kill();
  server.closeAllConnections();
  server.close();
  return shares(times);
}

/** The shortest answer of a model that the Messages API can stream. */
function answerWith(response, text) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const emit = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [] };
  emit({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } });
  emit({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  emit({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  emit({ type: 'content_block_stop', index: 0 });
  emit({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage });
  emit({ type: 'message_stop' });
  response.end();
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
  process.stdout.write(`${name.padEnd(46)} ${result}\n`);
}
