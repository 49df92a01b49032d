// What memory costs beside a conversation: money of recall, notes and extraction as a share of the conversation's own, time
// added to a turn, and delay of the event loop. Two hundred scripted turns over a pretended prompt cache at public prices;
// the same turns with everything off are the base. Nothing here fails a build.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { scriptedModel } from '../dist/model/scripted.js';
import { openAgent } from '../dist/session/open-agent.js';

const TURNS = process.argv.includes('--short') ? 40 : 200;
const MEMORIES = 100;
const MODEL = 'claude-opus-5-5';
const ANSWER_MS = 20;
/** Requests of a turn: so many with a tool, then the answer. */
const TOOL_ROUNDS = 5;
const TOPICS = ['billing', 'search', 'login', 'export', 'caching', 'mail', 'uploads', 'reports', 'quotas', 'themes'];

const PARTS = {
  off: { 'layers.recall': false, 'layers.extraction': false, 'layers.notes': false },
  'extraction and notes': { 'layers.recall': false },
  everything: {},
};

const root = mkdtempSync(join(tmpdir(), 'reverie-bench-background-'));

function textOf(request) {
  return request.messages
    .at(-1)
    .content.map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
}

/** A fork keeps something every third time, and looks in vain otherwise. */
function forkStep(folder, count) {
  if (count % 3 !== 0) return { text: 'nothing' };
  const topic = TOPICS[count % TOPICS.length];
  const content = `---\nname: Owner of ${topic} ${count}\ndescription: Team ${count} owns ${topic}\ntype: project\n---\n\nTeam ${count} owns ${topic}.\n\n**Why:** It was decided.\n\n**How to apply:** Ask team ${count}.\n`;
  return { tools: [{ name: 'Write', input: { file_path: join(folder, `project_${topic}-${count}.md`), content } }] };
}

function modelFor(state) {
  return scriptedModel({
    name: MODEL,
    async answer(request) {
      if (request.answerSchema !== undefined) {
        state.selections += 1;
        return { text: '{"selected_memories":[]}' };
      }
      const last = textOf(request);
      if (last.includes('<fork-directive>')) {
        await pause(ANSWER_MS);
        return last.includes('memory folder') ? forkStep(state.folder, ++state.forks) : { text: 'Noted.' };
      }
      await pause(ANSWER_MS);
      state.rounds = last.includes('Turn ') ? 1 : state.rounds + 1;
      if (state.rounds > TOOL_ROUNDS) return { text: `Done. ${'Here is what I found and changed. '.repeat(12)}` };
      const file_path = `file-${state.rounds}.ts`;
      return { tools: [{ name: 'Read', input: { file_path, offset: 1 + (state.turn % 50), limit: 40 } }] };
    },
  });
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function converse(name, settings) {
  const project = join(root, name.replaceAll(' ', '-'), 'project');
  mkdirSync(project, { recursive: true });
  for (let file = 1; file <= TOOL_ROUNDS; file++) {
    writeFileSync(join(project, `file-${file}.ts`), 'const answer = compute(input, options); // a line\n'.repeat(200));
  }
  const state = { folder: '', turn: 0, rounds: 0, forks: 0, selections: 0 };
  const agent = await openAgent({
    cwd: project,
    home: join(project, '..', 'home'),
    env: { HOME: project, PATH: process.env.PATH },
    model: modelFor(state),
    settings,
  });
  state.folder = agent.memory.folders.project;
  for (let at = 0; at < MEMORIES; at++) {
    const topic = TOPICS[at % TOPICS.length];
    const description = `How ${topic} number ${at} is run, and who to ask about it`;
    await agent.memory.save({ type: 'project', name: `About ${topic} ${at}`, description, body: `${description}.` });
  }
  await agent.memory.ready();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times = [];
  delay.enable();
  for (state.turn = 0; state.turn < TURNS; state.turn++) {
    const topic = TOPICS[state.turn % TOPICS.length];
    const from = performance.now();
    for await (const _ of agent.send(`Turn ${state.turn}: look at how ${topic} is tested and tidy it up.`)) {
      // The events are of no interest here.
    }
    times.push(performance.now() - from);
    await pause(5);
  }
  delay.disable();
  const totals = agent.totals();
  await agent.close();
  return { name, times, delayMs: delay.percentile(99) / 1e6, totals, state };
}

try {
  const results = [];
  for (const [name, settings] of Object.entries(PARTS)) results.push(await converse(name, settings));
  const [off, , all] = results;
  const main = all.totals.byPurpose.main.money;
  console.log(
    `${TURNS} turns of ${TOOL_ROUNDS + 1} requests, ${MEMORIES} memories, ${MODEL}; the selector at the same price:`,
  );
  let background = 0;
  for (const purpose of ['recall', 'notes', 'extraction']) {
    const money = all.totals.byPurpose[purpose]?.money ?? 0;
    background += money;
    console.log(
      `  ${purpose.padEnd(12)} $${money.toFixed(3)}  ${((100 * money) / main).toFixed(1)}% of $${main.toFixed(2)}`,
    );
  }
  console.log(`  in all       $${background.toFixed(3)}  ${((100 * background) / main).toFixed(1)}% (bar 10%)`);
  console.log(`  selections ${all.state.selections}, extractions ${all.state.forks}`);
  console.log('Time of a turn, and delay of the event loop:');
  for (const { name, times, delayMs } of results) {
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    const added = (p50 - percentile(off.times, 0.5)).toFixed(2);
    console.log(
      `  ${name.padEnd(22)} p50 ${p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms  added at p50 ${added} ms  delay p99 ${delayMs.toFixed(1)} ms`,
    );
  }
  console.log('  (bars: 2 ms added beyond what ranking may hold a turn, delay p99 10 ms)');
} finally {
  rmSync(root, { recursive: true, force: true });
}
