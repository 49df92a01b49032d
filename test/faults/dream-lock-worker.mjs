/**
 * Dreams in one memory folder over and over, or once. What it was told at the beginning and how it meant to end goes into
 * a log before and after each step, so that the test can work out what the next one must be told.
 */

import {
  appendFileSync,
  existsSync,
  linkSync,
  readFileSync,
  readSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from './seeded-random.mjs';

const facts = JSON.parse(process.argv[2]);
const load = (path) => import(new URL(path, facts.dist).href);
const { openDreamLock } = await load('layers/6-dreaming/records/lock.js');
const { openFolder } = await load('disk/folder.js');
const { takeLock } = await load('disk/lock.js');
const { LIMITS } = await load('limits.js');
const limits = { ...LIMITS.dreaming, ...facts.limits };

if (facts.task === 'once') await dreamOnce();
else await goRound();
process.exit(0);

/** Everything is loaded and warmed up elsewhere first, so that what a tracer sees after READY is the work itself. */
async function dreamOnce() {
  const warm = openDreamLock(`${facts.warmFolder}/${process.pid}`);
  for (const end of ['giveBack', 'succeed']) await endAs(await warm.take(), { end, atMs: 0 });
  writeSync(1, `READY ${basename(await readlink('/proc/thread-self'))}\n`);
  readSync(0, Buffer.alloc(1));
  const lock = openDreamLock(facts.memory, { limits });
  if (facts.end === 'reclaim') await lock.reclaim();
  else await endAs(await lock.take(), facts);
  writeSync(1, 'ACK\n');
}

async function goRound() {
  const random = seededRandom(facts.seed);
  const lock = openDreamLock(facts.memory, { limits });
  const commits = openFolder(facts.commitFolder);
  writeSync(1, 'READY\n');
  while (!existsSync(`${facts.witnessFolder}/stop`)) {
    try {
      const dream = await lock.take();
      if (dream.kind === 'held') await dreamThrough({ lock, dream, commits, random });
    } catch (error) {
      log({ event: 'error', message: String(error.stack) });
    }
    await sleep(random() * 6);
  }
}

async function dreamThrough({ lock, dream, commits, random }) {
  const { generation } = dream;
  const { failures } = lock.look();
  log({ event: 'begin', generation, lastAtMs: dream.lastAtMs, failures });
  if (facts.isExclusive) enter();
  const spent = random() * facts.heldMs;
  // Some work blocks and some waits; a holder may be killed or stopped in either.
  if (random() < 0.3) busyFor(spent / 3);
  else await sleep(spent);
  const isCommitted = await commit(dream, commits);
  if (facts.isExclusive) unlinkSync(witness());
  const end = ['succeed', 'succeed', 'giveBack', 'cancel'][Math.floor(random() * 4)];
  const atMs = Math.floor(Date.now() - random() * 30 * 86_400_000);
  log({ event: 'ending', generation, end, atMs });
  const isDone = await endAs(dream, { end, atMs });
  log({ event: 'ended', generation, isDone, isCommitted });
}

/** As memory is changed: under the folder's own lock, after asking whether the dream is still ours. */
async function commit(dream, commits) {
  const folderLock = await takeLock(commits, { waitMs: 30_000, staleAfterMs: 600_000 });
  try {
    if (!dream.stillHeld()) return false;
    busyFor(facts.commitMs);
    appendFileSync(`${facts.witnessFolder}/commits.log`, `${dream.generation}\n`);
    return true;
  } finally {
    await folderLock.release();
  }
}

function endAs(dream, { end, atMs }) {
  if (end === 'succeed') return dream.succeed(new Date(atMs));
  return end === 'giveBack' ? dream.giveBack('it was told to fail') : dream.cancel();
}

function witness() {
  return `${facts.witnessFolder}/inside`;
}

/** Linked, so that the witness is never seen without its pid. */
function enter() {
  const own = `${witness()}-${process.pid}`;
  writeFileSync(own, String(process.pid));
  for (;;) {
    try {
      linkSync(own, witness());
      unlinkSync(own);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const other = Number(readFileSync(witness(), 'utf8'));
    log({ event: isAlive(other) ? 'double' : 'inherited', from: other });
    unlinkSync(witness());
  }
}

function isAlive(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !'ZX'.includes(stat.slice(stat.lastIndexOf(')') + 2)[0]);
  } catch {
    return false;
  }
}

function busyFor(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function log(event) {
  appendFileSync(`${facts.witnessFolder}/rounds.log`, `${JSON.stringify({ pid: process.pid, ...event })}\n`);
}
