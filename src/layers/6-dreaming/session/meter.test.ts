/** The cost limit of one dream holds, whatever its model answers and however often it is cut off. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/property-runs.ts';
import type { Entry } from '../../../conversation/entry.ts';
import { type Message, NO_USAGE } from '../../../conversation/message.ts';
import { LIMITS } from '../../../limits.ts';
import type { LedgerPort } from '../../../model/ledger-port.ts';
import { createMeter } from '../../../model/metered.ts';
import { equivalentTokens } from '../../../model/metered-usage.ts';
import type { ModelRequest } from '../../../model/model.ts';
import { createPromptCache } from '../../../model/prompt-cache.ts';
import { type ScriptStep, scriptedModel } from '../../../model/scripted.ts';
import { dreamMeter, warmTokensOf } from './meter.ts';

const START = Date.UTC(2031, 4, 8);
const MINUTE_MS = 60_000;

interface Round {
  /** Share of the longest answer it may give. */
  readonly outputShare: number;
  /** Characters that join the conversation before it. */
  readonly newCharacters: number;
  readonly minutes: number;
  /** Attempts that are cut after a whole block, before one succeeds. */
  readonly cuts: number;
}

interface Story {
  readonly cap: number;
  readonly prefixCharacters: number;
  readonly isWarm: boolean;
  readonly isCaching: boolean;
  readonly ttl: '5m' | '1h';
  /** What an estimated token really is. */
  readonly factor: number;
  readonly maxOutputTokens: number;
  readonly rounds: readonly Round[];
}

const text = (role: Message['role'], characters: number): Message => ({
  role,
  content: [{ type: 'text', text: 'x'.repeat(characters) }],
});

/** Plays a dream to its end and returns what it cost. */
async function play(story: Story) {
  let nowMs = START;
  const limits = {
    ...LIMITS,
    dreaming: { ...LIMITS.dreaming, equivalentTokens: story.cap, outputTokens: 2_000 },
  };
  const ledger: LedgerPort = { reserve: async () => ({ kind: 'reserved' }), record: () => {} };
  const cache = createPromptCache({ now: () => nowMs });
  const priced = (request: ModelRequest) => {
    const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens } = cache.price(request);
    const tokens = Math.floor((inputTokens + cacheReadTokens + cacheWriteTokens) * story.factor);
    if (!story.isCaching) return { ...NO_USAGE, inputTokens: tokens };
    const scaled = (part: number) => Math.floor(part * story.factor);
    return {
      ...NO_USAGE,
      inputTokens: scaled(inputTokens),
      cacheReadTokens: scaled(cacheReadTokens),
      cacheWriteTokens: scaled(cacheWriteTokens),
      cacheWriteHourTokens: scaled(cacheWriteHourTokens),
    };
  };
  let round: Round = story.rounds[0]!;
  let cutsLeft = 0;
  const model = scriptedModel({
    answer(request): ScriptStep {
      const outputTokens = Math.floor(request.maxOutputTokens * round.outputShare);
      const words = { text: 'y'.repeat(Math.max(1, outputTokens * 4)) };
      cutsLeft -= 1;
      return cutsLeft >= 0 ? { ...words, cutAfter: 1 } : { ...words, usage: { ...priced(request), outputTokens } };
    },
  });
  const meter = createMeter({ ledger, limits, now: () => new Date(nowMs), sleep: async () => {} });
  const messages: Message[] = [text('user', story.prefixCharacters)];
  const requestNow = (): ModelRequest => ({
    ...{ system: [], tools: [], thinking: { kind: 'off' }, toolChoice: 'auto' },
    messages: [...messages],
    maxOutputTokens: story.maxOutputTokens,
    cache: { ttl: story.ttl, breakpoints: [messages.length - 1] },
  });
  const warm = story.isWarm && story.isCaching ? priced(requestNow()) : NO_USAGE;
  const dream = dreamMeter(meter, {
    ...{ limits, now: () => new Date(nowMs), onCost: () => {} },
    warmTokens: warm.cacheReadTokens + warm.cacheWriteTokens,
  });
  for (round of story.rounds) {
    nowMs += round.minutes * MINUTE_MS;
    cutsLeft = round.cuts;
    messages.push(text('user', round.newCharacters));
    const call = { purpose: 'dream', model, request: requestNow(), signal: new AbortController().signal } as const;
    try {
      for await (const event of dream.meter.call(call)) {
        if (event.kind === 'response') messages.push({ role: 'assistant', content: event.response.content });
      }
    } catch {
      break;
    }
  }
  const spent = equivalentTokens(meter.totals().byPurpose.dream?.usage ?? NO_USAGE);
  return { spent, isSpent: dream.isSpent(), requests: model.requests };
}

const PLAIN: Story = {
  ...{ cap: 100_000, prefixCharacters: 80_000, isWarm: false, isCaching: true, ttl: '5m', factor: 1 },
  maxOutputTokens: 2_000,
  rounds: Array.from({ length: 100 }, () => ({ outputShare: 0.2, newCharacters: 2_000, minutes: 0, cuts: 0 })),
};

const stories = fc.record({
  cap: fc.integer({ min: 1_000, max: 200_000 }),
  prefixCharacters: fc.integer({ min: 100, max: 200_000 }),
  isWarm: fc.boolean(),
  isCaching: fc.boolean(),
  ttl: fc.constantFrom('5m', '1h'),
  factor: fc.double({ min: 0.7, max: 1.3, noNaN: true }),
  maxOutputTokens: fc.constantFrom(500, 2_000, 64_000),
  rounds: fc.array(
    fc.record({
      outputShare: fc.double({ min: 0, max: 1, noNaN: true }),
      newCharacters: fc.integer({ min: 1, max: 40_000 }),
      // The first call follows the conversation at once; a warm cache that was unused for long is no longer warm.
      minutes: fc.constantFrom(0, 0, 0, 1, 4, 6, 61),
      cuts: fc.constantFrom(0, 0, 0, 1, 3),
    }),
    { minLength: 1, maxLength: 30 },
  ),
}) satisfies fc.Arbitrary<Story>;

describe('a dream', () => {
  it('never costs more than its limit, whatever its model answers within its own', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (drawn) => {
        const [first, ...others] = drawn.rounds;
        const { spent } = await play({ ...drawn, rounds: [{ ...first!, minutes: 0 }, ...others] });
        expect(spent).toBeLessThanOrEqual(drawn.cap);
      }),
      { numRuns: runs(300) },
    );
  });

  it('uses most of its limit while the cache serves it', async () => {
    const { spent, isSpent } = await play(PLAIN);
    expect(isSpent).toBe(true);
    expect(spent).toBeGreaterThan(PLAIN.cap * 0.8);
  });

  it.each([
    ['its prompt alone would cost too much', { prefixCharacters: 400_000 }],
    ['the longest answer would', { cap: 9_000, prefixCharacters: 100 }],
  ])('makes no call at all when %s', async (_why, story) => {
    const { spent, isSpent, requests } = await play({ ...PLAIN, ...story });
    expect({ spent, isSpent, requests }).toEqual({ spent: 0, isSpent: true, requests: [] });
  });

  it('counts on the cache of the conversation it was forked from', async () => {
    const story = { ...PLAIN, prefixCharacters: 400_000 };
    expect((await play({ ...story, isWarm: true })).requests.length).toBeGreaterThan(1);
  });

  it('asks for no longer answers than a dream can pay for', async () => {
    const { requests } = await play({ ...PLAIN, maxOutputTokens: 64_000 });
    expect(new Set(requests.map(({ maxOutputTokens }) => maxOutputTokens))).toEqual(new Set([2_000]));
  });
});

describe('the warmth of a conversation', () => {
  const answered = (minutesAgo: number): Entry =>
    ({
      at: new Date(START - minutesAgo * MINUTE_MS).toISOString(),
      response: { usage: { ...NO_USAGE, inputTokens: 3, cacheReadTokens: 900, cacheWriteTokens: 100 } },
    }) as Entry;

  it.each([
    ['just after an answer', [answered(1)], '5m', 1_000],
    ['after the cache was lost', [answered(6)], '5m', 0],
    ['with a cache that lives an hour', [answered(6)], '1h', 1_000],
    ['before any answer', [], '5m', 0],
  ] as const)('%s', (_when, entries, cacheTtl, tokens) => {
    expect(warmTokensOf(entries, { now: new Date(START), cacheTtl })).toBe(tokens);
  });
});
