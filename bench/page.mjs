// The inspector's page in numbers: its size, the first view and a keystroke among 10,000 memories, an event's way to the screen, the
// server's memory while nobody asks, and what recording a request's parts adds to a turn. Nothing here fails a build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { createComposition } from '../dist/session/window/window.js';
import { findPlace } from '../dist/settings/place.js';
import { makeDream, makeMemories, makeSession, SESSION } from '../test/support/inspector-scene.mjs';

const root = mkdtempSync(join(tmpdir(), 'reverie-bench-page-'));
const options = { cwd: join(root, 'shop'), home: join(root, 'home'), env: { HOME: root } };
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const print = (what, value) => console.log(`${what.padEnd(56)} ${value}`);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const at = (numbers, share) => [...numbers].sort((one, other) => one - other)[Math.floor((numbers.length - 1) * share)];

const script = readFileSync(fileURLToPath(new URL('../dist/page/assets/page.js', import.meta.url)));
print('JavaScript, gzipped (at most 80 KB)', `${(gzipSync(script).length / 1024).toFixed(1)} KB`);
print('recording the parts of a request (at most 100 µs)', `${compositionMicroseconds().toFixed(1)} µs`);

mkdirSync(options.cwd, { recursive: true });
const { folders, home, slug } = findPlace(options);
const memoryFolder = folders[0].path;
const now = new Date();
makeMemories(memoryFolder, 10_000, now);
makeSession({
  projectFolder: join(home, 'projects', slug),
  ledgerFolder: join(home, 'ledger'),
  slug,
  session: SESSION,
  requests: 5_000,
  now,
  title: 'A long one',
});
const textOf = (file) => readFileSync(join(memoryFolder, file), 'utf8');
const hashOf = (file) => createHash('sha256').update(textOf(file)).digest('hex');
makeDream(memoryFolder, { files: ['feedback_deploys-0.md', 'project_migrations-1.md'], now, hashOf, textOf });

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const words = ['serve', '--json', '--no-open', '--home', options.home, '--cwd', options.cwd];
const server = spawn(process.execPath, [main, ...words], {
  env: { HOME: root, PATH: process.env.PATH },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(JSON.parse(text).url)));
await pause(14_000);
print('memory of the server before anybody asks (at most 80 MB)', residentOf(server.pid));

if (executablePath === undefined) {
  print('the page itself', 'not measured: there is no Chromium');
} else {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForSelector('[role=option]');
  const views = [];
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    await page.reload();
    await page.waitForSelector('[role=option]');
    views.push(performance.now() - start);
  }
  print('first view of 10,000 memories, median (at most 1,500 ms)', `${at(views, 0.5).toFixed(0)} ms`);
  print('a filter keystroke, median and p95 (at most 50 ms)', await keystrokes(page));
  print('an event on the screen, median and p95 (at most 250 ms)', await events(page));
  const windows = [];
  for (let round = 0; round < 3; round += 1) {
    await page.evaluate(() => {
      location.hash = '#/agents';
    });
    await page.waitForSelector('.empty');
    const start = performance.now();
    await page.evaluate((id) => {
      location.hash = `#/window/${id}`;
    }, SESSION);
    await page.waitForSelector('[role=slider]');
    windows.push(performance.now() - start);
  }
  print('the window of 5,000 requests, median', `${at(windows, 0.5).toFixed(0)} ms`);
  await browser.close();
  await pause(14_000);
  print('memory of the server after all that', residentOf(server.pid));
}
const ended = new Promise((resolve) => server.once('exit', resolve));
server.kill();
await ended;
rmSync(root, { recursive: true, force: true, maxRetries: 3 });

/** From the key to the painted list. */
async function keystrokes(page) {
  const times = await page.evaluate(async () => {
    const input = document.querySelector('input[type=search]');
    const taken = [];
    for (const letters of ['migrations', 'deploys 1', 'owned by Mira']) {
      for (let length = 1; length <= letters.length; length += 1) {
        const start = performance.now();
        input.value = letters.slice(0, length);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        taken.push(performance.now() - start);
      }
    }
    input.value = '';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    return taken;
  });
  return `${at(times, 0.5).toFixed(0)} ms, ${at(times, 0.95).toFixed(0)} ms`;
}

/** A dream's record is written; its new number of changes shows. */
async function events(page) {
  await page.evaluate(() => {
    location.hash = '#/dreams';
  });
  await page.waitForSelector('[role=option]');
  const file = join(memoryFolder, '.reverie', 'dreams', 'mf3k9a.json');
  const record = JSON.parse(readFileSync(file, 'utf8'));
  const taken = [];
  for (let round = 0; round < 20; round += 1) {
    const more = Array.from({ length: round }, (_, number) => ({
      ...record.changes[0],
      number: 10 + number,
      state: 'rejected',
      text: null,
    }));
    const shown = page.waitForFunction(
      (count) => document.querySelector('.row .line.dim')?.textContent?.startsWith(`${count} `),
      3 + round,
    );
    const start = performance.now();
    writeFileSync(file, JSON.stringify({ ...record, changes: [...record.changes, ...more] }));
    await shown;
    taken.push(performance.now() - start);
    await pause(60);
  }
  return `${at(taken, 0.5).toFixed(0)} ms, ${at(taken, 0.95).toFixed(0)} ms`;
}

function residentOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return `${(Number(kilobytes) / 1024).toFixed(0)} MB`;
}

/** A conversation of 5,000 requests, each with one new result. */
function compositionMicroseconds() {
  const entries = [];
  const rendered = {
    system: [{ text: 'word '.repeat(3_000) }],
    tools: Array.from({ length: 30 }, (_, at) => ({
      name: `Tool${at}`,
      description: 'what it does '.repeat(40),
      input_schema: {},
    })),
    context: [],
    thinking: 'off',
    cacheTtl: '5m',
  };
  const record = createComposition({ rendered: () => rendered, conversation: { entries } });
  const usage = {
    inputTokens: 5,
    outputTokens: 200,
    cacheReadTokens: 90_000,
    cacheWriteTokens: 900,
    cacheWriteHourTokens: 0,
  };
  let spent = 0;
  // Time of the processor: other programs that run meanwhile do not count.
  const processor = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  for (let number = 0; number < 5_000; number += 1) {
    entries.push({
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `t${number}`,
            content: [{ type: 'text', text: `line ${number} `.repeat(100) }],
          },
        ],
      },
    });
    const content = [
      { type: 'text', text: 'An answer of some words.' },
      { type: 'tool_use', id: `t${number + 1}`, name: 'Read', input: { file_path: '/srv/a' } },
    ];
    const start = processor();
    record({ content, usage });
    spent += processor() - start;
    entries.push({ message: { role: 'assistant', content } });
  }
  return spent / 5_000;
}
