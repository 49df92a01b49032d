// How long recall holds up everything else in the process: questions by the public way, a timer beside them.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { packagedEncoder } from '../dist/model/encoder/encoder.js';
import { openLocalIndex } from '../dist/search/local-index.js';
import { sourceOf } from './recall-data.mjs';
import { percentile } from './recall-measure.mjs';
import { madeUpMemories, madeUpQuestions } from './recall-speed.mjs';

const SIZES = [100, 10_000, 100_000];
const QUESTIONS = 100;

export async function measureLoop(scratch) {
  console.log(
    '\nthe loop while questions are asked, over made-up memories of about 20 words; with "after a save" one file is new',
  );
  packagedEncoder();
  for (const size of SIZES) {
    const documents = madeUpMemories(size);
    const directory = join(scratch, `loop-${size}`);
    const first = openLocalIndex({ directory, encoder: packagedEncoder });
    await first.update(documents.map(sourceOf));
    await first.ready();
    await first.close();
    const idle = await watched(() => pause(1_000));
    console.log(`${String(size).padStart(7)}: an idle loop: max ${idle.max.toFixed(1)} ms`);
    for (const [name, ports] of [
      ['on the main thread', {}],
      ['as it is', { aside: {} }],
    ]) {
      const index = openLocalIndex({ directory, encoder: packagedEncoder, ...ports });
      const times = [];
      const ask = async (question) => {
        const before = performance.now();
        await index.find(question, { limit: 5 });
        times.push(performance.now() - before);
        await pause(2);
      };
      const [opening, ...questions] = madeUpQuestions(QUESTIONS + 1);
      const loading = await watched(() => ask(opening));
      const asking = await watched(async () => {
        for (const question of questions) await ask(question);
      });
      const saving = await watched(async () => {
        const added = { ...documents[0], key: 'project/new.md', hash: `new ${name}`, body: `a new one, ${name}` };
        const update = index.update([...documents, added].map(sourceOf));
        for (const question of questions.slice(0, 10)) await ask(question);
        await update;
      });
      await index.close();
      console.log(
        `         ${name.padEnd(20)} first question ${times[0].toFixed(0)} ms (block ${loading.max.toFixed(1)}), ` +
          `then p50 ${percentile(times.slice(1, QUESTIONS), 0.5).toFixed(1)} ms, p99 ${percentile(times.slice(1, QUESTIONS), 0.99).toFixed(1)}; ` +
          `block p99 ${asking.p99.toFixed(1)} ms, max ${asking.max.toFixed(1)}; after a save max ${saving.max.toFixed(1)}`,
      );
    }
  }
}

async function watched(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await pause(20);
  delay.reset();
  await work();
  await pause(2);
  delay.disable();
  // The timer's own millisecond counts as delay.
  return { p99: delay.percentile(99) / 1e6 - 1, max: delay.max / 1e6 - 1 };
}
