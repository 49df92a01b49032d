/** The MCP server as clients use it: the official client, both transports, both generations of the protocol. */

import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, type TestContext } from 'vitest';
import { scriptedModel } from '../../src/model/scripted.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { BINARY, createMcpPlace, eventually, type McpPlace, type Started } from '../support/mcp-process.ts';

/** For tests that run side by side, on a machine that does much else. */
const BUSY_MS = 90_000;

interface Scene extends McpPlace {
  createClient(generation: (typeof GENERATIONS)[number]): Client;
  startHttp(): Promise<Listening>;
}

/** A home, processes and clients of a test's own, gone when it ends: tests run side by side. */
function createScene(onTestFinished: TestContext['onTestFinished']): Scene {
  const place = createMcpPlace();
  const clients: Client[] = [];
  onTestFinished(async () => {
    for (const client of clients) await client.close();
    await place.clear();
  });
  return {
    ...place,
    createClient(generation) {
      const mode = generation === 'begins with initialize' ? 'legacy' : { pin: '2026-07-28' };
      const client = new Client({ name: 'scenario', version: '1' }, { versionNegotiation: { mode } });
      clients.push(client);
      return client;
    },
    async startHttp() {
      const started = place.start('mcp', '--http');
      const config = await eventually(() => /^\{[\s\S]*^\}/m.exec(started.stderr())?.[0]);
      const { url, headers } = JSON.parse(config).mcpServers.reverie;
      return { started, url, port: Number(new URL(url).port), token: headers.Authorization.replace('Bearer ', '') };
    },
  };
}

const GENERATIONS = ['begins with initialize', 'sends its version with each request'] as const;
const TOOLS = ['memory_search', 'memory_get', 'memory_list', 'memory_save', 'memory_update', 'memory_forget'];
const SAVED = {
  type: 'feedback',
  name: 'No mocks',
  description: 'Tests run against the real database',
  body: 'Never mock the database in tests: mocks hid a broken migration.',
  source: 'said',
} as const;
const INDEX = 'reverie://index/project';

interface Listening {
  readonly started: Started;
  readonly url: string;
  readonly port: number;
  readonly token: string;
}

function httpTransport({ url, token }: Listening): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
}

/** Saves, finds, is told what others change, and forgets. */
async function useMemory(place: McpPlace, client: Client, generation: (typeof GENERATIONS)[number]): Promise<void> {
  const told: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('list'));
  if (generation === 'begins with initialize') await client.subscribeResource({ uri: INDEX });
  else await client.listen({ resourcesListChanged: true, resourceSubscriptions: [INDEX] });

  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS);
  const saved = await client.callTool({ name: 'memory_save', arguments: SAVED });
  expect(saved.structuredContent).toMatchObject({ file: 'feedback_no-mocks.md' });
  const found = await client.callTool({ name: 'memory_search', arguments: { query: 'mock the database in tests?' } });
  expect(found.structuredContent).toMatchObject({ outcome: 'certain' });
  await eventually(() => told.includes(INDEX) && told.includes('list'));

  const elsewhere = await place.openElsewhere();
  expect(await elsewhere.log()).toMatchObject([{ who: 'agent', why: 'saved over MCP by scenario 1' }]);
  told.length = 0;
  await elsewhere.save({ ...SAVED, type: 'reference', name: 'Boards' });
  await eventually(() => told.includes(INDEX) && told.includes('list'));
  expect(told).not.toContain('reverie://memory/project/reference_boards.md');
  const { contents } = await client.readResource({ uri: INDEX });
  expect(JSON.stringify(contents)).toContain('reference_boards.md');

  const forget = { name: 'memory_forget', arguments: { file: 'feedback_no-mocks.md', reason: 'test' } };
  expect((await client.callTool(forget)).isError).not.toBe(true);
  expect(await client.callTool(forget)).toMatchObject({ isError: true });
}

describe.concurrent.each(GENERATIONS)('a client that %s', { timeout: BUSY_MS }, (generation) => {
  it('uses memory over standard input and output', async ({ onTestFinished }) => {
    const place = createScene(onTestFinished);
    const client = place.createClient(generation);
    const { cwd, env } = place;
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [BINARY, 'mcp'], cwd, env }));
    expect(client.getInstructions()).toContain('memory_search');
    await useMemory(place, client, generation);
  });

  it('uses memory over HTTP', async ({ onTestFinished }) => {
    const place = createScene(onTestFinished);
    const client = place.createClient(generation);
    await client.connect(httpTransport(await place.startHttp()));
    await useMemory(place, client, generation);
  });
});

it.concurrent('takes a rule for the user’s only where a hook saw them type it, and a made-up quote for nothing', {
  timeout: BUSY_MS,
}, async ({ onTestFinished }) => {
  const place = createScene(onTestFinished);
  const client = place.createClient('sends its version with each request');
  await client.connect(httpTransport(await place.startHttp()));
  const save = async (more: Record<string, unknown> = {}) =>
    (await client.callTool({ name: 'memory_save', arguments: { ...SAVED, ...more } })).structuredContent;
  const recalled = async () => {
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'mock the database in tests?' } });
    return JSON.stringify(found.content);
  };
  expect(await save()).toMatchObject({
    outcome: 'saved',
    source: 'inferred',
    warnings: expect.arrayContaining([expect.stringContaining('reverie memory confirm project:feedback_no-mocks.md')]),
  });
  expect(await recalled()).toContain('The user has not confirmed it');
  const quote = 'No mocks: never mock the database in tests, mocks hid a broken migration.';
  expect(await save({ quote })).toMatchObject({ outcome: 'duplicate', source: 'inferred' });
  const other = { name: 'Clock', description: 'Never mock the clock in tests', body: 'Never mock the clock in tests.' };
  expect(await save({ ...other, quote: other.body })).toMatchObject({ outcome: 'saved', source: 'inferred' });
  await tellHook(place, `Remember this.\n\n${other.body}`);
  expect(await save({ ...other, quote: other.body })).toMatchObject({ outcome: 'duplicate', source: 'inferred' });
  await tellHook(place, `Remember: ${quote} Tests run against the real database.`);
  expect(await save({ quote })).toMatchObject({ outcome: 'confirmed', source: 'said', file: 'feedback_no-mocks.md' });
  expect(await recalled()).not.toContain('The user has not confirmed it');
  const sources = (await (await place.openElsewhere()).list()).map(({ name, source }) => `${name}: ${source}`);
  expect(sources.toSorted()).toEqual(['Clock: inferred', 'No mocks: said']);
});

/** What the user types in a coding agent beside it. */
async function tellHook(place: McpPlace, prompt: string): Promise<void> {
  const { child, ended } = place.start('hook', 'claude-code', 'UserPromptSubmit');
  const transcripts = join(place.env.HOME!, '.claude', 'projects');
  mkdirSync(transcripts, { recursive: true });
  const transcript_path = join(transcripts, 's1.jsonl');
  const payload = { session_id: 's1', cwd: place.cwd, hook_event_name: 'UserPromptSubmit', prompt, transcript_path };
  child.stdin!.end(JSON.stringify(payload));
  await ended;
  appendFileSync(transcript_path, `${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`);
}

const initialize = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});
const answers = (started: Started) =>
  started
    .stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { id: number | null; error?: { code: number } });

describe.concurrent('over standard input and output', { timeout: BUSY_MS }, () => {
  it('lives through whatever is no message, and says what was wrong with it', async ({ onTestFinished }) => {
    const place = createScene(onTestFinished);
    const started = place.start('mcp');
    const write = (text: string | Buffer) => started.child.stdin!.write(text);
    write('{"jsonrpc":"2.0","id":1,"met\n');
    write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
    write('[]\n"text"\nnull\n[[[[[[[[\n{"jsonrpc":"1.0"}\n{"jsonrpc":"2.0","id":{},"method":5}\n');
    write(`{"jsonrpc":"2.0","id":2,"method":"${'x'.repeat(3_000_000)}"}\n`);
    write(`${'['.repeat(100_000)}\n`);
    write(`${JSON.stringify(initialize(7))}\n`);
    write('{"jsonrpc":"2.0","id":8,"method":"no/such"}\n');
    write('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"__proto__","arguments":[]}}\n');
    write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}\n');
    write('{"jsonrpc":"2.0","id":10,"method":"ping"}\n{"jsonrpc":"2.0","id":11,"met');
    await eventually(() => answers(started).some(({ id }) => id === 10));
    const codes = answers(started).flatMap(({ id, error }) => (id === null ? [error?.code] : []));
    expect(codes).toHaveLength(10);
    expect(new Set(codes)).toEqual(new Set([-32700, -32600]));
    expect(answers(started).find(({ id }) => id === 7)).toHaveProperty('result.serverInfo.name', 'reverie');
    expect(answers(started).find(({ id }) => id === 9)).toHaveProperty('error');
    started.child.stdin!.end();
    expect(await started.ended).toEqual({ code: 0, signal: null });
  });

  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at %s', async ([signal, code], { onTestFinished }) => {
    const place = createScene(onTestFinished);
    const started = place.start('mcp');
    started.child.stdin!.write(`${JSON.stringify(initialize(1))}\n`);
    await eventually(() => answers(started).length > 0);
    started.child.kill(signal);
    expect(await started.ended).toEqual({ code, signal: null });
  });
});

describe('over standard input and output', () => {
  // The server waits only so long for its last answers: nothing runs beside this one.
  it('answers what was asked before the client closed its end, and goes', async ({ onTestFinished }) => {
    const place = createScene(onTestFinished);
    const started = place.start('mcp');
    const save = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'memory_save', arguments: SAVED } };
    started.child.stdin!.end(`${JSON.stringify(initialize(1))}\n${JSON.stringify(save)}\n`);
    expect(await started.ended).toEqual({ code: 0, signal: null });
    // Where the disk is slow, word of the new memory goes out before the answer: that is no answer.
    expect(answers(started).flatMap(({ id }) => id ?? [])).toEqual([1, 2]);
    expect(await (await place.openElsewhere()).list()).toHaveLength(1);
  });
});

describe.concurrent('over HTTP', { timeout: BUSY_MS }, () => {
  interface Asked {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Record<string, string | undefined>;
    readonly body?: string | Buffer;
  }

  function ask({ port, token }: Listening, asked: Asked): Promise<{ status: number; headers: object; body: string }> {
    const { method = 'POST', path = '/mcp', body = '' } = asked;
    const headers = Object.fromEntries(
      Object.entries({
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...asked.headers,
      }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    return new Promise((resolve, reject) => {
      const sending = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
      });
      // The server may have answered and hung up before the whole body was sent.
      sending.on('error', (error) => setTimeout(() => reject(error), 500));
      sending.end(body);
    });
  }

  it('refuses pages, strangers, giants and nonsense, and serves on', async ({ onTestFinished }) => {
    const place = createScene(onTestFinished);
    const server = await place.startHttp();
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const cases: readonly [status: number, asked: Asked][] = [
      [401, { headers: { authorization: undefined } }],
      [401, { headers: { authorization: 'Bearer wrong' } }],
      [403, { headers: { host: `evil.example:${server.port}` } }],
      [403, { headers: { origin: 'https://evil.example' } }],
      [403, { headers: { 'sec-fetch-site': 'cross-site' } }],
      [404, { path: '/' }],
      [405, { method: 'OPTIONS' }],
      [404, { headers: { 'mcp-session-id': 'made-up' }, body: ping }],
      [400, { body: ping }],
      [400, { body: '{"jsonrpc":' }],
      [400, { body: '' }],
      [400, { method: 'GET' }],
      [415, { headers: { 'content-type': 'text/plain' }, body: ping }],
      [413, { body: 'x'.repeat(1_048_577) }],
      [413, { headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(1_048_577) }],
    ];
    for (const [status, asked] of cases) {
      const answer = await ask(server, asked);
      expect([answer.status, asked]).toEqual([status, asked]);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.body).not.toContain(server.token);
    }
    const client = place.createClient('begins with initialize');
    await client.connect(httpTransport(server));
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
  });

  it('lives through sockets that speak no HTTP, stop half-way or hang up', async ({ onTestFinished }) => {
    const place = createScene(onTestFinished);
    const server = await place.startHttp();
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n`;
    const openings = [
      'nonsense\r\n\r\n',
      '\u0000\u0001\u0002',
      `${head}Content-Length: 100\r\n\r\n{"jsonrpc"`,
      `${head}Content-Length: -5\r\n\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
      `${head}X: ${'x'.repeat(100_000)}\r\n\r\n`,
      'GET /mcp HTTP/1.1\r\n\r\n',
    ];
    const speak = async (opening: string) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(opening);
      // Some are hung up on at once, the others are given a moment and then hang up themselves.
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
        setTimeout(resolve, 100);
      });
      socket.destroy();
    };
    await Promise.all(openings.map(speak));
    expect((await ask(server, { body: 'no JSON' })).status).toBe(400);
    server.started.child.kill('SIGINT');
    expect(await server.started.ended).toEqual({ code: 130, signal: null });
    expect(server.started.stderr()).not.toContain(' at ');
  });

  it('keeps the sessions of two clients apart, and ends at a signal although they listen', async ({
    onTestFinished,
  }) => {
    const place = createScene(onTestFinished);
    const server = await place.startHttp();
    const [one, other] = [place.createClient('begins with initialize'), place.createClient('begins with initialize')];
    await one.connect(httpTransport(server));
    await other.connect(httpTransport(server));
    const told: string[] = [];
    for (const [name, client] of [['one', one] as const, ['other', other] as const]) {
      client.setNotificationHandler('notifications/resources/updated', () => void told.push(name));
      client.setNotificationHandler('notifications/resources/list_changed', () => void told.push(`${name}: list`));
    }
    await one.subscribeResource({ uri: INDEX });
    await other.callTool({ name: 'memory_save', arguments: SAVED });
    await eventually(() => told.includes('one') && told.includes('one: list') && told.includes('other: list'));
    expect(told).not.toContain('other');
    server.started.child.kill('SIGTERM');
    expect(await server.started.ended).toEqual({ code: 143, signal: null });
  });

  it.for([
    [['--port', '8000'], '--http'],
    [['--http', '--port', '70000'], '65535'],
  ] as const)('refuses %j', async ([parameters, mention], { onTestFinished }) => {
    const place = createScene(onTestFinished);
    const started = place.start('mcp', ...parameters);
    expect((await started.ended).code).toBe(2);
    expect(started.stderr()).toContain(mention);
  });

  it('says which port is in use', async ({ onTestFinished }) => {
    const place = createScene(onTestFinished);
    const { port } = await place.startHttp();
    const second = place.start('mcp', '--http', '--port', String(port));
    expect((await second.ended).code).toBe(2);
    expect(second.stderr()).toContain(`Port ${port} is in use`);
  });
});

describe.concurrent('the other commands', { timeout: BUSY_MS }, () => {
  it('start without the SDK', async ({ onTestFinished }) => {
    const place = createScene(onTestFinished);
    const refuse = `export async function resolve(name, context, next) {
      if (name.startsWith('@modelcontextprotocol/')) throw new Error('loaded ' + name);
      return next(name, context);
    }`;
    const hook = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(refuse)}`)});`;
    const run = (...parameters: string[]) =>
      promisify(execFile)(
        process.execPath,
        ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, BINARY, ...parameters],
        { cwd: place.cwd, env: place.env },
      );
    await run('memory', 'list');
    await run('mcp', '--help');
    await expect(run('mcp', '--http')).rejects.toThrow('loaded @modelcontextprotocol/');
  });
});

it('finds what the user typed in an earlier session, where that is asked for', {
  timeout: BUSY_MS,
}, async (context) => {
  const scene = createScene(context.onTestFinished);
  const { cwd, env } = scene;
  const model = scriptedModel({ answer: () => ({ text: 'The harbour cluster, I see.' }) });
  const agent = await openAgent({ cwd, home: env.REVERIE_HOME!, env, model });
  for await (const _event of agent.send('Deploys to the harbour cluster go through Marta.'));
  await agent.close();
  const client = scene.createClient('begins with initialize');
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BINARY, 'mcp'], cwd, env }));
  const query = 'harbour cluster deploys';
  const search = (more: object) => client.callTool({ name: 'memory_search', arguments: { query, ...more } });
  expect((await search({ includeTranscripts: true })).structuredContent).toMatchObject({
    typed: [{ text: 'Deploys to the harbour cluster go through Marta.', session: agent.sessionId }],
  });
  expect((await search({})).structuredContent).not.toHaveProperty('typed');
});
