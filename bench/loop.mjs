// Our own time between a tool's result and the model call, in short and long conversations, with everything on that
// a real session has: transcript on disk, ledger, prefix watch, permissions. The SDK's serialising is measured separately.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMessageRenderer } from '../dist/model/anthropic/message.js';
import { renderRequest } from '../dist/model/anthropic/request.js';
import { capabilitiesOf } from '../dist/model/capabilities.js';
import { openAgent } from '../dist/session/open-agent.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const MODEL = 'claude-opus-5-5';
const SIZES = [10_000, 200_000, 1_000_000];
const MEASURED_ROUNDS = 200;
const TURNS = [10, 500, 1_700];
const settings = { 'limits.window.defaultTokens': 2_000_000 };
const RESULT = `${'const answer = compute(input, options); // a line of some source file\n'.repeat(110)}`;
const TOKENS_PER_ROUND = Math.round(RESULT.length / 4) + 40;

const root = mkdtempSync(join(tmpdir(), 'reverie-bench-loop-'));
mkdirSync(join(root, 'project'));

const state = { endedAt: 0, waits: [], remaining: 0, small: false, request: null };

const tool = {
  name: 'Look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: {} },
  isReadOnly: () => true,
  async run() {
    const content = state.small ? 'ok' : RESULT;
    state.endedAt = performance.now();
    return { content };
  },
};

/** Answers at once, and records when it was called. */
const model = {
  name: MODEL,
  provider: 'bench',
  capabilities: { ...capabilitiesOf(MODEL), windowTokens: 2_000_000 },
  async *stream(request) {
    if (state.endedAt > 0) state.waits.push(performance.now() - state.endedAt);
    state.request = request;
    state.endedAt = 0;
    const usage = {
      inputTokens: 1,
      outputTokens: 20,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      cacheWriteHourTokens: 0,
    };
    const isDone = state.remaining-- <= 0;
    const block = isDone
      ? { type: 'text', text: 'Done.' }
      : { type: 'tool_use', id: `toolu_${Math.random().toString(36).slice(2)}`, name: 'Look', input: {} };
    yield { kind: 'block', block };
    const response = { id: null, model: MODEL, content: [block], stopReason: isDone ? 'end' : 'tools', usage };
    yield { kind: 'response', response };
  },
};

async function rounds(agent, count, small) {
  Object.assign(state, { remaining: count, waits: [], small, endedAt: 0 });
  for await (const _ of agent.send('Go on.')) {
    // The events do not matter here.
  }
  return state.waits;
}

/** Short turns, one after the other: what a turn takes at some of them, the median of ten. */
async function shortTurns() {
  const agent = await openAgent({ cwd: join(root, 'project'), home: join(root, 'home-of-turns'), model, settings });
  const times = [];
  for (let turn = 1; turn <= TURNS.at(-1); turn += 1) {
    const from = performance.now();
    Object.assign(state, { remaining: 0, endedAt: 0 });
    for await (const _ of agent.send(`Is number ${turn} larger than ${turn - 1}?`)) {
      // The events are of no interest here.
    }
    times.push(performance.now() - from);
  }
  await agent.close();
  return TURNS.map((turn) => ({ turn, ms: share(times.slice(turn - 10, turn), 0.5) }));
}

function share(values, part) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

function serialising(request) {
  const renderMessage = createMessageRenderer();
  const capabilities = capabilitiesOf(MODEL);
  const times = Array.from({ length: 7 }, () => {
    const from = performance.now();
    JSON.stringify(renderRequest(request, { name: MODEL, capabilities, renderMessage }).body);
    return performance.now() - from;
  });
  return share(times, 0.5);
}

try {
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    model,
    tools: [tool],
    settings,
  });
  let tokens = 0;
  collect();
  const heapAtStart = process.memoryUsage().heapUsed;
  const rows = [];
  for (const size of SIZES) {
    await rounds(agent, Math.max(1, Math.round((size - tokens) / TOKENS_PER_ROUND)), false);
    tokens = size;
    const small = await rounds(agent, MEASURED_ROUNDS, true);
    const large = await rounds(agent, 10, false);
    tokens += 10 * TOKENS_PER_ROUND + MEASURED_ROUNDS * 40;
    collect();
    const bytes = process.memoryUsage().heapUsed - heapAtStart;
    rows.push({
      size,
      p50: share(small, 0.5),
      p99: share(small, 0.99),
      large: share(large, 0.5),
      serialise: serialising(state.request),
      perToken: bytes / tokens,
    });
  }
  await agent.close();
  console.log('From the last tool result to the call of the model, our own time:');
  console.log('  history      p50        p99      with 8 KB new   SDK serialising   heap a token');
  for (const { size, p50, p99, large, serialise, perToken } of rows) {
    const cells = [
      `${(size / 1000).toFixed(0)}K tokens`.padStart(13),
      `${p50.toFixed(3)} ms`.padStart(10),
      `${p99.toFixed(3)} ms`.padStart(10),
      `${large.toFixed(3)} ms`.padStart(14),
      `${serialise.toFixed(1)} ms`.padStart(15),
      `${perToken.toFixed(1)} bytes`.padStart(15),
    ];
    console.log(cells.join(' '));
  }
  const [first, , last] = rows;
  console.log(
    `1M against 10K tokens of history: ${(last.p50 / first.p50).toFixed(2)}x for ${last.size / first.size}x the history`,
  );
  console.log(`p50 at 200K: ${rows[1].p50.toFixed(3)} ms, at 1M: ${last.p50.toFixed(3)} ms (bar 0.5 ms)`);
  const turns = (await shortTurns()).map(({ turn, ms }) => `${ms.toFixed(2)} ms at ${turn}`);
  console.log(`A short turn, our own time: ${turns.join(', ')}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
