import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import type { Message } from '../../conversation/message.ts';
import { estimateTextTokens, estimateTokens } from '../../conversation/tokens.ts';
import type { ModelRequest } from '../../model/model.ts';
import { createPromptCache } from '../../model/prompt-cache.ts';
import { createCacheModel } from './cache-model.ts';

const SYSTEM = 'You are an agent. '.repeat(400);
const PREFIX_TOKENS = estimateTextTokens(SYSTEM);

function modelOf(ttl: '5m' | '1h' = '5m', warmTokens = 0) {
  return createCacheModel({ prefixTokens: PREFIX_TOKENS, ttl, sizeOf: estimateTokens, warmTokens });
}

function message(text: string, blocks = 1): Message {
  return {
    role: 'user',
    content: Array.from({ length: blocks }, (_, at) => ({ type: 'text', text: `${text} ${at}` })),
  };
}

function requestOf(messages: readonly Message[], facts: { former: number; ttl: '5m' | '1h' }): ModelRequest {
  const breakpoints = [Math.min(facts.former, messages.length) - 1, messages.length - 1].filter((at) => at >= 0);
  return {
    ...{ system: [{ text: SYSTEM, endsStaticPart: true }], tools: [], messages, thinking: { kind: 'off' } },
    ...{ toolChoice: 'auto', maxOutputTokens: 1, cache: { ttl: facts.ttl, breakpoints } },
  };
}

/** What happens before a request: messages are appended, or all from some position on are replaced. */
const steps = fc.array(
  fc.record({
    keep: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null, freq: 5 }),
    added: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
    waitMs: fc.constantFrom(1_000, 60_000, 299_000, 301_000, 3_500_000, 3_700_000),
  }),
  { minLength: 1, maxLength: 25 },
);

describe('the model of one conversation', () => {
  it('prices every request as the general one does', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom('5m' as const, '1h' as const), (made, ttl) => {
        let nowMs = 0;
        const general = createPromptCache({ now: () => nowMs });
        const quick = modelOf(ttl);
        let messages: readonly Message[] = [];
        let former = 0;
        for (const [at, { keep, added, waitMs }] of made.entries()) {
          nowMs += waitMs;
          const kept = keep === null ? messages : messages.slice(0, Math.floor(keep * messages.length));
          messages = [
            ...kept,
            ...added.map((blocks, each) => message(`step ${at} message ${each}`.repeat(20), blocks)),
          ];
          const expected = general.price(requestOf(messages, { former, ttl }));
          expect(quick.request(messages, { atMs: nowMs })).toMatchObject(expected);
          former = messages.length;
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('tells a break from growth, and then reads what was written', () => {
    const model = modelOf();
    const first = [message('word '.repeat(4_000)), message('more '.repeat(4_000))];
    expect(model.request(first, { atMs: 0 }).missedTokens).toBe(0);
    const longer = [...first, message('and more')];
    expect(model.request(longer, { atMs: 1 }).missedTokens).toBe(0);
    const changed = [message('other'), ...longer.slice(1)];
    expect(model.request(changed, { atMs: 2 })).toMatchObject({ cacheReadTokens: PREFIX_TOKENS });
    expect(model.request([...changed, message('x')], { atMs: 3 })).toMatchObject({ missedTokens: 0 });
    expect(model.request([...changed, message('x')], { atMs: 400_000 }).missedTokens).toBeGreaterThan(2_000);
  });

  it('does not cache what a fork adds, and finds a prefix that others keep warm', () => {
    const model = modelOf('5m', 1_000);
    const messages = [message('one')];
    expect(model.request(messages, { atMs: 0, addedTokens: 70 })).toMatchObject({
      inputTokens: 70,
      cacheReadTokens: 1_000,
    });
    expect(model.request(messages, { atMs: 1 })).toMatchObject({ inputTokens: 0, cacheWriteTokens: 0 });
    expect(model.request(messages, { atMs: 9_000_000 })).toMatchObject({ cacheReadTokens: 1_000 });
  });

  it('reads no more than a recorded break left', () => {
    const model = modelOf();
    const messages = [message('one '.repeat(9_000))];
    model.request(messages, { atMs: 0 });
    expect(model.request(messages, { atMs: 1, mostReadTokens: 50 })).toMatchObject({ cacheReadTokens: 50 });
  });
});
