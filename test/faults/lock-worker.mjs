/**
 * Takes and releases one lock over and over. Inside, it makes a witness file that must not be there yet: whoever finds
 * one of a living process has caught two holders at once, however short they met.
 */

import { appendFileSync, existsSync, linkSync, readFileSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from './seeded-random.mjs';

const facts = JSON.parse(process.argv[2]);
const { openFolder } = await import(new URL('disk/folder.js', facts.dist).href);
const { takeLock } = await import(new URL('disk/lock.js', facts.dist).href);
const patience = { waitMs: facts.waitMs, staleAfterMs: facts.staleAfterMs };
const folder = openFolder(facts.lockFolder);

writeSync(1, 'READY\n');
if (facts.task === 'hold') await holdAndAnswer();
else await goRound();

/** Holds until it is asked on stdin whether it still does. */
async function holdAndAnswer() {
  const lock = await takeLock(folder, patience);
  writeSync(1, `HELD ${lock.generation}\n`);
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const stillHeld = lock.stillHeld();
  lock.release();
  writeSync(1, `ANSWER ${stillHeld}\n`);
  process.exit(0);
}

async function goRound() {
  const random = seededRandom(facts.seed);
  while (!existsSync(`${facts.witnessFolder}/stop`)) {
    let lock;
    try {
      lock = await takeLock(folder, patience);
    } catch (error) {
      log({ event: error.code === 'locked' ? 'stuck' : 'error', message: String(error.stack) });
      continue;
    }
    enter();
    const held = random();
    // Some work blocks and some waits; a holder may be killed or stopped in either.
    if (held < 0.3) busyFor(held * 3);
    else await sleep(held * 2);
    if (!lock.stillHeld()) log({ event: 'lost' });
    log({ event: 'round', generation: lock.generation });
    unlinkSync(witness());
    lock.release();
    if (random() < 0.2) await sleep(random() * 3);
  }
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
    const other = readFileSync(witness(), 'utf8');
    log({ event: isAlive(Number(other)) ? 'double' : 'inherited', from: Number(other) });
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
