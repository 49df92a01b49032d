// What starting an agent costs beside its model: own time until its first request, at a parent of 200,000 tokens, for an agent with a
// conversation of its own and for a fork; and the memory of an agent that waits. The model answers at once, in this process.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openAgent } from '../dist/session/open-agent.js';

const PARENT_TOKENS = 200_000;
const RUNS = 30;
const IDLE = 20;
const capabilities = {
  ...{ windowTokens: 1_000_000, maxOutputTokens: 64_000, images: true, documents: true },
  ...{ thinking: 'none', promptCache: 'breakpoints', contextEdits: false },
};
const NO_USAGE = { inputTokens: 0, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWriteHourTokens: 0 };
let onRequest = () => {};
let isHanging = false;
const model = {
  ...{ name: 'bench', provider: 'bench', capabilities },
  async *stream(_request, { signal }) {
    onRequest(performance.now());
    if (isHanging)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const block = { type: 'text', text: 'Done.' };
    yield { kind: 'block', block };
    const response = { id: null, model: 'bench', content: [block], stopReason: 'end', usage: NO_USAGE };
    yield { kind: 'response', response };
  },
};

const root = mkdtempSync(join(tmpdir(), 'reverie-bench-agents-'));
mkdirSync(join(root, 'project'));
const env = { HOME: root, PATH: process.env.PATH, REVERIE_DISABLE_NOTES: '1', REVERIE_DISABLE_EXTRACTION: '1' };
const agent = await openAgent({ cwd: join(root, 'project'), home: join(root, 'home'), env, model, dreams: false });
for await (const _ of agent.send('a word or two '.repeat((PARENT_TOKENS * 4) / 14)));

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
async function startTime(wish) {
  const times = [];
  for (let run = 0; run < RUNS; run++) {
    const asked = new Promise((resolve) => {
      onRequest = resolve;
    });
    const from = performance.now();
    const { done } = agent.spawn({
      description: 'bench',
      prompt: `Say that you are done, for the ${run}th time.`,
      ...wish,
    });
    times.push((await asked) - from);
    await done;
  }
  return { median: median(times).toFixed(2), worst: Math.max(...times).toFixed(2) };
}
console.log(`milliseconds from the call to the first request, ${RUNS} agents each`);
console.table({ own: await startTime({}), fork: await startTime({ isFork: true }) });

isHanging = true;
globalThis.gc?.();
const before = process.memoryUsage();
for (let each = 0; each < IDLE; each++) agent.spawn({ description: 'bench', prompt: `Wait ${each}.` });
await new Promise((resolve) => setTimeout(resolve, 1_000));
globalThis.gc?.();
const after = process.memoryUsage();
const each = (name) => `${((after[name] - before[name]) / IDLE / 1_048_576).toFixed(2)} MB`;
console.log(`memory of each of ${IDLE} that wait: heap ${each('heapUsed')}, all ${each('rss')}`);
await agent.close();
rmSync(root, { recursive: true, force: true });
