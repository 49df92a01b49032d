/** Servers that send without end: the answer is cut off, told in words, and not asked for again. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { openAiCompatibleModel } from './ai-sdk/compatible.ts';
import { anthropicModel } from './anthropic/anthropic.ts';
import { ANSWER_BYTES } from './bounded-answer.ts';
import type { Model, ModelRequest } from './model.ts';
import { streamWithRetry } from './retry.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Flood {
  readonly status?: number;
  readonly type?: string;
  readonly first?: string;
  readonly piece: string;
  readonly packed?: boolean;
}

const FLOODS: Record<string, Flood> = {
  'one event without end': { first: 'data: ', piece: 'x'.repeat(65_536) },
  'white space without end': { piece: ' '.repeat(65_536) },
  'small events without end': { piece: ': waiting\n\n'.repeat(6_000) },
  'a packed answer that unpacks without end': { first: 'data: ', piece: 'x'.repeat(65_536), packed: true },
  'an error without end': { status: 400, type: 'text/plain', piece: 'x'.repeat(65_536) },
};

async function pour(response: ServerResponse, { first = '', piece, packed = false }: Flood): Promise<number> {
  const out = packed ? createGzip() : response;
  if (packed) out.pipe(response);
  const closed = new Promise((resolve) => response.once('close', resolve));
  let sent = 0;
  out.write(first);
  while (!response.destroyed) {
    sent += piece.length;
    if (!out.write(piece)) await Promise.race([once(out, 'drain'), closed]);
    // Anybody who reads on beyond this reads without end.
    if (sent > 4 * ANSWER_BYTES) break;
  }
  out.end();
  return sent;
}

async function flooding(flood: Flood) {
  const poured: Promise<number>[] = [];
  const server = createServer((asked, response) => {
    asked.resume();
    response.on('error', () => undefined);
    const packing = flood.packed ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(flood.status ?? 200, { 'content-type': flood.type ?? 'text/event-stream', ...packing });
    poured.push(pour(response, flood));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, poured };
}

const MODELS: Record<string, (url: string) => Model> = {
  anthropic: (url) => anthropicModel({ name: 'claude-opus-5-5', apiKey: 'not-a-key', baseUrl: url }),
  'ai sdk': (url) => openAiCompatibleModel({ name: 'made/up', provider: 'made', baseUrl: `${url}/v1` }),
};

const REQUEST: ModelRequest = {
  system: [],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  thinking: { kind: 'adaptive' },
  toolChoice: 'auto',
  maxOutputTokens: 1_000,
  cache: { ttl: '5m', breakpoints: [0] },
};
const { signal } = new AbortController();

describe.each(Object.entries(MODELS))('%s', (_, modelAt) => {
  it.each(Object.entries(FLOODS))('cuts off %s', { timeout: 60_000 }, async (_name, flood) => {
    const { url, poured } = await flooding(flood);
    const model = modelAt(url);
    const attempt = () => model.stream(REQUEST, { signal });
    const stream = streamWithRetry(attempt, { signal, limits: LIMITS.retry, sleep: async () => {} });
    const reading = (async () => {
      for await (const _event of stream) {
        // Nothing of it is kept.
      }
    })();
    await expect(reading).rejects.toMatchObject({ failure: 'invalid' });
    expect(poured).toHaveLength(1);
    expect(await poured[0]!).toBeLessThan(2 * ANSWER_BYTES);
  });
});
