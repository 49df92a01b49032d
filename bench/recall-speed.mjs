// How fast the local index is: queries, load, resident memory, the event loop while indexing, one changed file.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openEncoder } from '../dist/model/encoder/encoder.js';
import { openLocalIndex } from '../dist/search/local-index.js';
import { sourceOf } from './recall-data.mjs';
import { percentile } from './recall-measure.mjs';

const SIZES = [100, 1_000, 10_000, 100_000];
const QUESTIONS = 200;

export async function measureSpeed(scratch) {
  console.log('\nspeed, over made-up memories of about 20 words');
  for (const size of SIZES) {
    const directory = join(scratch, `speed-${size}`);
    const documents = madeUpMemories(size);
    const index = openLocalIndex({ directory, encoder: () => openEncoder() });
    await index.ready();
    const control = await delayDuring(spin);
    const started = performance.now();
    const busy = await delayDuring(() => index.update(documents.map(sourceOf)));
    const built = performance.now() - started;
    const changed = [...documents];
    changed[7] = { ...changed[7], hash: 'changed', body: `${changed[7].body} with a new ending` };
    let reads = 0;
    const before = performance.now();
    await index.update(changed.map((document) => ({ ...sourceOf(document), read: () => ++reads && document })));
    const oneFile = performance.now() - before;
    await index.close();
    console.log(
      `${String(size).padStart(7)}: built in ${(built / 1000).toFixed(2)} s; event loop p99 ${busy.p99.toFixed(1)} ms, ` +
        `max ${busy.max.toFixed(1)} (a loop that spins: ${control.p99.toFixed(1)}, ${control.max.toFixed(1)}); ` +
        `one changed file: ${reads} read, ${oneFile.toFixed(0)} ms`,
    );
    const child = [fileURLToPath(import.meta.url), directory];
    console.log(`         fresh process: ${execFileSync(process.execPath, child, { encoding: 'utf8' }).trim()}`);
  }
}

/** The number includes other programs' share of the processor, so an empty spinning loop is measured for comparison. */
async function delayDuring(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  // The timer's own millisecond counts as delay.
  return { p99: delay.percentile(99) / 1e6 - 1, max: delay.max / 1e6 - 1 };
}

async function spin() {
  for (const end = performance.now() + 1_000; performance.now() < end; await setImmediate()) {
    for (const pause = performance.now() + 1; performance.now() < pause; );
  }
}

/** What a hook process pays: encoder and index from disk, then questions, the first ones with cold caches. */
function measureFresh(directory) {
  const base = process.memoryUsage().rss;
  const started = performance.now();
  const encoder = openEncoder();
  const encoderMs = performance.now() - started;
  const index = openLocalIndex({ directory, encoder: () => encoder });
  index.size();
  const loadMs = performance.now() - started;
  const times = [];
  for (const question of madeUpQuestions(QUESTIONS)) {
    const before = performance.now();
    index.search(question, { limit: 5 });
    times.push(performance.now() - before);
  }
  const megabytes = (process.memoryUsage().rss - base) / 2 ** 20;
  console.log(
    `load ${loadMs.toFixed(0)} ms (encoder ${encoderMs.toFixed(0)}), first question ${times[0].toFixed(1)} ms, ` +
      `then p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${percentile(times, 0.95).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms, resident +${megabytes.toFixed(0)} MB`,
  );
}

/** Words with realistic frequencies, from a fixed seed. */
function madeUpWriter(seed) {
  const encoder = openEncoder();
  const words = Array.from({ length: encoder.rows }, (_, token) => encoder.word(token)).filter((word) =>
    /^[a-z]{3,}$/.test(word),
  );
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const shuffled = words.map((word) => [random(), word]).sort(([left], [right]) => left - right);
  const word = () => shuffled[Math.floor(shuffled.length ** random()) - 1][1];
  return (count) => Array.from({ length: count }, word).join(' ');
}

export function madeUpMemories(count) {
  const write = madeUpWriter(1);
  return Array.from({ length: count }, (_, at) => {
    const description = write(8);
    return {
      key: `project/${at}.md`,
      hash: `h${at}`,
      name: write(3),
      description,
      body: `${description}\n${write(12)}`,
    };
  });
}

export function madeUpQuestions(count) {
  const write = madeUpWriter(1);
  write(1_000);
  return Array.from({ length: count }, () => `what does the ${write(6)}?`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) measureFresh(process.argv[2]);
