// The terminal agent as a person experiences it: first paint against `node -e 0`, and how long a typed letter takes to
// appear while an answer streams in at 100 tokens a second after 200,000 tokens of history. Needs `script` (util-linux).
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scriptedModel } from '../dist/model/scripted.js';
import { openAgent } from '../dist/session/open-agent.js';

const ROUNDS = Number(process.argv[2] ?? 15);
const KEYS = Number(process.argv[3] ?? 400);
const HISTORY_TOKENS = 200_000;
const TOKENS_A_SECOND = 100;
const BARS = { paint: 5, typingMs: 30 };
const BYTES_A_TOKEN = 4;
const TURNS = 20;
const LINE_KEYS = 40;

const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-terminal-'));
const project = join(scratch, 'project');
const binary = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const environment = { PATH: process.env.PATH, HOME: scratch, TERM: 'xterm-256color', LANG: 'C.UTF-8' };

if (spawnSync('script', ['--version']).status !== 0) {
  console.log('`script` of util-linux is not installed: nothing was measured.');
  process.exit(0);
}
try {
  mkdirSync(project);
  const server = await startServer();
  const served = { ...environment, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'bench' };
  await measurePaint(served);
  await makeHistory();
  await measureTyping(served);
  server.close();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measurePaint(served) {
  const times = { node: [], paint: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.node.push(await timeOf('-e 0', served, null));
    times.paint.push(await timeOf(`${binary} --home ${join(scratch, 'empty')}`, served, '> '));
  }
  const ratio = median(times.paint) / median(times.node);
  console.log(
    `first paint       ${median(times.paint).toFixed(0)} ms; node -e 0 takes ${median(times.node).toFixed(0)} ms`,
  );
  console.log(`                  ${ratio.toFixed(2)} times (bar: ${BARS.paint})`);
}

/** Until something appears, or until the end. */
async function timeOf(words, served, seen) {
  const startedAt = performance.now();
  const terminal = startTerminal(words, served);
  if (seen === null) await terminal.ended;
  else await terminal.until((text) => text.includes(seen));
  const milliseconds = performance.now() - startedAt;
  terminal.end();
  await terminal.ended;
  return milliseconds;
}

async function makeHistory() {
  const bytes = (HISTORY_TOKENS * BYTES_A_TOKEN) / TURNS / 2;
  const text = 'words of an earlier day '.repeat(Math.ceil(bytes / 24)).slice(0, bytes);
  const model = scriptedModel({ answer: () => ({ text }), capabilities: { windowTokens: 1_000_000 } });
  const agent = await openAgent({ cwd: project, env: environment, model });
  for (let turn = 0; turn < TURNS; turn++) for await (const _ of agent.send(text));
  await agent.close();
}

async function measureTyping(served) {
  const terminal = startTerminal(`${binary} --continue`, served);
  await terminal.until((text) => text.includes('% left'));
  terminal.write('talk\r');
  await terminal.until((text) => text.includes('lorem'));
  const times = [];
  let typed = '';
  for (let key = 0; key < KEYS; key++) {
    if (typed.length >= LINE_KEYS) {
      terminal.write('\u0015');
      typed = '';
      await sleep(100);
    }
    typed += 'QZXJVK'[key % 6];
    terminal.forget();
    const startedAt = performance.now();
    terminal.write(typed.at(-1));
    await terminal.until((text) => text.includes(typed));
    times.push(performance.now() - startedAt);
    await sleep(20 + (key % 7) * 9);
  }
  terminal.end();
  await terminal.ended;
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
  console.log(
    `typing            p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms of ${KEYS} keys (bar: p99 ${BARS.typingMs} ms)`,
  );
  console.log(
    `                  while ${TOKENS_A_SECOND} tokens a second stream in behind ${HISTORY_TOKENS.toLocaleString('en')} tokens`,
  );
}

function startTerminal(words, served) {
  const line = `stty cols 100 rows 40; exec ${process.execPath} ${words}`;
  const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd: project, env: served });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let seen = '';
  let check = () => {};
  child.stdout.setEncoding('utf8').on('data', (text) => {
    seen += text;
    check();
  });
  return {
    ended,
    write: (text) => child.stdin.write(text),
    forget: () => {
      seen = '';
    },
    until: (isSeen) =>
      new Promise((resolve) => {
        check = () => isSeen(seen) && resolve();
        check();
      }),
    end: () => child.kill('SIGTERM'),
  };
}

/** Streams forever. */
function startServer() {
  const server = createServer((request, response) => {
    request.resume();
    if (!request.url.startsWith('/v1/messages')) return response.writeHead(404).end('{}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'bench', content: [], stop_reason: null };
    send({ type: 'message_start', message: { ...message, stop_sequence: null, usage } });
    send({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    let sent = 0;
    const timer = setInterval(() => {
      const text = ++sent % 60 === 0 ? '.\n\n' : sent % 61 === 0 ? '- lorem `code` **bold** ' : 'lorem ';
      send({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
    }, 1_000 / TOKENS_A_SECOND);
    response.on('close', () => clearInterval(timer));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const close = () => {
        server.closeAllConnections();
        server.close();
      };
      resolve({ url: `http://127.0.0.1:${server.address().port}`, close });
    });
  });
}

function median(times) {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)];
}
