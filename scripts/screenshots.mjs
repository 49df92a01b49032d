// Takes pictures of the real terminal agent for the README: tmux plays it against a server on the loopback, and what stands
// on the screen, colours and all, becomes an SVG.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMemory } from '../dist/index.js';
import { binary, docs, savePicture, startModel, tmuxIn } from './picture-tools.mjs';

const COLUMNS = 92;
const ROWS = 34;
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
let tmux;
try {
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(docs, { recursive: true });
  writeFileSync(
    join(project, 'src/discount.ts'),
    'export function discount(total: number, limit: number): number {\n  return total > limit ? limit : total;\n}\n',
  );
  await fillMemory();
  server = await startModel((_messages, asked) => ({
    ...ANSWERS[Math.min(asked, ANSWERS.length) - 1],
    usage: usageOf(asked),
  }));
  tmux = tmuxIn(scratch, server.url);
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
  savePicture(name, tmux('capture-pane', '-p', '-e', '-t', 'main'), { scratch, columns: COLUMNS });
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

/** The first request writes the cache that the later ones read. */
function usageOf(asked) {
  if (asked === 1) return { cache_creation_input_tokens: 7_600 };
  return { cache_read_input_tokens: 7_400 + 200 * asked, cache_creation_input_tokens: 240 };
}
