// What memory costs alongside a conversation: the money for recall, notes and extraction as a share of the conversation's own, with
// something of substance typed in every turn, so that each is searched as far as the caps allow; the time added to a turn
// apart from what local ranking holds its first request; and the delay of the event loop. Two hundred scripted turns over a
// simulated prompt cache at public prices; the same turns with everything off are the baseline. Nothing here fails a build.

import { channel } from 'node:diagnostics_channel';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { readLedger } from '../dist/disk/ledger/ledger.js';
import { scriptedModel } from '../dist/model/scripted.js';
import { openAgent } from '../dist/session/open-agent.js';

const TURNS = process.argv.includes('--short') ? 40 : 200;
/** The conversations take turns in blocks, so that a busy moment of the machine affects all of them. */
const BLOCK_TURNS = 10;
/** Not timed: the first to run would pay for compiling what all of them run. */
const WARM_TURNS = 10;
const SETTLE_MS = 100;
const MEMORIES = 100;
const MODEL = 'claude-opus-5-5';
const ANSWER_MS = 20;
/** Requests per turn: this many with a tool, then the answer. */
const TOOL_ROUNDS = 5;
const TOPICS = ['billing', 'search', 'login', 'export', 'caching', 'mail', 'uploads', 'reports', 'quotas', 'themes'];

/** Two hundred turns are days of work: here the session's shares are the limit. */
const SETTINGS = { 'limits.caps.dayTokens': 1_000_000_000 };

const PARTS = {
  off: { 'layers.recall': false, 'layers.extraction': false, 'layers.notes': false },
  'extraction and notes': { 'layers.recall': false },
  everything: {},
};

const HOLDS = channel('reverie.recall.hold');

const root = mkdtempSync(join(tmpdir(), 'reverie-bench-background-'));

function textOf(request) {
  return request.messages
    .at(-1)
    .content.map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
}

/** A fork saves something every third time, and finds nothing otherwise. */
function forkStep(folder, count) {
  if (count % 3 !== 0) return { text: 'nothing' };
  const topic = TOPICS[count % TOPICS.length];
  const content = `---\nname: Owner of ${topic} ${count}\ndescription: Team ${count} owns ${topic}\ntype: project\n---\n\nTeam ${count} owns ${topic}.\n\n**Why:** It was decided.\n\n**How to apply:** Ask team ${count}.\n`;
  return { tools: [{ name: 'Write', input: { file_path: join(folder, `project_${topic}-${count}.md`), content } }] };
}

/** One more line in the notes; null when none are requested. */
function notesStep(text, state) {
  const file_path = /The notes are the file (.+?)\. You need not/.exec(text)?.[1];
  const notes = /<notes>\n([\s\S]*)\n<\/notes>/.exec(text)?.[1];
  if (file_path === undefined || notes === undefined) return null;
  state.notes += 1;
  const old_string = notes.trimEnd().split('\n').at(-1);
  const new_string = `${old_string}\n- Step ${state.notes}: the topic of turn ${state.turn} was tidied up.`;
  return { tools: [{ name: 'Edit', input: { file_path, old_string, new_string } }] };
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
        return notesStep(last, state) ?? forkStep(state.folder, ++state.forks);
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

/** Added time is separated from the hold, turn by turn. */
function timesText({ times, holds }, off) {
  const beyond = times.map((time, turn) => time - holds[turn]);
  const added = (share) => (percentile(beyond, share) - percentile(off.times, share)).toFixed(2);
  const held = (share) => percentile(holds, share).toFixed(2);
  return `turn p50 ${percentile(times, 0.5).toFixed(1)}  added beyond the hold p50 ${added(0.5)} p99 ${added(0.99)}  hold p50 ${held(0.5)} p99 ${held(0.99)}`;
}

async function openPart(name, settings) {
  const project = join(root, name.replaceAll(' ', '-'), 'project');
  mkdirSync(project, { recursive: true });
  for (let file = 1; file <= TOOL_ROUNDS; file++) {
    writeFileSync(join(project, `file-${file}.ts`), 'const answer = compute(input, options); // a line\n'.repeat(200));
  }
  const home = join(project, '..', 'home');
  const state = { folder: '', turn: 0, rounds: 0, forks: 0, notes: 0, selections: 0 };
  const agent = await openAgent({
    cwd: project,
    home,
    env: { HOME: project, PATH: process.env.PATH },
    model: modelFor(state),
    settings: { ...SETTINGS, ...settings },
  });
  state.folder = agent.memory.folders.project;
  for (let at = 0; at < MEMORIES; at++) {
    const topic = TOPICS[at % TOPICS.length];
    const description = `How ${topic} number ${at} is run, and who to ask about it`;
    await agent.memory.save({ type: 'project', name: `About ${topic} ${at}`, description, body: `${description}.` });
  }
  await agent.memory.ready();
  return { name, agent, state, home, times: [], holds: [], delay: monitorEventLoopDelay({ resolution: 1 }) };
}

async function converse({ agent, state, times, holds, delay }, turns) {
  let heldMs = 0;
  const onHold = ({ milliseconds }) => {
    heldMs += milliseconds;
  };
  HOLDS.subscribe(onHold);
  delay.enable();
  for (const until = state.turn + turns; state.turn < until; state.turn++) {
    const topic = TOPICS[state.turn % TOPICS.length];
    heldMs = 0;
    const from = performance.now();
    for await (const _ of agent.send(`Turn ${state.turn}: look at how ${topic} is tested and tidy it up.`)) {
      // The events do not matter here.
    }
    const isWarm = state.turn >= WARM_TURNS;
    if (isWarm) times.push(performance.now() - from);
    if (isWarm) holds.push(heldMs);
    await pause(5);
  }
  delay.disable();
  HOLDS.unsubscribe(onHold);
  // What is still running alongside this one must not count against the next.
  await pause(SETTLE_MS);
}

/** How often a cap kept each kind from starting. */
async function cappedParts(home) {
  const counts = {};
  for await (const line of readLedger({ home, now: new Date() })) {
    if (line.type !== 'event' || line.name !== 'cap') continue;
    const [by, part] = line.cause.split(': ');
    const which = `${part} (${by})`;
    counts[which] = (counts[which] ?? 0) + 1;
  }
  const texts = Object.entries(counts).map(([part, count]) => `${part} ${count}`);
  return texts.length === 0 ? 'none' : texts.join(', ');
}

try {
  const parts = [];
  for (const [name, settings] of Object.entries(PARTS)) parts.push(await openPart(name, settings));
  for (let turn = 0; turn < TURNS; turn += BLOCK_TURNS) {
    for (const part of parts) await converse(part, Math.min(BLOCK_TURNS, TURNS - turn));
  }
  const [off, , all] = parts;
  const { byPurpose } = all.agent.totals();
  const base = off.agent.totals().byPurpose.main.money;
  for (const { agent } of parts) await agent.close();
  const main = byPurpose.main.money;
  console.log(
    `${TURNS} turns of ${TOOL_ROUNDS + 1} requests, ${MEMORIES} memories, ${MODEL}; the selector at the same price:`,
  );
  let background = 0;
  for (const purpose of ['recall', 'notes', 'extraction']) {
    const money = byPurpose[purpose]?.money ?? 0;
    background += money;
    console.log(
      `  ${purpose.padEnd(12)} $${money.toFixed(3)}  ${((100 * money) / main).toFixed(1)}% of $${main.toFixed(2)}`,
    );
  }
  console.log(`  in all       $${background.toFixed(3)}  ${((100 * background) / main).toFixed(1)}% (bar 15%)`);
  const everyTurn = ((byPurpose.extraction?.money ?? 0) / Math.max(1, all.state.forks)) * TURNS;
  const capped = await cappedParts(all.home);
  console.log(
    `  selections ${all.state.selections}, notes ${all.state.notes}, extractions ${all.state.forks} of ${TURNS} turns; capped: ${capped}`,
  );
  console.log(`  without a cap, an extraction at every turn would be ${((100 * everyTurn) / main).toFixed(1)}%`);
  console.log(
    `  with all of it the conversation cost $${(main + background).toFixed(2)}, with everything off $${base.toFixed(2)}`,
  );
  console.log('Beside a turn, in milliseconds:');
  for (const part of parts) {
    const delayMs = part.delay.percentile(99) / 1e6;
    console.log(`  ${part.name.padEnd(22)} ${timesText(part, off)}  loop delay p99 ${delayMs.toFixed(1)}`);
  }
  console.log('  bars: added beyond the hold p50 2 ms; hold 40 ms at most; delay of the event loop p99 10 ms');
} finally {
  rmSync(root, { recursive: true, force: true });
}
