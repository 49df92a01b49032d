// A real session of a team, and its pictures for the docs: a leader and two teammates in windows of tmux share a list of tasks,
// one is killed in the middle, and the work is finished. Models are played by a server on the loopback.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { playTeam } from '../test/support/team-player.mjs';
import { binary, savePicture, startModel, tmuxIn } from './picture-tools.mjs';

const COLUMNS = 100;
const ROWS = 30;
const CHAPTERS = 6;
const scratch = mkdtempSync(join(tmpdir(), 'reverie-team-'));
const project = join(scratch, 'book');
const held = { name: 'ana', claims: 0 };

let server;
let tmux;
try {
  fillProject();
  server = await startModel(answerTo);
  tmux = tmuxIn(scratch, server.url);
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
  savePicture(name, screen(window, '-e').trimEnd(), { scratch, columns: COLUMNS });
}

function screen(window, ...more) {
  return tmux('capture-pane', '-p', ...more, '-t', `main:${window}`);
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
  if (isHeld) return null;
  return answer.tool === undefined ? answer : { tool: { name: answer.tool, input: answer.input } };
}
