/** The pretended Messages API is itself held to what the real one does: the cache, the refusals, the stream. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createPromptCache } from './messages-cache.ts';
import { objectionTo } from './messages-rules.ts';
import { type MessagesServer, startMessagesServer } from './messages-server.ts';

const mark = { cache_control: { type: 'ephemeral' } };
const text = (words: string, extra = {}) => ({ type: 'text', text: words, ...extra });
const user = (...content: unknown[]) => ({ role: 'user', content });
const request = (messages: unknown[], extra = {}) => ({ model: 'm', max_tokens: 9, messages, ...extra });

let server: MessagesServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

describe('the pretended cache', () => {
  it('reads what the request before it wrote, and writes what is new', () => {
    const use = createPromptCache(() => 0);
    const first = use(request([user(text('a'.repeat(400), mark))]));
    const second = use(request([user(text('a'.repeat(400))), user(text('b'.repeat(400), mark))]));
    expect(first.cache_read_input_tokens).toBe(0);
    expect(first.cache_creation_input_tokens).toBeGreaterThan(100);
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
    expect(second.cache_creation_input_tokens).toBeGreaterThan(100);
    expect(second.input_tokens).toBe(0);
  });

  it('reads nothing after a change in front, after its time, or beyond twenty blocks', () => {
    let now = 0;
    const use = createPromptCache(() => now);
    const blocks = (count: number, last: number) =>
      Array.from({ length: count }, (_, at) => text(`block ${at}`, at === last ? mark : {}));
    use(request([user(...blocks(5, 4))]));
    expect(use(request([user(text('other'), ...blocks(5, 4))])).cache_read_input_tokens).toBe(0);
    expect(use(request([user(...blocks(26, 25))])).cache_read_input_tokens).toBe(0);
    expect(use(request([user(...blocks(5, 4))])).cache_read_input_tokens).toBeGreaterThan(0);
    now = 6 * 60_000;
    expect(use(request([user(...blocks(5, 4))])).cache_read_input_tokens).toBe(0);
  });

  it('tells apart what lives for an hour', () => {
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    const usage = createPromptCache(() => 0)(request([user(text('words', hour), text('more', mark))]));
    const { ephemeral_1h_input_tokens: long, ephemeral_5m_input_tokens: short } = usage.cache_creation;
    expect(long).toBeGreaterThan(0);
    expect(short).toBeGreaterThan(0);
    expect(long + short).toBe(usage.cache_creation_input_tokens);
  });
});

describe('what is refused', () => {
  const use = { type: 'tool_use', id: 't1', name: 'Read', input: {} };
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'x' };
  it.each([
    ['five breakpoints', request([user(...Array.from({ length: 5 }, () => text('a', mark)))]), /maximum of 4/],
    ['empty text', request([user(text(''))]), /non-empty/],
    ['a tool without a result', request([user(text('a')), { role: 'assistant', content: [use] }]), /tool_use/],
    ['a result without a tool', request([user(result)]), /tool_use_id/],
    ['an assistant first', request([{ role: 'assistant', content: 'a' }]), /first message/],
    ['too small a budget', request([user(text('a'))], { thinking: { type: 'enabled', budget_tokens: 9 } }), /1024/],
  ])('%s', (_, body, words) => {
    expect(objectionTo(body)).toMatch(words);
  });

  it('is nothing of a proper pair', () => {
    expect(objectionTo(request([user(text('a')), { role: 'assistant', content: [use] }, user(result)]))).toBeNull();
  });
});

describe('over HTTP', () => {
  const content = [
    { type: 'thinking', thinking: 'hm', signature: 'sig==' },
    { type: 'text', text: 'Where is it? 🦉 Let me look into this.' },
    { type: 'tool_use', id: 't1', name: 'Read', input: { path: '/a "b"', deep: { list: [1, null] } } },
  ];

  it('gives the same message plain and streamed', async () => {
    server = await startMessagesServer(() => ({ content, usage: { output_tokens: 7 } }), { now: () => 0 });
    const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
    const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'hi' }] };
    const plain = await client.messages.create(body);
    const streamed = await client.beta.messages.stream(body).finalMessage();
    expect(plain.content).toEqual(content);
    expect(plain.usage.output_tokens).toBe(7);
    expect(streamed.content).toMatchObject(content);
    expect(streamed.stop_reason).toBe('tool_use');
    expect(server.requests.map(({ path }) => path.replace('?beta=true', ''))).toEqual(['/v1/messages', '/v1/messages']);
  });

  it('counts tokens, knows models, and refuses what does not fit', async () => {
    server = await startMessagesServer(() => ({ content: [] }), { apiKey: 'right', windowTokens: 50, models: ['m'] });
    const client = new Anthropic({ apiKey: 'right', baseURL: server.url, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'x'.repeat(400) }];
    expect((await client.models.retrieve('m')).id).toBe('m');
    const call = (model: string) => client.messages.create({ model, max_tokens: 9, messages });
    await expect(call('m')).rejects.toThrow(/prompt is too long: \d+ tokens > 50 maximum/);
    await expect(call('n')).rejects.toMatchObject({ status: 404 });
    const stranger = new Anthropic({ apiKey: 'wrong', baseURL: server.url, maxRetries: 0 });
    await expect(stranger.models.retrieve('m')).rejects.toMatchObject({ status: 401 });
  });
});

it('goes on after a request that was cut short', async () => {
  server = await startMessagesServer(() => ({ content: [text('Done.')] }));
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write('POST /v1/messages HTTP/1.1\r\nhost: test\r\ncontent-length: 100\r\n\r\n{');
  await pause(20);
  socket.destroy();
  await once(socket, 'close');
  const answer = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(request([user(text('hi'))])),
  });
  expect(answer.status).toBe(200);
  expect(server.requests).toHaveLength(1);
});
