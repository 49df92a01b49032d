import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ReverieError } from '../../errors.ts';
import { ModelFailure } from '../failure.ts';
import type { Model, ModelEvent, ModelRequest, ModelResponse } from '../model.ts';
import { importPackage, openAiCompatibleModel } from './compatible.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Answer = (response: ServerResponse, body: Record<string, unknown>, asked: IncomingMessage) => void | Promise<void>;

/** A loopback server that speaks chat completions as told, and records its requests. */
async function serve(answer: Answer, options: { apiKey?: string; name?: string } = {}) {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer(async (asked, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    bodies.push(body);
    await answer(response, body, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { name = 'ollama/qwen3', ...rest } = options;
  return { model: openAiCompatibleModel({ name, baseUrl, provider: name.split('/')[0]!, ...rest }), bodies, baseUrl };
}

function send(response: ServerResponse, ...chunks: object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks)
    response.write(`data: ${JSON.stringify({ id: 'chat-1', model: 'qwen3:8b', ...chunk })}\n\n`);
}

const delta = (change: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: change, finish_reason: finish }],
});
const toolDelta = (index: number, id: string | undefined, name: string | undefined, json: string) =>
  delta({
    tool_calls: [
      {
        index,
        ...(id !== undefined && { id }),
        type: 'function',
        function: { ...(name && { name }), arguments: json },
      },
    ],
  });
const counted = {
  choices: [],
  usage: { prompt_tokens: 120, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 100 } },
};

function end(response: ServerResponse): void {
  response.end('data: [DONE]\n\n');
}

const request: ModelRequest = {
  system: [{ text: 'Be brief.' }],
  tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object', properties: {} } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  thinking: { kind: 'off' },
  toolChoice: 'auto',
  maxOutputTokens: 1_000,
  cache: { ttl: '5m', breakpoints: [0] },
};

async function play(model: Model, asked = request, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream(asked, { signal })) events.push(event);
  } catch (error) {
    return { events, failure: error as ModelFailure };
  }
  const last = events.at(-1);
  return { events, failure: null, response: last?.kind === 'response' ? last.response : null };
}

async function answerOf(answer: Answer, asked = request): Promise<ModelResponse & { events: ModelEvent[] }> {
  const { model } = await serve(answer);
  const { response, failure, events } = await play(model, asked);
  if (!response) throw failure ?? new Error('no response');
  return { ...response, events };
}

describe('an answer', () => {
  it('streams text, reports blocks, and what it cost', async () => {
    const { model, bodies } = await serve((response) => {
      send(
        response,
        delta({ role: 'assistant', content: 'Hel' }),
        delta({ content: 'lo.' }),
        delta({}, 'stop'),
        counted,
      );
      end(response);
    });
    const { events } = await play(model);
    const content = [{ type: 'text', text: 'Hello.' }];
    expect(events).toEqual([
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo.' },
      { kind: 'block', block: content[0] },
      {
        kind: 'response',
        response: {
          id: 'chat-1',
          model: 'qwen3:8b',
          content,
          stopReason: 'end',
          usage: {
            inputTokens: 20,
            outputTokens: 9,
            cacheReadTokens: 100,
            cacheWriteTokens: 0,
            cacheWriteHourTokens: 0,
          },
        },
      },
    ]);
    expect(bodies[0]).toMatchObject({
      model: 'qwen3',
      max_tokens: 1_000,
      stream_options: { include_usage: true },
      tool_choice: 'auto',
      tools: [{ function: { name: 'Read', parameters: { type: 'object' } } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    });
  });

  it('calls several tools at once, and takes their results', async () => {
    const { model, bodies } = await serve((response) => {
      send(
        response,
        delta({ content: 'Let me look.' }),
        toolDelta(0, 'call_a', 'Read', '{"pa'),
        toolDelta(0, undefined, undefined, 'th":"a"}'),
      );
      send(response, toolDelta(1, 'call_b', 'Read', '{"path":"b"}'), delta({}, 'tool_calls'), counted);
      end(response);
    });
    const { response } = await play(model);
    expect(response!.stopReason).toBe('tools');
    expect(response!.content).toEqual([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'call_a', name: 'Read', input: { path: 'a' } },
      { type: 'tool_use', id: 'call_b', name: 'Read', input: { path: 'b' } },
    ]);
    const results = ['call_a', 'call_b'].map((id) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: [{ type: 'text' as const, text: `of ${id}` }],
    }));
    const messages = [...request.messages, { role: 'assistant' as const, content: response!.content }];
    await play(model, { ...request, messages: [...messages, { role: 'user', content: results }] });
    expect((bodies[1]!.messages as object[]).slice(2)).toMatchObject([
      { role: 'assistant', content: 'Let me look.', tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
      { role: 'tool', tool_call_id: 'call_a', content: 'of call_a' },
      { role: 'tool', tool_call_id: 'call_b', content: 'of call_b' },
    ]);
  });

  it('gives calls their own ids if the server repeats them', async () => {
    const { model } = await serve((response) => {
      send(response, toolDelta(0, 'call_0', 'Read', '{"path":"a"}'), delta({}, 'tool_calls'));
      end(response);
    });
    const ids = [];
    for (let round = 0; round < 3; round++) {
      const [block] = (await play(model)).response!.content;
      ids.push(block?.type === 'tool_use' && block.id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('thinks, and gets its thoughts back', async () => {
    const { model, bodies } = await serve((response) => {
      send(response, delta({ reasoning_content: 'Hm.' }), delta({ content: 'Yes.' }), delta({}, 'stop'));
      end(response);
    });
    const { events, response } = await play(model);
    expect(events[0]).toEqual({ kind: 'thinking', text: 'Hm.' });
    expect(response!.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ]);
    await play(model, {
      ...request,
      messages: [...request.messages, { role: 'assistant', content: response!.content }],
    });
    expect((bodies[1]!.messages as object[]).at(-1)).toMatchObject({ content: 'Yes.', reasoning_content: 'Hm.' });
  });

  it('is counted by us if the server does not', async () => {
    const { usage } = await answerOf((response) => {
      send(response, delta({ content: 'abcdefgh' }), delta({}, 'stop'));
      end(response);
    });
    expect(usage.outputTokens).toBe(2);
    expect(usage.inputTokens).toBeGreaterThan(10);
  });

  it('is requested as JSON with a schema', async () => {
    const { model, bodies } = await serve((response) => {
      send(response, delta({ content: '{}' }), delta({}, 'stop'));
      end(response);
    });
    const answerSchema = { type: 'object' as const, properties: { a: { type: 'string' } } };
    await play(model, { ...request, tools: [], answerSchema });
    expect(bodies[0]).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: answerSchema, strict: false } },
    });
    expect(bodies[0]).not.toHaveProperty('tools');
  });

  it.each<[string, string, string]>([
    ['stop', 'Yes.', 'end'],
    ['length', 'Yes', 'length'],
    ['content_filter', '', 'refusal'],
    ['eos', 'Yes.', 'end'],
  ])('ends: %s', async (finish, said, stopReason) => {
    const found = await answerOf((response) => {
      send(response, delta({ content: said }), delta({}, finish));
      end(response);
    });
    expect(found.stopReason).toBe(stopReason);
  });

  it('leaves out a call that the length cut off, and keeps one with broken input', async () => {
    const broken =
      (finish: string): Answer =>
      (response) => {
        send(response, toolDelta(0, 'call_a', 'Read', '{"path": "a'), delta({}, finish));
        end(response);
      };
    expect(await answerOf(broken('length'))).toMatchObject({ stopReason: 'length', content: [] });
    expect(await answerOf(broken('tool_calls'))).toMatchObject({
      stopReason: 'tools',
      content: [{ type: 'tool_use', name: 'Read', input: { invalid_json: '{"path": "a' } }],
    });
  });
});

describe('a failure', () => {
  const json = (
    status: number,
    message: string,
    more: { headers?: Record<string, string>; code?: string } = {},
  ): Answer => {
    return (response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...more.headers });
      response.end(JSON.stringify({ error: { message, type: 'x', code: more.code ?? null } }));
    };
  };
  it.each<[string, Answer, Partial<ModelFailure>]>([
    [
      'rate limit',
      json(429, 'slow down', { headers: { 'retry-after': '7' } }),
      { failure: 'rate-limited', status: 429, retryAfterMs: 7_000 },
    ],
    ['no credit', json(429, 'no', { code: 'insufficient_quota' }), { failure: 'billing' }],
    ['server', json(500, 'oops'), { failure: 'server', status: 500, retryAfterMs: null }],
    ['overloaded', json(529, 'busy'), { failure: 'overloaded' }],
    ['key', json(401, 'bad key sk-secret-1'), { failure: 'authentication' }],
    ['no such model', json(404, 'model "qwen3" not found'), { failure: 'unknown-model', fix: 'ollama pull qwen3' }],
    ['no such path', json(404, 'page not found'), { failure: 'invalid', fix: expect.stringContaining('/v1') }],
    ['malformed', json(400, 'messages: required'), { failure: 'invalid' }],
    [
      'too long',
      json(400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."),
      { failure: 'too-long', tokensOver: 808 },
    ],
    [
      'too long, by a server that calls it its own fault',
      json(500, 'the request exceeds the available context size'),
      { failure: 'too-long' },
    ],
  ])('is classified: %s', async (_, answer, expected) => {
    const { model } = await serve(answer, { apiKey: 'sk-secret-1' });
    const { failure } = await play(model);
    expect(failure).toBeInstanceOf(ModelFailure);
    expect(failure).toMatchObject(expected);
    expect(failure!.message).not.toContain('sk-secret-1');
  });

  it.each<[string, Answer]>([
    [
      'the connection breaks',
      (response) => {
        send(response, delta({ content: 'Hel' }));
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      'the stream just ends',
      (response) => {
        send(response, delta({ content: 'Hel' }));
        response.end();
      },
    ],
    [
      'a call is half written',
      (response) => {
        send(response, toolDelta(0, 'a', 'Read', '{"pa'));
        response.end();
      },
    ],
    [
      'a call has no input yet',
      (response) => {
        send(response, toolDelta(0, 'a', 'Read', ''));
        response.end();
      },
    ],
  ])('in the middle is a cut: %s', async (_, answer) => {
    const { model } = await serve(answer);
    const { failure, events } = await play(model);
    expect(failure).toMatchObject({ failure: 'cut' });
    expect(events.some((event) => event.kind === 'block' && event.block.type === 'tool_use')).toBe(false);
  });

  it('of the server while it answers is reported as its own', async () => {
    const { model } = await serve((response) => {
      send(response, delta({ content: 'Hel' }));
      response.write(`data: ${JSON.stringify({ error: { message: 'the GPU is gone', type: 'server_error' } })}\n\n`);
      end(response);
    });
    const { failure } = await play(model);
    expect(failure).toMatchObject({ failure: 'server' });
    expect(failure!.message).toContain('the GPU is gone');
  });

  it('to connect names the address and what to start', async () => {
    const { baseUrl } = await serve(() => {});
    await closers.pop()!();
    const model = openAiCompatibleModel({ name: 'ollama/qwen3', baseUrl, provider: 'ollama' });
    const { failure } = await play(model);
    expect(failure).toMatchObject({ failure: 'network' });
    expect(failure!.message).toContain(new URL(baseUrl).host);
    expect(failure!.fix).toContain('ollama serve');
  });

  it('is an interruption when the user interrupts', async () => {
    const controller = new AbortController();
    const { model } = await serve((response) => send(response, delta({ content: 'Hel' })));
    const run = (async () => {
      const kinds: string[] = [];
      try {
        for await (const event of model.stream(request, { signal: controller.signal })) {
          kinds.push(event.kind);
          controller.abort();
        }
      } catch (error) {
        return { kinds, failure: (error as ModelFailure).failure };
      }
      return { kinds, failure: null };
    })();
    expect(await run).toEqual({ kinds: ['text'], failure: 'aborted' });
    expect((await play(model, request, controller.signal)).failure).toMatchObject({ failure: 'aborted' });
  });

  it('to find the package says how to install it', async () => {
    const missing = importPackage(() => Promise.reject(new Error('Cannot find package')));
    await expect(missing).rejects.toBeInstanceOf(ReverieError);
    await expect(missing).rejects.toMatchObject({ code: 'model', fix: 'npm install @ai-sdk/openai-compatible' });
  });
});
