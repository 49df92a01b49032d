import { describe, expect, it } from 'vitest';
import { type MadeRecording, madeRecording } from '../../../test/support/recordings.ts';
import type { Message } from '../../conversation/message.ts';
import { LIMITS } from '../../limits.ts';
import { createPromptCache } from '../../model/prompt-cache.ts';
import { readContent } from './read-recording.ts';
import { type ReplayRequest, replay } from './replay.ts';

function ask(recordings: readonly MadeRecording[], more: Partial<ReplayRequest> = {}) {
  const files = recordings.map((made, at) => ({ name: `${at}.json`, text: JSON.stringify(made) }));
  return replay({ files, isJoined: true, prefixTokens: 20_000, ttl: '5m', limits: LIMITS, ...more });
}

describe('a replay', () => {
  const long = madeRecording({ rounds: 150, resultCharacters: 8_000, idleBefore: [60] });

  it('shows all policies side by side; ours keep what the user said', async () => {
    const [session] = await ask([long, long]);
    const results = session!.runs.map(({ result }) => result);
    expect(results.map(({ name, economy }) => [name, economy].filter(Boolean).join(' '))).toEqual([
      ...['none', 'drop-oldest', 'clear-100k-keep-3', 'keep-40k-tool-output', 'summarise', 'summarise-keep-20k'],
      ...['reverie off', 'reverie balanced', 'reverie max'],
    ]);
    expect(session!.tokens).toBeGreaterThan(400_000);
    const of = (name: string, economy?: string) =>
      results.find((result) => result.name === name && result.economy === economy)!;
    expect(of('none')).toMatchObject({ fitsWindow: false, userText: 1, neededLater: 1, compactions: 0 });
    for (const economy of ['off', 'balanced', 'max']) {
      expect(of('reverie', economy)).toMatchObject({ fitsWindow: true });
      expect(of('reverie', economy).userText).toBeGreaterThan(0.95);
    }
    expect(of('summarise').userText).toBeLessThan(0.95);
    expect(of('reverie', 'max').cost).toBeLessThan(of('summarise').cost);
    expect(of('reverie', 'max').neededLater).toBeGreaterThanOrEqual(of('summarise').neededLater);
  });

  it('accounts for every token and its price', async () => {
    const [session] = await ask([madeRecording({ rounds: 40 })]);
    for (const { result, usage, costs, windows } of session!.runs) {
      expect(result.cost).toBeCloseTo(costs.main + costs.notes + costs.compaction);
      const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
      expect(result.hitShare).toBeCloseTo(usage.cacheReadTokens / input);
      expect(input).toBeGreaterThanOrEqual(windows.reduce((sum, tokens) => sum + tokens, 0) - 1);
    }
    const none = session!.runs[0]!;
    expect(none.result).toMatchObject({ breaks: 0, compactions: 0 });
  });

  it('joins files whose times run backwards with a day between them, and takes gaps as recorded', async () => {
    const [early, late] = [
      madeRecording({ rounds: 30 }),
      madeRecording({ rounds: 30, startMs: Date.UTC(2026, 0, 5, 9, 12) }),
    ];
    const breaksOf = async (...recordings: MadeRecording[]) => (await ask(recordings))[0]!.runs[0]!.result.breaks;
    expect(await breaksOf(early, late)).toBe(0);
    expect(await breaksOf(late, early)).toBe(1);
  });

  it('replays unjoined files one by one, and says which holds nothing', async () => {
    const [one, other] = await ask([madeRecording({ rounds: 3 }), madeRecording({ rounds: 5 })], { isJoined: false });
    expect([one?.requests, other?.requests]).toEqual([4, 6]);
    const files = [{ name: 'empty.jsonl', text: '{"type":"meta"}\n' }];
    await expect(ask([], { files })).rejects.toThrow('empty.jsonl holds no conversation');
  });
});

/** As a provider would have counted it, by the general model of the cache. */
function withUsage(made: MadeRecording): MadeRecording {
  let nowMs = 0;
  const cache = createPromptCache({ now: () => nowMs });
  const sent: Message[] = [];
  const messages = made.messages.map((message) => {
    const read: Message = { role: message.role as 'user' | 'assistant', content: readContent(message.content) };
    if (read.role === 'user') {
      nowMs = Date.parse(String(message.ts));
      sent.push(read);
      return message;
    }
    const price = cache.price({
      ...{
        system: [{ text: 'You are an agent. '.repeat(5_000), endsStaticPart: true }],
        tools: [],
        messages: [...sent],
      },
      ...{ thinking: { kind: 'off' }, toolChoice: 'auto', maxOutputTokens: 1 },
      cache: { ttl: '5m', breakpoints: [sent.length - 1] },
    });
    sent.push(read);
    const usage = {
      ...{ input_tokens: price.inputTokens, output_tokens: 120, cache_read_input_tokens: price.cacheReadTokens },
      cache_creation_input_tokens: price.cacheWriteTokens,
    };
    return { ...message, usage };
  });
  return { ...made, messages };
}

describe('a recording with its usage', () => {
  it('costs what was recorded, within five in a hundred', async () => {
    const made = withUsage(madeRecording({ rounds: 60, idleBefore: [20, 45] }));
    const [session] = await ask([made]);
    expect(session!.checks).toHaveLength(1);
    const { difference, recordedCost, unexplainedBreaks } = session!.checks[0]!;
    expect(recordedCost).toBeGreaterThan(0.1);
    expect(Math.abs(difference)).toBeLessThan(0.05);
    expect(unexplainedBreaks).toBe(0);
  });

  it('is not compared with anything when usage is missing', async () => {
    const made = withUsage(madeRecording({ rounds: 6 }));
    const torn = made.messages.map((message, at) => (at === 3 ? { ...message, usage: undefined } : message));
    expect((await ask([{ ...made, messages: torn }]))[0]!.checks).toEqual([]);
  });
});
