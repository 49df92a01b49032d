/** A whole server behind the transport, and a client that sends whatever it likes. */

import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { unicodeText } from '../../test/support/unicode-text.ts';
import { MCP_LIMITS } from '../limits.ts';
import type { Memory } from '../memory/memory.ts';
import { openMemory } from '../session/open-memory.ts';
import { serveOverStdio } from './serve.ts';
import { createStdioTransport } from './stdio-transport.ts';

let root: string;
let memory: Memory;

beforeEach(async () => {
  root = temporaryFolder('stdio');
  memory = await openMemory({
    directory: join(root, 'notes', 'memory'),
    home: join(root, 'home'),
    cwd: root,
    env: { HOME: root },
  });
});
afterEach(async () => {
  await memory.close();
});

interface Answer {
  readonly id?: number | string | null;
  readonly result?: unknown;
  readonly error?: unknown;
}

function serve() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const ended = serveOverStdio(
    { memory, heard: () => [], now: () => new Date(), writeProblem: () => undefined },
    { input, output, signal: stop.signal },
  );
  const answers: Answer[] = [];
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    answers.push(...lines.map((line) => JSON.parse(line) as Answer));
  });
  return { input, ended, answers, stop: () => stop.abort() };
}

async function answerTo(id: string | number, answers: readonly Answer[]): Promise<Answer> {
  const giveUpAt = Date.now() + 15_000;
  for (;;) {
    const found = answers.find((answer) => answer.id === id);
    if (found) return found;
    if (Date.now() > giveUpAt) throw new Error(`No answer to ${id}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

const line = (message: unknown) => `${JSON.stringify(message)}\n`;

describe('a server on standard input', () => {
  it('ends where the client was gone before the server was there', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.resume().end();
    await vi.waitFor(() => expect(input.readableEnded).toBe(true));
    const ports = { memory, heard: () => [], now: () => new Date(), writeProblem: () => undefined };
    await serveOverStdio(ports, { input, output, signal: new AbortController().signal });
  });

  it('answers after any sequence of broken, odd and hostile frames', async () => {
    const methods = fc.constantFrom(
      'initialize',
      'ping',
      'tools/list',
      'tools/call',
      'resources/read',
      'resources/list',
      'resources/subscribe',
      'prompts/get',
      'completion/complete',
      'logging/setLevel',
      'server/discover',
      'subscriptions/listen',
      'notifications/cancelled',
      'notifications/initialized',
      'no/such',
    );
    const params = fc.option(
      fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.record(
          {
            name: fc.constantFrom('memory_search', 'memory_get', 'recall', '__proto__', ''),
            arguments: fc.dictionary(fc.constantFrom('query', 'file', 'about', 'limit'), fc.jsonValue({ maxDepth: 1 })),
            uri: fc.oneof(fc.constant('reverie://index/project'), fc.string()),
            cursor: fc.string(),
            _meta: fc.jsonValue({ maxDepth: 2 }),
          },
          { requiredKeys: [] },
        ),
      ),
      { nil: undefined },
    );
    const message = fc
      .record({
        id: fc.option(fc.oneof(fc.integer({ min: 1 }), fc.jsonValue({ maxDepth: 1 })), { nil: undefined }),
        method: methods,
        params,
      })
      .map((fields) => line({ jsonrpc: '2.0', ...fields }));
    const cut = fc.tuple(message, fc.nat({ max: 60 })).map(([text, at]) => `${text.slice(0, at)}\n`);
    const noise = unicodeText({ maxLength: 80 }).map((text) => `${text}\n`);
    const frames = fc.array(fc.oneof(message, cut, noise), { maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(frames, async (sent) => {
        const { input, ended, answers } = serve();
        input.write(line(INITIALIZE));
        for (const frame of sent) input.write(frame);
        input.write(line({ jsonrpc: '2.0', id: 'last', method: 'ping' }));
        expect(await answerTo('last', answers)).toMatchObject({ result: {} });
        input.end();
        await ended;
      }),
      { numRuns: 40 },
    );
    expect(await memory.list()).toEqual([]);
  }, 120_000);

  it('stops when told to', async () => {
    const { input, ended, answers, stop } = serve();
    input.write(line(INITIALIZE));
    await answerTo('first', answers);
    stop();
    await ended;
  });
});

describe('the end of the input', () => {
  afterEach(() => void vi.useRealTimers());

  /** Ends the input behind these messages, and says whether the connection closed at once or after the wait. */
  async function closingAfter(...messages: object[]): Promise<'at once' | 'after the wait' | 'never'> {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const [input, output] = [new PassThrough(), new PassThrough()];
    const transport = createStdioTransport({ input, output });
    const heard: unknown[] = [];
    let isClosed = false;
    transport.onmessage = (message) => void heard.push(message);
    transport.onclose = () => {
      isClosed = true;
    };
    await transport.start();
    input.end(messages.map(line).join(''));
    while (!input.readableEnded || heard.length < messages.length) await setImmediate();
    if (isClosed) return 'at once';
    vi.advanceTimersByTime(MCP_LIMITS.drainMs);
    return isClosed ? 'after the wait' : 'never';
  }

  const asked = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it.each([
    ['at once', 'nothing was asked', []],
    ['after the wait', 'an answer never comes', [asked]],
    [
      'at once',
      'the question was cancelled',
      [asked, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ],
    ['at once', 'only a subscription is open', [{ ...asked, method: 'subscriptions/listen' }]],
  ] as const)('closes %s when %s', async (closing, _case, messages) => {
    expect(await closingAfter(...messages)).toBe(closing);
  });
});
