/** The middleware under the AI SDK's own functions, over a model that answers from a script. */

import { join } from 'node:path';
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider';
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createSession } from '../create-session.ts';
import { fromHost, toHost } from '../messages.ts';
import { reverieMiddleware } from './middleware.ts';
import { promptOf, requestOf } from './prompt.ts';

let root: string;

beforeEach(() => {
  root = temporaryFolder('middleware');
});

const place = () => ({ cwd: root, home: join(root, 'home'), env: { HOME: root } });
const sizeOf = ({ prompt }: LanguageModelV3CallOptions) => Math.ceil(JSON.stringify(prompt).length / 4);
const isSummary = ({ prompt }: LanguageModelV3CallOptions) => JSON.stringify(prompt).includes('<analysis>');

function answered(options: LanguageModelV3CallOptions, content: LanguageModelV3GenerateResult['content']) {
  const total = sizeOf(options);
  return {
    content,
    finishReason: { unified: content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 10, text: 10, reasoning: 0 },
    },
    warnings: [],
  } satisfies LanguageModelV3GenerateResult;
}

const text = (words: string) => ({ type: 'text', text: words }) as const;
const look = (id: number) =>
  ({ type: 'tool-call', toolCallId: `call-${id}`, toolName: 'look', input: `{"at":${id}}` }) as const;

/** A tool whose results are long, of one kind or the other. */
function lookTool(result: (at: number) => unknown) {
  const inputSchema = jsonSchema<{ at: number }>({ type: 'object', properties: { at: { type: 'number' } } });
  return tool({ description: 'Looks.', inputSchema, execute: async ({ at }) => result(at) });
}

/** Each message of each call as text; a message that grew at its end is no break. */
function brokenCalls(calls: readonly LanguageModelV3CallOptions[]): number[] {
  const parts = calls.map(({ prompt }) =>
    prompt.flatMap(({ role, content }) =>
      typeof content === 'string' ? [content] : content.map((part) => JSON.stringify([role, part])),
    ),
  );
  return parts.flatMap((sent, at) =>
    (parts[at - 1] ?? []).every((part, index) => sent[index] === part) ? [] : [at + 1],
  );
}

describe('generateText', () => {
  it('runs for eighty steps in a small window: nothing is refused, and what is not announced does not change', async () => {
    const windowTokens = 16_000;
    const inner: MockLanguageModelV3 = new MockLanguageModelV3({
      modelId: 'small',
      async doGenerate(options) {
        expect(sizeOf(options)).toBeLessThan(windowTokens);
        const step = inner.doGenerateCalls.length;
        return answered(options, step < 80 ? [look(step)] : [text('Done.')]);
      },
      async doStream(options) {
        expect(isSummary(options)).toBe(true);
        const { usage, finishReason } = answered(options, []);
        const words = '<analysis>x</analysis><summary>Looked at many things.</summary>';
        return {
          stream: convertArrayToReadableStream([
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: words },
            { type: 'text-end', id: '1' },
            { type: 'finish', usage, finishReason },
          ]),
        };
      },
    });
    const notes: string[] = [];
    const middleware = reverieMiddleware({
      ...place(),
      capabilities: { windowTokens },
      onNote: (line) => notes.push(line),
    });
    const { text: last, steps } = await generateText({
      model: wrapLanguageModel({ model: inner, middleware }),
      system: 'You help.',
      prompt: 'Look at everything, but never at prod-7.env.',
      tools: {
        look: lookTool((at) => ({ lines: Array.from({ length: 60 }, (_, line) => `thing ${at} line ${line}`) })),
      },
      stopWhen: stepCountIs(100),
    });
    await middleware.close();
    expect(last).toBe('Done.');
    expect(steps).toHaveLength(80);
    expect(notes.filter((line) => line.startsWith('Compacted')).length).toBeGreaterThan(1);
    expect(notes.filter((line) => line.startsWith('Not'))).toEqual([]);
    expect(brokenCalls(inner.doGenerateCalls)).toHaveLength(notes.length);
    const sent = JSON.stringify(inner.doGenerateCalls.at(-1)!.prompt);
    expect(sent).toContain('never at prod-7.env');
    expect(inner.doGenerateCalls.at(-1)!.prompt[0]).toEqual({ role: 'system', content: 'You help.' });
  }, 60_000);

  it('stores what is too long, leaves short JSON as it is, and says what it cost', async () => {
    const inner: MockLanguageModelV3 = new MockLanguageModelV3({
      doGenerate: async (options) => {
        const step = inner.doGenerateCalls.length;
        return answered(options, step < 3 ? [look(step)] : [text('Done.')]);
      },
    });
    const session = await createSession(place());
    await generateText({
      model: wrapLanguageModel({ model: inner, middleware: reverieMiddleware({ session }) }),
      prompt: 'Look.',
      tools: { look: lookTool((at) => (at === 1 ? 'word '.repeat(40_000) : { at, isFine: true })) },
      stopWhen: stepCountIs(5),
    });
    const results = inner.doGenerateCalls
      .at(-1)!
      .prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
    expect(results).toMatchObject([
      { toolCallId: 'call-1', output: { type: 'text', value: expect.stringContaining('<persisted-output>') } },
      { toolCallId: 'call-2', output: { type: 'json', value: { at: 2, isFine: true } } },
    ]);
    const { usage, requests, storedResults } = session.stats();
    expect({ requests, storedResults, outputTokens: usage.outputTokens }).toEqual({
      requests: 3,
      storedResults: 1,
      outputTokens: 30,
    });
    await session.close();
  });

  it('makes room and asks again when the provider says that the prompt is too long', async () => {
    let refusals = 0;
    const inner: MockLanguageModelV3 = new MockLanguageModelV3({
      doGenerate: async (options) => {
        if (sizeOf(options) > 4_000) {
          refusals += 1;
          throw Object.assign(new Error('maximum context length is 4000 tokens'), {
            name: 'AI_APICallError',
            statusCode: 400,
          });
        }
        const step = inner.doGenerateCalls.length;
        return answered(options, step < 12 ? [look(step)] : [text('Done.')]);
      },
    });
    const session = await createSession(place());
    const { text: last } = await generateText({
      model: wrapLanguageModel({ model: inner, middleware: reverieMiddleware({ session }) }),
      prompt: 'Look at all.',
      tools: { look: lookTool((at) => `thing ${at} `.repeat(300)) },
      stopWhen: stepCountIs(30),
      maxRetries: 0,
    });
    expect(last).toBe('Done.');
    expect(refusals).toBeGreaterThan(0);
    expect(session.stats().compactions).toBe(refusals);
    await session.close();
  });
});

describe('streamText', () => {
  it('is prepared and observed as well', async () => {
    const inner: MockLanguageModelV3 = new MockLanguageModelV3({
      doStream: async (options) => {
        const { usage, finishReason } = answered(options, []);
        return {
          stream: convertArrayToReadableStream([
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: 'Hello.' },
            { type: 'text-end', id: '1' },
            { type: 'finish', usage, finishReason },
          ]),
        };
      },
    });
    const session = await createSession(place());
    const model = wrapLanguageModel({ model: inner, middleware: reverieMiddleware({ session }) });
    expect(await streamText({ model, prompt: 'Hi there.' }).text).toBe('Hello.');
    expect(session.stats()).toMatchObject({ requests: 1, usage: { outputTokens: 10 } });
    await session.close();
  });
});

const words = fc.string({ minLength: 1 });
const options = fc.option(fc.constant({ anthropic: { signature: 's' }, google: { thoughtSignature: 't' } }), {
  nil: undefined,
});
const withOptions = <Part extends object>(part: fc.Arbitrary<Part>) =>
  fc.tuple(part, options).map(([found, providerOptions]) => (providerOptions ? { ...found, providerOptions } : found));
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
const userPart = withOptions(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: words }),
    fc.constant({ type: 'file' as const, mediaType: 'image/png', data: 'AAAA' }),
    fc.constant({ type: 'file' as const, mediaType: 'image/png', data: new URL('https://example.com/a.png') }),
    fc.constant({ type: 'file' as const, mediaType: 'application/pdf', data: 'AAAA', filename: 'a.pdf' }),
  ),
);
const output = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'error-text' as const), value: words }),
  fc.record({ type: fc.constantFrom('json' as const, 'error-json' as const), value: json }),
  fc.constant({ type: 'execution-denied' as const, reason: 'no' }),
  fc.record({
    type: fc.constant('content' as const),
    value: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text: words }),
        fc.constant({ type: 'image-data' as const, data: 'AAAA', mediaType: 'image/png' }),
        fc.constant({ type: 'file-url' as const, url: 'https://example.com/a.pdf' }),
      ),
      { minLength: 1 },
    ),
  }),
);
const answerPart = (id: string) =>
  withOptions(
    fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: words }),
      fc.record({ type: fc.constant('reasoning' as const), text: words }),
      fc.record({
        type: fc.constant('tool-call' as const),
        toolCallId: fc.constant(id),
        toolName: fc.constant('look'),
        input: json,
      }),
      fc.constant({ type: 'file' as const, mediaType: 'image/png', data: 'BBBB' }),
    ),
  );
const round = fc.nat({ max: 99 }).chain((id) =>
  fc.record({
    user: fc.array(userPart, { minLength: 1, maxLength: 3 }),
    answer: fc.array(answerPart(`c${id}`), { minLength: 1, maxLength: 3 }),
    result: withOptions(
      fc.record({
        type: fc.constant('tool-result' as const),
        toolCallId: fc.constant(`c${id}`),
        toolName: fc.constant('look'),
        output,
      }),
    ),
  }),
);

describe('a prompt', () => {
  it('comes back as it was, through blocks and through JSON', () => {
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 4 }), (rounds) => {
        const prompt = [
          {
            role: 'system',
            content: 'You help.',
            providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
          },
          ...rounds.flatMap(({ user, answer, result }) => [
            { role: 'user', content: user },
            { role: 'assistant', content: answer },
            { role: 'tool', content: [result] },
          ]),
        ] as LanguageModelV3Prompt;
        const { messages } = requestOf({ prompt }, 'any');
        const kept = messages.map((message) => JSON.parse(JSON.stringify(fromHost(message)))).map(toHost);
        expect(promptOf(kept, prompt)).toEqual(prompt);
      }),
    );
  });

  it('keeps a mark for the cache at its end, and does not take it for something that was said', () => {
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    const plain = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi.' }] };
    const marked: LanguageModelV3Prompt = [{ ...plain, providerOptions }];
    expect(requestOf({ prompt: marked }, 'any').messages).toEqual(requestOf({ prompt: [plain] }, 'any').messages);
    const more = [
      { role: 'user', content: [{ type: 'text', text: 'Hi.' }] },
      { role: 'assistant', content: [] },
    ];
    expect(promptOf(more, marked).map((message) => message.providerOptions)).toEqual([providerOptions]);
  });
});
