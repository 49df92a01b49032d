/** Whole turns over the scripted model: rounds of tools, what ends a turn, and that the conversation is valid after all of it. */

import { describe, expect, it } from 'vitest';
import { loopHarness, testTool } from '../../test/support/loop-harness.ts';
import type { Message } from '../conversation/message.ts';
import { textOf, toolUsesOf } from '../conversation/message.ts';
import { LIMITS } from '../limits.ts';
import { scriptedModel } from '../model/scripted.ts';

/** Roles alternate, every call has its result right behind it, nothing is empty, no thought stands last. */
function expectValid(messages: readonly Message[]): void {
  for (const [at, message] of messages.entries()) {
    expect(message.role).toBe(at % 2 === 0 ? 'user' : 'assistant');
    expect(message.content.length).toBeGreaterThan(0);
    if (message.role === 'assistant') {
      expect(message.content.at(-1)?.type).not.toBe('thinking');
      const results = messages[at + 1]?.content.flatMap((block) =>
        block.type === 'tool_result' ? [block.tool_use_id] : [],
      );
      const calls = toolUsesOf(message.content).map(({ id }) => id);
      if (calls.length > 0) expect(results).toEqual(calls);
    }
  }
}

const echo = testTool('Echo', ({ word }) => ({ content: `echo ${String(word)}` }));

describe('a turn', () => {
  it('goes on until the model has answered', async () => {
    const model = scriptedModel({
      steps: [
        {
          text: 'I look. ',
          tools: [
            { name: 'Echo', input: { word: 'a' } },
            { name: 'Echo', input: { word: 'b' } },
          ],
        },
        { tools: [{ name: 'Echo', input: { word: 'c' } }] },
        { text: 'Done.' },
      ],
    });
    const { turn, parts, events } = loopHarness(model, [echo]);
    expect(await turn('Go.')).toEqual({ kind: 'answered' });
    expect(model.requests).toHaveLength(3);
    const messages = parts.conversation.messages();
    expectValid(messages);
    expect(messages[2]?.content).toMatchObject([{ content: [{ text: 'echo a' }] }, { content: [{ text: 'echo b' }] }]);
    expect(events.filter(({ kind }) => kind === 'tool-ended')).toHaveLength(3);
    expect(events.filter(({ kind }) => kind === 'entry')).toHaveLength(6);
  });

  it('starts a tool while the answer still streams', async () => {
    const order: string[] = [];
    const model = scriptedModel({
      answer: (_, index) =>
        index === 0
          ? {
              tools: [
                { name: 'Echo', input: {} },
                { name: 'Echo', input: {} },
              ],
            }
          : { text: 'ok' },
    });
    const streamed = { ...model, stream: slowly(model.stream, order) };
    const { turn } = loopHarness(streamed, [testTool('Echo', () => ({ content: `${order.push('tool')}` }))]);
    await turn('Go.');
    expect(order.indexOf('tool')).toBeLessThan(order.indexOf('response'));
  });

  it('answers an unknown tool, a refused one and one that fails, and goes on', async () => {
    const model = scriptedModel({
      steps: [
        {
          tools: [
            { name: 'Nope', input: {} },
            { name: 'Echo', input: {} },
            { name: 'Bad', input: {} },
          ],
        },
        { text: 'I see.' },
      ],
    });
    const bad = testTool('Bad', () => Promise.reject(new Error('broken')));
    const { turn, parts, events } = loopHarness(model, [echo, bad], {
      decide: async ({ name }) => (name === 'Echo' ? { verdict: 'deny', reason: 'not now' } : { verdict: 'allow' }),
    });
    expect(await turn('Go.')).toEqual({ kind: 'answered' });
    expectValid(parts.conversation.messages());
    const results = parts.conversation.messages()[2]!.content;
    expect(results).toMatchObject([{ is_error: true }, { is_error: true }, { is_error: true }]);
    expect(JSON.stringify(results)).toMatch(/no tool Nope.*not now.*broken/);
    expect(events.filter(({ kind }) => kind === 'denied')).toHaveLength(1);
  });

  it('stops after the rounds it may have, with all results in place', async () => {
    const model = scriptedModel({ answer: () => ({ tools: [{ name: 'Echo', input: {} }] }) });
    const { turn, parts } = loopHarness(model, [echo], { maxRounds: 3 });
    expect(await turn('Go.')).toEqual({ kind: 'too-many-rounds', rounds: 3 });
    expectValid(parts.conversation.messages());
  });

  it('gives a cut answer more room, then asks for the rest', async () => {
    const model = scriptedModel({
      steps: [
        { text: 'One ', stopReason: 'length' },
        { text: 'One two ', stopReason: 'length' },
        { text: 'three.', stopReason: 'end' },
      ],
      capabilities: { maxOutputTokens: 100_000 },
    });
    const { turn, parts, events } = loopHarness(model);
    expect(await turn('Count.')).toEqual({ kind: 'answered' });
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([
      LIMITS.loop.outputTokens,
      LIMITS.loop.longOutputTokens,
      LIMITS.loop.longOutputTokens,
    ]);
    expectValid(parts.conversation.messages());
    expect(
      parts.conversation
        .messages()
        .filter(({ role }) => role === 'assistant')
        .map(({ content }) => textOf(content)),
    ).toEqual(['One two ', 'three.']);
    expect(events).toContainEqual({ kind: 'retry', reason: 'output-limit', attempt: 1, delayMs: 0 });
  });

  it('tells of every try that follows, the which of how many it is and when', async () => {
    const { turn, events } = loopHarness(
      scriptedModel({ steps: [{ fail: 'server' }, { fail: 'server' }, { text: 'a' }] }),
    );
    expect(await turn('Go.')).toEqual({ kind: 'answered' });
    const { attempts } = LIMITS.retry;
    const told = events.filter(({ kind }) => kind === 'retry');
    expect(told).toMatchObject([1, 2].map((attempt) => ({ reason: 'server', attempt, attempts })));
    for (const event of told) expect(event).toMatchObject({ delayMs: expect.any(Number) });
  });

  it('makes room and tries again when the prompt is too long, and says so when it cannot', async () => {
    const script = { steps: [{ fail: 'too-long' as const }, { text: 'ok' }] };
    const made = loopHarness(scriptedModel(script), [], { seams: { onOverflow: async () => true } });
    expect(await made.turn('Go.')).toEqual({ kind: 'answered' });
    const not = loopHarness(scriptedModel(script));
    expect(await not.turn('Go.')).toMatchObject({ kind: 'failed', error: { failure: 'too-long' } });
    expectValid(not.parts.conversation.messages());
    // The user's message was not lost: the next one joins it.
    expect(await not.turn('Again.')).toEqual({ kind: 'answered' });
    expect(textOf(not.parts.conversation.messages()[0]!.content)).toContain('Go.Again.');
  });

  it('starts over after a cut stream, unless a tool has changed something', async () => {
    const harmless = scriptedModel({
      steps: [{ text: 'Half', tools: [{ name: 'Echo', input: {} }], cutAfter: 2 }, { text: 'Whole.' }],
    });
    const first = loopHarness(harmless, [echo]);
    expect(await first.turn('Go.')).toEqual({ kind: 'answered' });
    expect(first.parts.conversation.messages()).toHaveLength(2);

    let written = 0;
    const acting = scriptedModel({
      steps: [
        {
          tools: [
            { name: 'Put', input: {} },
            { name: 'Echo', input: {} },
          ],
          cutAfter: 1,
        },
        { text: 'Whole.' },
      ],
    });
    const put = testTool('Put', () => ({ content: `${++written}` }), false);
    const second = loopHarness(acting, [echo, put]);
    expect(await second.turn('Go.')).toEqual({ kind: 'answered' });
    expect(written).toBe(1);
    expectValid(second.parts.conversation.messages());
    expect(second.parts.conversation.entries[1]?.response?.stopReason).toBe('cut');
  });

  it('lets a hook send the final answer back, but not for ever', async () => {
    const model = scriptedModel({ answer: () => ({ text: 'Done.' }) });
    const { turn, parts } = loopHarness(model, [], {
      seams: { afterAnswer: () => [{ source: 'hook', block: { type: 'text', text: 'The tests fail.' } }] },
    });
    expect(await turn('Go.')).toEqual({ kind: 'answered' });
    expect(model.requests).toHaveLength(LIMITS.loop.answersSentBack + 1);
    expectValid(parts.conversation.messages());
  });

  it('puts attachments behind the newest message of the user and names their source', async () => {
    let asked = 0;
    const model = scriptedModel({ steps: [{ tools: [{ name: 'Echo', input: {} }] }, { text: 'ok' }] });
    const { turn, parts } = loopHarness(model, [echo], {
      seams: { attachments: () => [{ source: 'recall', block: { type: 'text', text: `memory ${++asked}` } }] },
    });
    await turn('Go.');
    const [prompt, , results] = parts.conversation.entries;
    expect(prompt?.injected).toEqual([{ block: 1, source: 'recall' }]);
    expect(results?.message.content.at(-1)).toEqual({ type: 'text', text: 'memory 2' });
    expect(results?.injected).toEqual([{ block: 1, source: 'recall' }]);
  });
});

describe('an interruption', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('after event %i leaves a valid conversation that goes on', async (after) => {
    const stop = new AbortController();
    const model = scriptedModel({
      answer: ({ messages }) =>
        !textOf(messages.at(-1)!.content).includes('And now?')
          ? {
              thinking: 'Hm.',
              text: 'I will look.',
              tools: [
                { name: 'Echo', input: {} },
                { name: 'Slow', input: {} },
              ],
            }
          : { text: 'Next.' },
    });
    const slow = testTool(
      'Slow',
      (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ content: 'stopped' }))),
      false,
    );
    let seen = 0;
    const harness = loopHarness(model, [echo, slow], {
      onEvent: () => {
        if (seen++ === after) stop.abort();
      },
    });
    const started = harness.turn('Go.', { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect(await started).toEqual({ kind: 'interrupted' });
    expect(await harness.turn('And now?')).toEqual({ kind: 'answered' });
    expectValid(harness.parts.conversation.messages());
    expectValid(model.requests.at(-1)!.messages);
  });
});

function slowly(stream: ReturnType<typeof scriptedModel>['stream'], order: string[]): typeof stream {
  return async function* (request, options) {
    for await (const event of stream(request, options)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (event.kind === 'response') order.push('response');
      yield event;
    }
  };
}
