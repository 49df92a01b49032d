/** Whole calls over HTTP with the real SDK: what is sent, what comes back, and how it fails. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MessagesServer, type ServerOptions, startMessagesServer } from '../../../test/support/messages-server.ts';
import type { ContentBlock, Message } from '../../conversation/message.ts';
import { LIMITS } from '../../limits.ts';
import type { ModelFailure } from '../failure.ts';
import type { ModelEvent, ModelRequest, ModelResponse } from '../model.ts';
import { streamWithRetry } from '../retry.ts';
import { anthropicModel } from './anthropic.ts';
import { INVALID_JSON_KEY, invalidJsonOf } from './block.ts';

const KEY = 'sk-ant-test-0123456789';
let server: MessagesServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

type Answer = Parameters<typeof startMessagesServer>[0];

async function start(answer: Answer, options: ServerOptions & { name?: string; key?: string } = {}) {
  const { name = 'claude-opus-5-5', key = KEY, ...serverOptions } = options;
  server = await startMessagesServer(answer, serverOptions);
  return { model: anthropicModel({ name, apiKey: key, baseUrl: server.url }), requests: server.requests };
}

const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const text = (words: string) => ({ type: 'text', text: words }) as const;
const signal = new AbortController().signal;

function request(messages: readonly Message[] = [user(text('hi'))], changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: [{ text: 'You help.', endsStaticPart: true }],
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    messages,
    thinking: { kind: 'adaptive' },
    toolChoice: 'auto',
    maxOutputTokens: 8_000,
    cache: { ttl: '5m', breakpoints: [messages.length - 1] },
    ...changes,
  };
}

async function collect(events: AsyncIterable<ModelEvent>) {
  const seen: ModelEvent[] = [];
  let failure: ModelFailure | null = null;
  try {
    for await (const event of events) seen.push(event);
  } catch (error) {
    failure = error as ModelFailure;
  }
  const last = seen.at(-1);
  const response: ModelResponse | null = last?.kind === 'response' ? last.response : null;
  const blocks = seen.flatMap((event) => (event.kind === 'block' ? [event.block] : []));
  const shown = seen.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('');
  return { seen, failure, response, blocks, shown };
}

describe('an answer', () => {
  it('leaves its connection to later ones', async () => {
    const { model } = await start(() => ({ content: [text('a')], delayMs: 2 }));
    for (let times = 0; times < 8; times++) await collect(model.stream(request(), { signal }));
    expect(server!.connections()).toBeLessThan(8);
  });

  it('of plain text comes piece by piece, then as a block, then as the response', async () => {
    const words = 'The owl 🦉 sees well at night, and hears better.';
    const { model, requests } = await start(() => ({ content: [text(words)], usage: { output_tokens: 12 } }));
    const { seen, response, shown, blocks } = await collect(model.stream(request(), { signal }));
    expect(shown).toBe(words);
    expect(seen.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(1);
    expect(blocks).toEqual([text(words)]);
    expect(response).toMatchObject({ content: blocks, stopReason: 'end', model: 'claude-opus-5-5', id: 'msg_0001' });
    expect(response?.usage.outputTokens).toBe(12);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('goes back unchanged: thoughts and signatures, byte for byte', async () => {
    const content = [
      { type: 'thinking', thinking: 'Über “quotes” \\ and \u2028 lines\n', signature: 'EqoB+/==' },
      { type: 'redacted_thinking', data: 'x9/+' },
      { type: 'thinking', thinking: '', signature: 'empty==' },
      { type: 'compaction', content: 'summary', encrypted_content: 'e2==' },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'owls' } },
      { type: 'something_new', data: { deep: [1] } },
      { type: 'tool_use', id: 't1', name: 'Read', input: { path: '/a', lines: [1, 2] } },
    ];
    const { model, requests } = await start((_, index) => ({ content: index === 0 ? content : [text('ok')] }));
    const first = await collect(model.stream(request(), { signal }));
    expect(first.failure).toBeNull();
    const messages: Message[] = [
      user(text('hi')),
      { role: 'assistant', content: first.response!.content },
      user({ type: 'tool_result', tool_use_id: 't1', content: [text('done')] }),
    ];
    await collect(model.stream(request(messages), { signal }));
    expect(JSON.stringify(requests[1]?.body.messages[1])).toBe(JSON.stringify({ role: 'assistant', content }));
    expect(first.seen.filter(({ kind }) => kind === 'thinking')).not.toEqual([]);
  });

  it('with several tools gives each when it is complete', async () => {
    const uses = ['a', 'b', 'c'].map((id) => ({ type: 'tool_use', id, name: 'Read', input: { path: `/${id}` } }));
    const { model } = await start(() => ({ content: [text('Looking.'), ...uses] }));
    const { seen, blocks, response } = await collect(model.stream(request(), { signal }));
    expect(blocks).toEqual([text('Looking.'), ...uses]);
    expect(response?.stopReason).toBe('tools');
    expect(seen.at(-1)?.kind).toBe('response');
  });

  it('with broken JSON in a tool’s input is reported as such', async () => {
    const { model } = await start(() => ({
      content: ['{"path": "/a', '[1]', ''].map((rawInput, at) => ({
        type: 'tool_use',
        id: `${at}`,
        name: 'Read',
        rawInput,
      })),
    }));
    const { blocks } = await collect(model.stream(request(), { signal }));
    const inputs = blocks.map((block) => (block.type === 'tool_use' ? block.input : null));
    expect(inputs).toEqual([{ [INVALID_JSON_KEY]: '{"path": "/a' }, { [INVALID_JSON_KEY]: '[1]' }, {}]);
    expect(inputs.map((input) => invalidJsonOf(input!))).toEqual(['{"path": "/a', '[1]', null]);
  });

  it.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'window'],
    ['pause_turn', 'pause'],
    ['refusal', 'refusal'],
    ['stop_sequence', 'end'],
    ['something_new', 'end'],
  ])('that stops for %s', async (stopReason, expected) => {
    const { model } = await start(() => ({ content: [text('a')], stopReason }));
    expect((await collect(model.stream(request(), { signal }))).response?.stopReason).toBe(expected);
  });
});

describe('a request', () => {
  it('carries images and documents in tool results', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const;
    const pdf = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
      title: 'Plan',
    } as const;
    const { model, requests } = await start(() => ({ content: [text('seen')] }));
    const content = [text('two files'), image, pdf];
    const { failure } = await collect(
      model.stream(
        request([
          user(text('look')),
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
          user({ type: 'tool_result', tool_use_id: 't', content, is_error: true }),
        ]),
        { signal },
      ),
    );
    expect(failure).toBeNull();
    expect(requests[0]?.body.messages[2].content[0]).toMatchObject({ tool_use_id: 't', content, is_error: true });
  });

  it('reads from the cache what the one before it wrote, and distinguishes hours from minutes', async () => {
    const { model } = await start(() => ({ content: [text('a'.repeat(400))] }), { now: () => 0 });
    const cache = (last: number) => ({ cache: { ttl: '1h' as const, breakpoints: [last] } });
    const messages: Message[] = [user(text('q'.repeat(4_000)))];
    const first = await collect(model.stream(request(messages, cache(0)), { signal }));
    const more = [...messages, { role: 'assistant' as const, content: first.response!.content }, user(text('go on'))];
    const second = await collect(model.stream(request(more, cache(2)), { signal }));
    const [written, read] = [first.response!.usage, second.response!.usage];
    expect(written.cacheWriteTokens).toBeGreaterThan(1_000);
    expect(written.cacheWriteHourTokens).toBe(written.cacheWriteTokens);
    expect(read.cacheReadTokens).toBe(written.cacheWriteTokens);
    expect(read.inputTokens).toBe(0);
  });

  it('names its betas, and reports what the server cleared', async () => {
    const applied = [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 3, cleared_input_tokens: 9_000 }];
    const { model, requests } = await start(
      () => ({ content: [text('a')], contextManagement: { applied_edits: applied } }),
      { name: 'claude-sonnet-4-5[1m]' },
    );
    const contextEdits = [{ type: 'clear_tool_uses_20250919' }];
    const { response } = await collect(model.stream(request(undefined, { contextEdits }), { signal }));
    expect(response?.appliedEdits).toEqual(applied);
    expect(requests[0]?.headers['anthropic-beta']).toBe('context-1m-2025-08-07,context-management-2025-06-27');
    expect(requests[0]?.body.model).toBe('claude-sonnet-4-5');
  });

  it('writes nothing to the console, whatever the model', async () => {
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name));
    try {
      const { model } = await start(() => ({ content: [text('a')] }), { name: 'claude-sonnet-4-5' });
      await collect(model.stream(request(), { signal }));
      expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  it('may use a token instead of a key', async () => {
    server = await startMessagesServer(() => ({ content: [text('a')] }), { apiKey: 'token' });
    const model = anthropicModel({ name: 'claude-opus-5-5', authToken: 'token', baseUrl: server.url });
    expect((await collect(model.stream(request(), { signal }))).failure).toBeNull();
    expect(server.requests[0]?.headers.authorization).toBe('Bearer token');
  });
});

describe('a failure', () => {
  it('that is temporary is retried after the time the server asks for', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    const { model, requests } = await start((_, index) =>
      index === 0 ? { status: 529, error, headers: { 'retry-after': '2' } } : { content: [text('ok')] },
    );
    const slept: number[] = [];
    const sleep = async (delayMs: number) => void slept.push(delayMs);
    const attempt = () => model.stream(request(), { signal });
    const { seen, response } = await collect(streamWithRetry(attempt, { signal, limits: LIMITS.retry, sleep }));
    expect(seen[0]).toMatchObject({ kind: 'retry', failure: 'overloaded', attempt: 1, delayMs: 2_000 });
    expect(slept).toEqual([2_000]);
    expect(response?.content).toEqual([text('ok')]);
    expect(requests.map(({ bytes }) => bytes)).toEqual([requests[0]?.bytes, requests[0]?.bytes]);
  });

  const half = [text('first'), text('second block that is never finished')];

  it.each([
    ['the socket dies', { cutAfterEvents: 6 }, 'cut'],
    ['the stream ends early', { endAfterEvents: 6 }, 'cut'],
    [
      'the server is overloaded',
      { failAfterEvents: 6, error: { type: 'overloaded_error', message: 'x' } },
      'overloaded',
    ],
    ['the server breaks', { failAfterEvents: 6, error: { type: 'api_error', message: 'x' } }, 'server'],
  ])('in the middle, when %s, leaves the blocks that were complete', async (_, how, kind) => {
    const { model } = await start(() => ({ content: half, ...how }));
    const { failure, blocks, response } = await collect(model.stream(request(), { signal }));
    expect(failure).toMatchObject({ failure: kind });
    expect(blocks).toEqual([text('first')]);
    expect(response).toBeNull();
  });

  it.each([
    ['overlong', { windowTokens: 20 }, {}, { failure: 'too-long', status: 400 }],
    ['of an unknown model', { models: ['claude-opus-5-5'] }, { name: 'claude-opsu-5-5' }, { failure: 'unknown-model' }],
    ['with a bad key', { apiKey: 'another' }, {}, { failure: 'authentication', status: 401 }],
  ])('of a request that is %s', async (_, options, more, expected) => {
    const { model } = await start(() => ({ content: [] }), { ...options, ...more });
    const { failure } = await collect(model.stream(request(), { signal }));
    expect(failure).toMatchObject(expected);
    expect(`${failure?.message} ${failure?.fix} ${failure?.stack}`).not.toContain(KEY);
    if (failure?.failure === 'too-long') expect(failure.tokensOver).toBeGreaterThan(0);
    if (failure?.failure === 'unknown-model') expect(failure.fix).toContain('claude-opus-5-5');
    if (failure?.failure === 'authentication') expect(failure.fix).toContain('ANTHROPIC_API_KEY');
  });

  it('caused by a key that no header can hold does not show it', async () => {
    const { model } = await start(() => ({ content: [] }), { key: `${KEY}\nmore` });
    const { failure } = await collect(model.stream(request(), { signal }));
    expect(failure?.failure).toBe('authentication');
    expect(`${failure?.message} ${String(failure?.cause)}`).not.toContain('0123456789');
  });

  it('to connect is a network failure', async () => {
    const { model } = await start(() => ({ content: [] }));
    await server?.close();
    const { failure } = await collect(model.stream(request(), { signal }));
    expect(failure).toMatchObject({ failure: 'network', status: null });
  });
});

describe('an abort', () => {
  it.each([
    ['before the first byte', { hang: true } as const],
    ['in the middle', { content: [text('a'), text('b')], hangAfterEvents: 6 }],
  ])('%s ends the call', async (_, answer) => {
    const controller = new AbortController();
    const { model } = await start(() => {
      setTimeout(() => controller.abort(), 50);
      return answer;
    });
    const { failure, response } = await collect(model.stream(request(), { signal: controller.signal }));
    expect(failure).toMatchObject({ failure: 'aborted' });
    expect(response).toBeNull();
  });

  it('in the middle comes after the prompt was counted', async () => {
    const controller = new AbortController();
    const usage = { input_tokens: 3, cache_read_input_tokens: 900, cache_creation_input_tokens: 20 };
    const { model } = await start(() => ({ content: [text('a'), text('b')], usage, hangAfterEvents: 6 }));
    const seen: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of model.stream(request(), { signal: controller.signal })) {
        seen.push(event);
        if (event.kind === 'text') controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ failure: 'aborted' });
    const counted = { inputTokens: 3, cacheReadTokens: 900, cacheWriteTokens: 20 };
    expect(seen[0]).toEqual({ kind: 'usage', usage: expect.objectContaining(counted) });
  });

  it('follows when the reader leaves in the middle', async () => {
    let left: (() => void) | null = null;
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { model } = await start(() => ({ content: [text('a'), text('b')], hangAfterEvents: 6 }));
    server!.onClosedEarly(() => left?.());
    for await (const event of model.stream(request(), { signal })) {
      if (event.kind === 'text') break;
    }
    await gone;
  });

  it('that came before makes no request', async () => {
    const { model, requests } = await start(() => ({ content: [] }));
    const { failure } = await collect(model.stream(request(), { signal: AbortSignal.abort() }));
    expect(failure).toMatchObject({ failure: 'aborted' });
    expect(requests).toEqual([]);
  });
});
