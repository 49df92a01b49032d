import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/message.ts';
import { ModelFailure } from './failure.ts';
import type { Model, ModelEvent, ModelRequest, ModelResponse } from './model.ts';
import { type ScriptStep, scriptedModel } from './scripted.ts';

function request(...texts: string[]): ModelRequest {
  const messages: Message[] = texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] }));
  return {
    system: [],
    tools: [],
    messages,
    thinking: { kind: 'off' },
    toolChoice: 'auto',
    maxOutputTokens: 100,
    cache: { ttl: '5m', breakpoints: [messages.length - 1] },
  };
}

async function play(model: Model, asked: ModelRequest, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream(asked, { signal })) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: null };
}

function responseOf(events: readonly ModelEvent[]): ModelResponse {
  const last = events.at(-1);
  if (last?.kind !== 'response') throw new Error('no response');
  return last.response;
}

describe('a scripted model', () => {
  it('streams its blocks in order, in small pieces', async () => {
    const text = 'It is 5 o’clock 🕔 now.';
    const tools = [
      { name: 'Read', input: { path: 'a' } },
      { name: 'Read', input: { path: 'b' }, id: 'mine' },
    ];
    const model = scriptedModel({ steps: [{}, { thinking: 'Let me see.', text, tools }] });
    await play(model, request('first'));
    const { events } = await play(model, request('second'));
    const joined = (kind: 'text' | 'thinking') => events.flatMap((event) => (event.kind === kind ? [event.text] : []));
    expect(joined('text').join('')).toBe(text);
    expect(joined('text').length).toBeGreaterThan(3);
    expect(joined('thinking').join('')).toBe('Let me see.');
    const blocks = events.flatMap((event) => (event.kind === 'block' ? [event.block] : []));
    expect(blocks).toEqual(responseOf(events).content);
    expect(blocks.map((block) => ('id' in block ? block.id : block.type))).toEqual([
      'thinking',
      'text',
      'toolu_s2_1',
      'mine',
    ]);
    expect(responseOf(events).stopReason).toBe('tools');
  });

  it('bills by the prompt cache, unless the script says otherwise', async () => {
    let now = 0;
    const model = scriptedModel({
      answer: (_, index) => (index === 3 ? { usage: { inputTokens: 7 } } : { text: 'abcd' }),
      clock: () => now,
    });
    const long = request('x'.repeat(8_000));
    const usages = [];
    for (const waitMs of [0, 1_000, 300_001, 0]) {
      now += waitMs;
      usages.push(responseOf((await play(model, long)).events).usage);
    }
    expect(usages.map((usage) => [usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens])).toEqual([
      [0, 0, 2_000],
      [0, 2_000, 0],
      [0, 0, 2_000],
      [7, 2_000, 0],
    ]);
    expect(usages[0]!.outputTokens).toBe(1);
  });

  it.each<[string, ScriptStep, string, number]>([
    ['at once', { text: 'a', fail: 'overloaded' }, 'overloaded', 0],
    [
      'with a failure of its own',
      { fail: new ModelFailure({ failure: 'rate-limited', message: 'slow' }) },
      'rate-limited',
      0,
    ],
    ['cut after a block', { thinking: 'a', text: 'b', cutAfter: 1 }, 'cut', 1],
    ['cut before any', { text: 'b', cutAfter: 0 }, 'cut', 0],
    ['cut after all', { text: 'b', cutAfter: 1 }, 'cut', 1],
  ])('fails as the script says: %s', async (_, step, failure, blocks) => {
    const { events, error } = await play(scriptedModel({ steps: [step] }), request('a'));
    expect(error).toBeInstanceOf(ModelFailure);
    expect((error as ModelFailure).failure).toBe(failure);
    expect(events.filter((event) => event.kind === 'block').length).toBe(blocks);
    expect(events.some((event) => event.kind === 'response')).toBe(false);
  });

  it('stops when it is interrupted', async () => {
    const controller = new AbortController();
    const model = scriptedModel({ steps: [{ text: 'word '.repeat(1_000) }], delayMs: 1 });
    const run = play(model, request('a'), controller.signal);
    setTimeout(() => controller.abort(), 5);
    const { events, error } = await run;
    expect((error as ModelFailure).failure).toBe('aborted');
    expect(events.length).toBeLessThan(1_000);
  });

  it('keeps each request as it was, though the conversation continues', async () => {
    const model = scriptedModel({ steps: [{ text: 'a' }] });
    const messages: Message[] = [...request('first').messages];
    await play(model, { ...request('first'), messages });
    messages.push(...request('second').messages);
    expect(model.requests.map((asked) => asked.messages.length)).toEqual([1]);
  });

  it('says loudly which request had no step', async () => {
    const model = scriptedModel({ steps: [{ text: 'a' }] });
    await play(model, request('first'));
    const { error } = await play(model, request('first', 'and now?'));
    expect(error).not.toBeInstanceOf(ModelFailure);
    expect(String(error)).toMatch(/NO STEP for request 2\b.*and now\?/);
  });
});
