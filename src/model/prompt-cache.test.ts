import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBreakpoints } from '../conversation/breakpoints.ts';
import type { Message } from '../conversation/message.ts';
import type { ModelRequest } from './model.ts';
import { createPromptCache, ttlMsOf } from './prompt-cache.ts';

/** A message of this many tokens in this many blocks. */
function message(tokens: number, blocks = 1): Message {
  const text = 'x'.repeat((tokens / blocks) * 4);
  return { role: 'user', content: Array.from({ length: blocks }, () => ({ type: 'text' as const, text })) };
}

function request(messages: readonly Message[], change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: [{ text: 's'.repeat(8_000), endsStaticPart: true }],
    tools: [],
    messages,
    thinking: { kind: 'off' },
    toolChoice: 'auto',
    maxOutputTokens: 1_000,
    cache: { ttl: '5m', breakpoints: messages.length > 0 ? [messages.length - 1] : [] },
    ...change,
  };
}

/** Input, read, written for each request, all to one cache; with the minutes that pass before it. */
function prices(...asked: (ModelRequest | { waitMs: number })[]): number[][] {
  let now = 1_000;
  const cache = createPromptCache({ now: () => now });
  return asked.flatMap((each) => {
    if ('waitMs' in each) {
      now += each.waitMs;
      return [];
    }
    const { inputTokens, cacheReadTokens, cacheWriteTokens } = cache.price(each);
    return [[inputTokens, cacheReadTokens, cacheWriteTokens]];
  });
}

const [one, two, three] = [message(1_000), message(500), message(200)];

describe('a prompt cache', () => {
  it('reads what the last request wrote, and writes what is new', () => {
    expect(prices(request([one]), request([one, two]), request([one, two, three]))).toEqual([
      [0, 0, 3_000],
      [0, 3_000, 500],
      [0, 3_500, 200],
    ]);
  });

  it('bills what comes after the last breakpoint in full', () => {
    const marked = request([one, two], { cache: { ttl: '5m', breakpoints: [0] } });
    expect(prices(marked, marked)).toEqual([
      [500, 0, 3_000],
      [500, 3_000, 0],
    ]);
  });

  it('shares the static system with another conversation', () => {
    expect(prices(request([one]), request([two]))).toEqual([
      [0, 0, 3_000],
      [0, 2_000, 500],
    ]);
  });

  it.each<[string, Partial<ModelRequest>, number]>([
    ['a tool', { tools: [{ name: 'Bash', description: '', input_schema: { type: 'object' } }] }, 0],
    ['the system', { system: [{ text: `${'s'.repeat(7_999)}t`, endsStaticPart: true }] }, 0],
    ['tool choice', { toolChoice: 'none' }, 2_000],
    ['thinking', { thinking: { kind: 'adaptive' } }, 2_000],
    ['the output limit alone', { maxOutputTokens: 7 }, 3_500],
  ])('is lost from where the request changed: %s', (_, change, read) => {
    const [, second] = prices(request([one, two]), request([one, two], change));
    expect(second![1]).toBe(read);
  });

  it('forgets after its time, and a read extends it', () => {
    const fiveMinutes = ttlMsOf('5m');
    const wait = { waitMs: fiveMinutes - 1 };
    const reads = prices(
      request([one]),
      wait,
      request([one]),
      wait,
      request([one]),
      { waitMs: fiveMinutes },
      request([one]),
    );
    expect(reads.map(([, read]) => read)).toEqual([0, 3_000, 3_000, 0]);
  });

  it('keeps a prefix that a longer request read, for others that share it', () => {
    const wait = { waitMs: ttlMsOf('5m') - 1 };
    const [, , third] = prices(request([one]), wait, request([one, two]), wait, request([one, three]));
    expect(third).toEqual([0, 3_000, 200]);
  });

  it('keeps what was written for an hour for an hour', () => {
    const cache = { ttl: '1h', breakpoints: [0] } as const;
    const asked = request([one], { cache });
    expect(prices(asked, { waitMs: ttlMsOf('5m') * 2 }, asked)[1]).toEqual([0, 3_000, 0]);
    expect(createPromptCache({ now: () => 0 }).price(asked)).toMatchObject({ cacheWriteHourTokens: 3_000 });
  });

  it('caches nothing shorter than 1,024 tokens', () => {
    const small = (tokens: number) => request([message(tokens)], { system: [] });
    expect(prices(small(1_023), small(1_023))[1]).toEqual([1_023, 0, 0]);
    expect(prices(small(1_024), small(1_024))[1]).toEqual([0, 1_024, 0]);
  });

  it('looks back 20 blocks from a breakpoint', () => {
    const after = (blocks: number, breakpoints?: number[]) => {
      const messages = [one, message(blocks, blocks)];
      return request(messages, { cache: { ttl: '5m', breakpoints: breakpoints ?? [1] } });
    };
    expect(prices(request([one]), after(20))[1]).toEqual([0, 3_000, 20]);
    expect(prices(request([one]), after(21))[1]).toEqual([0, 2_000, 1_021]);
    expect(prices(request([one]), after(21, [0, 1]))[1]).toEqual([0, 3_000, 21]);
  });

  it('never reads less than everything sent before, when breakpoints are chosen as they should be', () => {
    const rounds = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(rounds, (blocks) => {
        const cache = createPromptCache({ now: () => 0 });
        let messages: Message[] = [];
        let [sentBefore, cached] = [0, 0];
        for (const each of blocks) {
          messages = [...messages, message(each * 4, each)];
          const breakpoints = chooseBreakpoints({ messages, sentBefore });
          const price = cache.price(request(messages, { cache: { ttl: '5m', breakpoints } }));
          expect(price.cacheReadTokens).toBe(cached);
          expect(price.inputTokens).toBe(0);
          cached = price.cacheReadTokens + price.cacheWriteTokens;
          sentBefore = messages.length;
        }
      }),
    );
  });
});
