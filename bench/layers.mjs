// What the layers cost before each request and after each round: a conversation grows to its size, then each further round is
// measured while results are whole, and again once old ones were cleared. Ratios are between sizes measured in this run;
// nothing here fails a build.

import { windowOf } from '../dist/conversation/window.js';
import { createToolResults } from '../dist/layers/1-tool-results/index.js';
import { createMicrocompact } from '../dist/layers/2-microcompact/index.js';
import { LIMITS } from '../dist/limits.js';

const ROUNDS = process.argv.includes('--short') ? 100 : 300;
const SIZES = [
  { name: '200K', tokens: 200_000, bar: 0.3 },
  { name: '1M', tokens: 1_000_000, bar: 1 },
];
const TOOLS = ['Read', 'Bash', 'Grep', 'Edit', 'mcp__issues__search'];
const RESULT_TOKENS = 500;

function roundOf(number) {
  const name = TOOLS[number % TOOLS.length];
  const call = { type: 'tool_use', id: `toolu_${number}`, name, input: { file_path: `/src/file-${number % 200}.ts` } };
  const text = `line of result ${number}\n`.repeat(Math.ceil((RESULT_TOKENS * 4) / 20));
  const result = { type: 'tool_result', tool_use_id: call.id, content: [{ type: 'text', text }] };
  return { call, result };
}

function percentile(numbers, share) {
  return [...numbers].sort((one, other) => one - other)[
    Math.min(numbers.length - 1, Math.floor(numbers.length * share))
  ];
}

function session({ tokens, economy, promptCache }) {
  const nothing = () => {};
  const window = windowOf({ modelWindowTokens: tokens * 2, maxOutputTokens: 20_000, limits: LIMITS.window });
  const toolResults = createToolResults({
    store: async ({ toolUseId }) => `/results/${toolUseId}.txt`,
    onDecision: nothing,
    effectiveTokens: () => window.effective,
    limits: LIMITS,
  });
  const microcompact = createMicrocompact({
    announceBreak: nothing,
    onCleared: nothing,
    onApplied: nothing,
    onState: nothing,
    price: () => null,
    toolNames: () => TOOLS,
    economy: () => economy,
    limits: LIMITS,
  });
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Find the bug.' }] }];
  let number = 0;
  return {
    /** One round through both layers; returns how long they took, without the conversation's own work. */
    async round({ idleMs = 1_000, isFilling = false } = {}) {
      const { call, result } = roundOf(number++);
      const started = performance.now();
      const admitted = await toolResults.admit([{ call, result }]);
      const admittedMs = performance.now() - started;
      messages.push({ role: 'assistant', content: [call] }, { role: 'user', content: admitted });
      const snapshot = messages.slice();
      const again = performance.now();
      const prepared = microcompact.prepare({
        messages: snapshot,
        idleMs,
        windowTokens: isFilling ? 0 : number * RESULT_TOKENS,
        window,
        capabilities: { contextEdits: false, promptCache, thinking: 'none' },
        thinking: { kind: 'off' },
        cacheTtl: '5m',
        expectedRequests: 0,
      });
      return { ms: admittedMs + performance.now() - again, prepared };
    },
  };
}

const CASES = [
  { name: 'nothing cleared', facts: { economy: 'balanced', promptCache: 'breakpoints' }, isCleared: false },
  { name: 'old results cleared', facts: { economy: 'balanced', promptCache: 'breakpoints' }, isCleared: true },
  // The most expensive case: every request finds all candidates and their sums, and leaves them.
  { name: 'weighed and left', facts: { economy: 'max', promptCache: 'breakpoints' }, isCleared: false },
];

const shown = (ms) => `${ms.toFixed(3)} ms`.padStart(10);
console.log('both layers, one round            size  messages        p50         p99');
for (const { name, facts, isCleared } of CASES) {
  const medians = [];
  for (const size of SIZES) {
    const { round } = session({ ...facts, tokens: size.tokens });
    const before = Math.floor(size.tokens / RESULT_TOKENS);
    for (let at = 0; at < before; at += 1) await round({ isFilling: true });
    if (isCleared) await round({ idleMs: 3_600_001 });
    const times = [];
    let last;
    for (let at = 0; at < ROUNDS; at += 1) {
      const { ms, prepared } = await round();
      times.push(ms);
      last = prepared;
    }
    const p50 = percentile(times, 0.5);
    medians.push(p50);
    const verdict = p50 <= size.bar ? `(bar ${size.bar} ms: met)` : `(bar ${size.bar} ms: MISSED)`;
    console.log(
      `${name.padEnd(32)} ${size.name.padStart(5)}  ${String(before * 2).padStart(8)} ${shown(p50)}  ${shown(percentile(times, 0.99))}  ${verdict} ${last.decision.reason}`,
    );
  }
  console.log(`${''.padEnd(32)} 1M against 200K: ${(medians[1] / medians[0]).toFixed(2)}×`);
}
