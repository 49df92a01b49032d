// A real session of a team, and its pictures for the docs: a leader and two teammates in windows of tmux share a list of tasks,
// one is killed in the middle, and the work is finished. Models are played by a server on the loopback.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { playTeam } from '../test/support/team-player.mjs';
import { screenToSvg } from './terminal-svg.mjs';

const COLUMNS = 100;
const ROWS = 30;
const CHAPTERS = 6;
const binary = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const docs = fileURLToPath(new URL('../docs', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'reverie-team-'));
const project = join(scratch, 'book');
const held = { name: 'ana', claims: 0 };

let server;
try {
  fillProject();
  server = await startServer();
  const size = ['-x', String(COLUMNS), '-y', String(ROWS)];
  tmux('new-session', '-d', ...size, '-s', 'main', '-n', 'shell', '-c', project, 'bash --norc --noprofile -i');
  send(`unset HISTFILE; PS1='$ '; reverie() { ${process.execPath} ${binary} "$@"; }; clear`);
  await sleep(500);
  send('clear; cat crew.yaml; reverie team start crew.yaml');
  await until('shell', 'To end them:');
  await until('ana', 'chapter-');
  while (held.claims < 2) await sleep(100);
  send('clear; reverie team members');
  await until('shell', '#');
  await sleep(500);
  const pid = /ana\s+process (\d+)/.exec(screen('shell'))[1];
  send(`kill -9 ${pid}; sleep 1; reverie team members`);
  await until('shell', /ana\s+gone/);
  await until('lead', `All ${CHAPTERS} chapters are checked.`);
  send('reverie team members');
  await until('shell', new RegExp(`${CHAPTERS} tasks, ${CHAPTERS} completed`));
  await sleep(500);
  picture('team-members', 'shell');
  picture('team-leader', 'lead');
  console.log(`${CHAPTERS} tasks done by ben and ana, who was killed as process ${pid} in her second one`);
} finally {
  try {
    tmux('kill-server');
  } catch {}
  server?.close();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 20 });
}

function fillProject() {
  mkdirSync(project, { recursive: true });
  for (let at = 1; at <= CHAPTERS; at += 1)
    writeFileSync(join(project, `chapter-${at}.md`), `This is chapter ${at} of the book.\n`);
  const tasks = Array.from({ length: CHAPTERS }, (_, at) => `  - Check chapter ${at + 1}`);
  const members = ['  lead: {}', '  ana: {}', '  ben: {}'];
  writeFileSync(join(project, 'crew.yaml'), ['team: book', 'members:', ...members, 'tasks:', ...tasks, ''].join('\n'));
}

function picture(name, window) {
  const text = screen(window, '-e').replaceAll(scratch, '~').trimEnd();
  writeFileSync(join(docs, `${name}.svg`), screenToSvg(text, { columns: COLUMNS, title: `reverie: ${name}` }));
  console.log(`docs/${name}.svg`);
}

function screen(window, ...more) {
  return tmux('capture-pane', '-p', ...more, '-t', `main:${window}`);
}

function tmux(...words) {
  return execFileSync('tmux', ['-f', '/dev/null', '-L', 'team', ...words], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: scratch,
      TMUX_TMPDIR: scratch,
      LANG: 'C.UTF-8',
      REVERIE_DISABLE_EXTRACTION: '1',
      REVERIE_DISABLE_NOTES: '1',
      REVERIE_DISABLE_DREAMING: '1',
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: server?.url ?? '',
    },
  });
}

function send(text) {
  tmux('send-keys', '-t', 'main:shell', '-l', text);
  tmux('send-keys', '-t', 'main:shell', 'Enter');
}

async function until(window, wanted) {
  const fits = (text) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
  for (let tries = 0; tries < 600; tries += 1) {
    if (fits(screen(window))) return;
    await sleep(100);
  }
  throw new Error(`never seen in ${window}: ${wanted}\n${screen(window)}`);
}

/** Ana's second claim is never answered: she is killed in the middle of it. */
async function answerTo(messages) {
  await sleep(300);
  const answer = playTeam(messages, {
    onClaim(name) {
      if (name === held.name) held.claims += 1;
    },
  });
  const isHeld = held.claims >= 2 && JSON.stringify(messages).includes(`You are ${held.name} in`);
  return isHeld ? null : answer;
}

function startServer() {
  let asked = 0;
  const listening = createServer(async (request, response) => {
    const bytes = [];
    for await (const chunk of request) bytes.push(chunk);
    if (!request.url.startsWith('/v1/messages')) return response.writeHead(404).end('{}');
    const answer = await answerTo(JSON.parse(Buffer.concat(bytes).toString('utf8')).messages);
    if (answer === null) return;
    asked += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const emit = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const usage = { input_tokens: 120, output_tokens: 60, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const message = { id: `msg_${asked}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [] };
    emit({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } });
    const isTool = answer.tool !== undefined;
    const block = isTool
      ? { type: 'tool_use', id: `toolu_${asked}`, name: answer.tool, input: {} }
      : { type: 'text', text: '' };
    const delta = isTool
      ? { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) }
      : { type: 'text_delta', text: answer.text };
    emit({ type: 'content_block_start', index: 0, content_block: block });
    emit({ type: 'content_block_delta', index: 0, delta });
    emit({ type: 'content_block_stop', index: 0 });
    emit({
      type: 'message_delta',
      delta: { stop_reason: isTool ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage,
    });
    emit({ type: 'message_stop' });
    response.end();
  });
  return new Promise((resolve) => {
    listening.listen(0, '127.0.0.1', () => {
      const close = () => {
        listening.closeAllConnections();
        listening.close();
      };
      resolve({ url: `http://127.0.0.1:${listening.address().port}`, close });
    });
  });
}
