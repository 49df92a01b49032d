/** Between Node's HTTP server and the web's Request and Response, which the SDK speaks. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Null when the body is larger than allowed; what is left of it is not read. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function webRequest(
  incoming: IncomingMessage,
  options: { body: Buffer; origin: string; signal: AbortSignal },
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const each of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, each);
  }
  const method = incoming.method ?? 'GET';
  const url = new URL(incoming.url ?? '/', options.origin);
  const body = method === 'POST' ? { body: new Uint8Array(options.body) } : {};
  return new Request(url, { method, headers, signal: options.signal, ...body });
}

/** Streams the answer at the pace of its reader, and stops the source when the reader has gone. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, [...response.headers].flat());
  if (response.body === null) return void outgoing.end();
  // An event stream may have nothing to say for long; its reader should know that it is there.
  outgoing.flushHeaders();
  const reader = response.body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go).off('close', go);
      resolve();
    };
    outgoing.once('drain', go).once('close', go);
  });
}
