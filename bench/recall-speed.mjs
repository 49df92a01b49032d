// How fast the local index is: queries, load, resident memory, the event loop while indexing, one changed file.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openEncoder } from '../dist/model/encoder/encoder.js';
import { sourceOf } from './recall-data.mjs';
import { percentile } from './recall-measure.mjs';

const SIZES = [100, 1_000, 10_000, 100_000];
const QUESTIONS = 200;
const RUNS = 3;

/** Each build in turns, in one run. */
export async function measureSpeed(scratch, builds) {
  console.log(`\nspeed, over made-up memories of about 20 words; a fresh process: medians of ${RUNS} runs`);
  for (const size of SIZES) {
    const documents = madeUpMemories(size);
    const directoryOf = ({ name }) => join(scratch, `speed-${name}-${size}`);
    for (const build of builds) await measureBuilding(build, directoryOf(build), documents);
    const runs = new Map(builds.map((build) => [build, []]));
    for (let run = 0; run < RUNS; run++) {
      for (const build of builds) {
        const child = [fileURLToPath(import.meta.url), build.root, directoryOf(build)];
        runs.get(build).push(JSON.parse(execFileSync(process.execPath, child, { encoding: 'utf8' })));
      }
    }
    for (const build of builds) printFresh(build, runs.get(build));
  }
}

async function measureBuilding(build, directory, documents) {
  const index = build.open(directory);
  await index.ready();
  const control = await delayDuring(spin);
  const started = performance.now();
  const busy = await delayDuring(() => index.update(documents.map(sourceOf)));
  const built = performance.now() - started;
  const changed = [...documents];
  changed[7] = { ...changed[7], hash: 'changed', body: `${changed[7].body} with a new ending` };
  let reads = 0;
  // What an update leaves for afterwards is not the next one's.
  await index.ready();
  const before = performance.now();
  await index.update(changed.map((document) => ({ ...sourceOf(document), read: () => ++reads && document })));
  const oneFile = performance.now() - before;
  await index.close();
  console.log(
    `${String(documents.length).padStart(7)} ${build.name}: built in ${(built / 1000).toFixed(2)} s; event loop p99 ${busy.p99.toFixed(1)} ms, ` +
      `max ${busy.max.toFixed(1)} (a loop that spins: ${control.p99.toFixed(1)}, ${control.max.toFixed(1)}); ` +
      `one changed file: ${reads} read, ${oneFile.toFixed(0)} ms`,
  );
}

function printFresh({ name }, runs) {
  const of = (key, digits = 0) =>
    percentile(
      runs.map((run) => run[key]),
      0.5,
    ).toFixed(digits);
  console.log(
    `        ${name}, fresh process: load ${of('loadMs')} ms (encoder ${of('encoderMs')}), first question ${of('firstMs', 1)} ms, ` +
      `then p50 ${of('p50Ms', 2)} ms, p95 ${of('p95Ms', 2)} ms, p99 ${of('p99Ms', 2)} ms, resident +${of('megabytes')} MB`,
  );
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
async function measureFresh(root, directory) {
  const load = (file) => import(pathToFileURL(join(root, 'dist', file)).href);
  const [{ openEncoder }, { openLocalIndex }] = [
    await load('model/encoder/encoder.js'),
    await load('search/local-index.js'),
  ];
  const questions = madeUpQuestions(QUESTIONS);
  const base = process.memoryUsage().rss;
  const started = performance.now();
  const encoder = openEncoder();
  const encoderMs = performance.now() - started;
  const index = openLocalIndex({ directory, encoder: () => encoder });
  index.size();
  const loadMs = performance.now() - started;
  const times = [];
  for (const question of questions) {
    const before = performance.now();
    index.search(question, { limit: 5 });
    times.push(performance.now() - before);
  }
  const megabytes = (process.memoryUsage().rss - base) / 2 ** 20;
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((share) => percentile(times, share));
  console.log(JSON.stringify({ encoderMs, loadMs, firstMs: times[0], p50Ms, p95Ms, p99Ms, megabytes }));
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureFresh(process.argv[2], process.argv[3]);
