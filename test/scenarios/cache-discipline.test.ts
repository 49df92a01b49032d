/** Two hundred rounds: each request begins with the bytes of the one before, and nearly all of it is read from the cache. */

import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/model/model.ts';
import { createPromptCache } from '../../src/model/prompt-cache.ts';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import type { CacheBreak } from '../../src/toolbox/cache-watch.ts';
import { createCacheWatch } from '../../src/toolbox/cache-watch.ts';
import { loopHarness, testTool } from '../support/loop-harness.ts';

const ROUNDS = 200;
const read = testTool('Read', ({ lines }) => ({ content: 'a line of text\n'.repeat(Number(lines)) }));

/** Long and short results, single and many parallel calls, turns that end in words. */
function step(index: number): ScriptStep {
  if (index % 10 === 9) return { text: `That is step ${index}. ${'Words. '.repeat(index)}` };
  const calls = index % 25 === 3 ? 30 : 1 + (index % 4);
  const tools = Array.from({ length: calls }, (_, at) => ({
    name: 'Read',
    input: { lines: 1 + ((index * 7 + at) % 90) },
  }));
  return { ...(index % 3 === 0 ? { thinking: 'Hm. ' } : {}), text: `Step ${index}.`, tools };
}

/** As it is sent, without the marks that move from request to request and are no part of what is cached. */
function bytesOf({ tools, system, messages }: ModelRequest): string {
  return `${JSON.stringify(tools)}${JSON.stringify(system)}${JSON.stringify(messages).slice(0, -1)}`;
}

async function converse(more: { readonly clockInPrompt?: boolean } = {}) {
  const breaks: CacheBreak[] = [];
  const model = scriptedModel({ answer: (_, index) => step(index) });
  const watch = createCacheWatch({ now: Date.now, onBreak: (found) => breaks.push(found) });
  const harness = loopHarness(model, [read], { watch });
  for (let turn = 0; model.requests.length < ROUNDS; turn++) {
    if (more.clockInPrompt) {
      const text = `${harness.parts.rendered.system[0]!.text} It is 12:04:${10 + turn}.`;
      Object.assign(harness.parts.rendered, { system: [{ text, endsStaticPart: true }] });
    }
    expect(await harness.turn(`Do part ${turn}.`)).toEqual({ kind: 'answered' });
  }
  return { model, breaks, totals: harness.parts.meter.totals() };
}

describe('a conversation of two hundred rounds', () => {
  it('only ever grows at its end', async () => {
    const { model, breaks } = await converse();
    const sent = model.requests.map(bytesOf);
    for (const [at, bytes] of sent.entries()) {
      if (at > 0 && !bytes.startsWith(sent[at - 1]!))
        expect.fail(`request ${at + 1} does not begin like the one before`);
    }
    expect(breaks).toEqual([]);
    for (const { cache } of model.requests) expect(cache.breakpoints.length).toBeLessThanOrEqual(3);
  });

  it('reads from the cache nearly all that it can', async () => {
    const { model, totals } = await converse();
    // All that a request repeats of the one before it can be read; the last request's own end cannot.
    const asked = totals.usage.cacheReadTokens + totals.usage.cacheWriteTokens + totals.usage.inputTokens;
    const written = totals.usage.cacheWriteTokens + totals.usage.inputTokens;
    const last = sizeOfLast(model.requests);
    expect(asked).toBeGreaterThan(1_000_000);
    expect(totals.usage.cacheReadTokens / (asked - last)).toBeGreaterThanOrEqual(0.99);
    expect(written / last).toBeLessThan(1.01);
  });

  it('is caught with a clock in its system prompt, which is named', async () => {
    const { breaks } = await converse({ clockInPrompt: true });
    expect(breaks.length).toBeGreaterThan(10);
    expect(breaks[0]).toMatchObject({ cause: 'client', reason: expect.stringMatching(/system block 1 .*12:04:/) });
  });
});

/** Every token has to be written once: the size of the longest request is what no cache can spare. */
function sizeOfLast(requests: readonly ModelRequest[]): number {
  const { inputTokens, cacheWriteTokens } = createPromptCache({ now: () => 0 }).price(requests.at(-1)!);
  return inputTokens + cacheWriteTokens;
}
