// One process of `recall-loop.mjs`: opens a memory, or the terminal agent, asks and saves, and prints as JSON how long each step took and for
// how long at most it held up everything else in the process.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { indexFolder, memoryFolder } from './recall-loop-folder.mjs';
import { watchLoop } from './recall-loop-watch.mjs';

const CHANGED_OUTSIDE = 500;
const QUESTIONS = 20;

const [who, folder, questionsText, dist] = process.argv.slice(2);
const questions = JSON.parse(questionsText);
const options = { cwd: join(folder, 'project'), home: join(folder, 'home') };
const load = (file) => import(pathToFileURL(join(dist, file)).href);

const results = {};
async function step(name, work) {
  const watch = await watchLoop();
  const from = performance.now();
  const result = await work();
  const tookMs = performance.now() - from;
  results[name] = { tookMs, blockMs: await watch.longestMs() };
  return result;
}

const steps = { idle: doNothing, library: asLibrary, missing: withoutIndex, agent: asAgent };
await steps[who]();
console.log(JSON.stringify(results));
process.exit(0);

/** What the machine itself adds. */
async function doNothing() {
  await step('an idle loop', () => pause(1_000));
}

async function asLibrary() {
  const { openMemory } = await load('index.js');
  const memory = await step('open', () => openMemory(options));
  await step('settled after opening', () => memory.log({ limit: 1 }));
  await step('first question', () => memory.recall(questions[0]));
  await step('until ready', () => memory.ready());
  await step('next questions', async () => {
    for (const question of questions.slice(1, QUESTIONS)) {
      await memory.recall(question);
      await pause(3);
    }
  });
  await step('save', () => memory.save(newMemory('library')));
  await step('question after a save', () => memory.recall(questions[0]));
  await step('until ready after a save', () => memory.ready());
  changeOutside();
  await step('question after 500 changed', () => memory.recall(questions[0]));
  await step('until ready after 500', () => memory.ready());
  await step('close', () => memory.close());
}

/** As after a purge, or with another version's. */
async function withoutIndex() {
  const { openMemory } = await load('index.js');
  rmSync(indexFolder(folder), { recursive: true });
  const memory = await openMemory(options);
  await memory.log({ limit: 1 });
  await step('question, no index', () => memory.recall(questions[0]));
  await step('until it is built', () => memory.ready());
  await memory.close();
}

async function asAgent() {
  const { openAgent } = await load('session/open-agent.js');
  const { scriptedModel } = await load('model/scripted.js');
  const model = scriptedModel({ answer: () => ({ text: 'Done.' }) });
  const agent = await step('agent: open', () =>
    openAgent({ ...options, model, settings: { 'recall.selector': 'local' } }),
  );
  await step('agent: idle', () => pause(500));
  const send = async (text) => {
    for await (const _ of agent.send(text)) {
      // The events do not matter here.
    }
    await pause(200);
  };
  await step('agent: first message', () => send(questions[0]));
  await step('agent: next message', () => send(questions[1]));
  await agent.memory.save(newMemory('agent'));
  await step('agent: after a save', () => send(questions[2]));
  changeOutside();
  await step('agent: after 500 changed', () => send(questions[3]));
  await step('agent: close', () => agent.close());
}

function newMemory(by) {
  const number = Date.now() % 1e9;
  return {
    type: 'project',
    name: `Saved by the ${by} ${number}`,
    description: `The release train ${number} leaves on Tuesdays`,
    body: `The release train ${number} leaves on Tuesdays.`,
  };
}

/** As an editor or a checkout would do it. */
function changeOutside() {
  const memory = memoryFolder(folder);
  const files = readdirSync(memory).filter((name) => name.endsWith('.md') && name !== 'MEMORY.md');
  for (const name of files.slice(0, CHANGED_OUTSIDE)) {
    const path = join(memory, name);
    writeFileSync(path, `${readFileSync(path, 'utf8').trimEnd()}\nChanged outside, ${Date.now()}.\n`);
  }
}
