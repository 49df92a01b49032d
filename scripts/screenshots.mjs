// Takes pictures of the real terminal agent for the README: tmux plays it against a server on the loopback, and what stands
// on the screen, colours and all, becomes an SVG.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../dist/index.js';
import { screenToSvg } from './terminal-svg.mjs';

const COLUMNS = 92;
const ROWS = 34;
const binary = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const docs = fileURLToPath(new URL('../docs', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'reverie-pictures-'));
const project = join(scratch, 'shop');
const memory = { directory: null, home: join(scratch, '.reverie'), cwd: project };

const ANSWERS = [
  { text: 'I look at the discount first.', tool: { name: 'Read', input: { file_path: 'src/discount.ts' } } },
  {
    text: 'The limit compares before rounding, so `0.1 + 0.2` slips through.',
    tool: {
      name: 'Edit',
      input: {
        file_path: 'src/discount.ts',
        old_string: '  return total > limit ? limit : total;',
        new_string: '  const cents = Math.round(total * 100);\n  return Math.min(cents, limit * 100) / 100;',
      },
    },
  },
  {
    text: [
      'Fixed: money is compared in **whole cents** now.',
      '',
      '- `discount(0.1 + 0.2, 0.3)` gives `0.3`',
      '- nothing else changed',
      '',
      'You want integration tests on the real database, so I would add the case to',
      '`test/integration/discount.test.ts` rather than mock the price list.',
    ].join('\n'),
  },
];

let server;
try {
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(docs, { recursive: true });
  writeFileSync(
    join(project, 'src/discount.ts'),
    'export function discount(total: number, limit: number): number {\n  return total > limit ? limit : total;\n}\n',
  );
  await fillMemory();
  server = await startServer();
  tmux(
    'new-session',
    '-d',
    '-x',
    String(COLUMNS),
    '-y',
    String(ROWS),
    '-s',
    'main',
    '-c',
    project,
    'bash --norc --noprofile -i',
  );
  send('unset HISTFILE; PS1="$ "; clear');
  await sleep(300);
  send(`clear; exec ${process.execPath} ${binary}`);
  await until('% left');
  send('The discount is off by a cent now and then, fix it');
  await until('Yes, this once');
  await sleep(700);
  picture('question');
  tmux('send-keys', '-t', 'main', 'Enter');
  await until('mock the price list');
  await sleep(400);
  picture('conversation');
  await shown('/context', 'kept for the answer', 'context');
  await shown('/memory', 'memories', 'memory');
} finally {
  try {
    tmux('kill-server');
  } catch {}
  server?.close();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

async function shown(command, wanted, name) {
  tmux('send-keys', '-t', 'main', 'C-l');
  await sleep(300);
  send(command);
  await until(wanted);
  await sleep(400);
  picture(name);
}

function picture(name) {
  const text = tmux('capture-pane', '-p', '-e', '-t', 'main').replaceAll(scratch, '~');
  writeFileSync(join(docs, `${name}.svg`), screenToSvg(text, { columns: COLUMNS, title: `reverie: ${name}` }));
  console.log(`docs/${name}.svg`);
}

function tmux(...words) {
  return execFileSync('tmux', ['-f', '/dev/null', '-L', 'pictures', ...words], {
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
  tmux('send-keys', '-t', 'main', '-l', text);
  tmux('send-keys', '-t', 'main', 'Enter');
}

async function until(wanted) {
  for (let tries = 0; tries < 200; tries++) {
    if (tmux('capture-pane', '-p', '-t', 'main').includes(wanted)) return;
    await sleep(50);
  }
  throw new Error(`never seen: ${wanted}\n${tmux('capture-pane', '-p', '-t', 'main')}`);
}

async function fillMemory() {
  const opened = await openMemory({ home: memory.home, cwd: memory.cwd, env: { HOME: scratch } });
  const save = (type, name, description, body) => opened.save({ type, name, description, body });
  await save(
    'feedback',
    'Real database in tests',
    'Integration tests use the real database, never mocks',
    'No mocks: one hid a broken migration.',
  );
  const { file } = await save(
    'user',
    'Who I am',
    'Backend for ten years, new to the front end',
    'Explain React by its backend cousins.',
  );
  await opened.pin(file);
  await save(
    'project',
    'Freeze in March',
    'No releases from the 1st to the 15th of March',
    'The auditors look at production then.',
  );
  await save(
    'reference',
    'Price list',
    'Where prices come from and who changes them',
    'The sheet "prices" of the sales team.',
  );
  await opened.close();
}

function startServer() {
  let asked = 0;
  const listening = createServer((request, response) => {
    request.resume();
    if (!request.url.startsWith('/v1/messages')) return response.writeHead(404).end('{}');
    const { text, tool } = ANSWERS[Math.min(asked, ANSWERS.length - 1)];
    asked += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const emit = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const read = asked === 1 ? 0 : 7_400 + 200 * asked;
    const usage = {
      input_tokens: 120,
      output_tokens: 90,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: asked === 1 ? 7_600 : 240,
    };
    const message = { id: `msg_${asked}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [] };
    emit({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } });
    emit({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    emit({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
    emit({ type: 'content_block_stop', index: 0 });
    if (tool) {
      emit({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: `toolu_${asked}`, name: tool.name, input: {} },
      });
      emit({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) },
      });
      emit({ type: 'content_block_stop', index: 1 });
    }
    emit({ type: 'message_delta', delta: { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null }, usage });
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
