/** A server on the loopback that speaks the Messages API, so that stories run over real HTTP with the real SDK. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createPromptCache, promptTokens, tokensOf, type WireUsage } from './messages-cache.ts';
import { eventsOf, type WireBlock, type WireMessage } from './messages-events.ts';
import { objectionTo } from './messages-rules.ts';

const CUT_AFTER_MS = 5;

export interface RecordedRequest {
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed; an empty object where there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent.
  readonly body: any;
  /** As it came. */
  readonly bytes: string;
}

export interface ContentAnswer {
  readonly content: readonly WireBlock[];
  /** Unless given: `tool_use` where there is one, else `end_turn`. */
  readonly stopReason?: string;
  /** Over what the pretended cache says. */
  readonly usage?: Partial<WireUsage> & { readonly output_tokens?: number };
  /** What the server says it cleared. */
  readonly contextManagement?: unknown;
  /** Between two events. */
  readonly delayMs?: number;
  /** After so many events the socket is destroyed. */
  readonly cutAfterEvents?: number;
  /** After so many events the stream ends, politely and too early. */
  readonly endAfterEvents?: number;
  /** After so many events nothing comes any more. */
  readonly hangAfterEvents?: number;
  /** After so many events an `error` event comes. */
  readonly failAfterEvents?: number;
  readonly error?: WireError;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly error: WireError;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WireError {
  readonly type: string;
  readonly message: string;
}

export type ServerAnswer = ContentAnswer | ErrorAnswer | { readonly hang: true };

export interface ServerOptions {
  /** Any other key gets a 401. */
  readonly apiKey?: string;
  /** Longer prompts are refused in the API's words. */
  readonly windowTokens?: number;
  /** Any other model gets a 404. */
  readonly models?: readonly string[];
  /** What the pretended cache's age is measured by. */
  readonly now?: () => number;
  /** Takes requests that the real API would refuse: no pair, empty text, a fifth breakpoint. */
  readonly lenient?: boolean;
}

export interface MessagesServer {
  readonly url: string;
  /** In the order in which they came, other paths among them. */
  readonly requests: RecordedRequest[];
  /** How many were made. */
  connections(): number;
  /** Calls back when a client leaves before its answer is complete. */
  onClosedEarly(listener: () => void): void;
  close(): Promise<void>;
}

/** `index` counts the calls of `answer`: what the server refuses by itself is not asked for. */
export async function startMessagesServer(
  answer: (request: RecordedRequest, index: number) => ServerAnswer | Promise<ServerAnswer>,
  options: ServerOptions = {},
): Promise<MessagesServer> {
  const requests: RecordedRequest[] = [];
  const useCache = createPromptCache(options.now ?? Date.now);
  let asked = 0;
  let connected = 0;
  let onClosedEarly = () => {};

  async function respond(request: RecordedRequest, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, options);
    if (refusal) return sendError(response, refusal);
    const path = request.path.replace(/\?.*/, '');
    if (path.startsWith('/v1/models/')) return sendJson(response, modelInfo(path, options));
    if (path === '/v1/messages/count_tokens') return sendJson(response, { input_tokens: promptTokens(request.body) });
    if (path !== '/v1/messages') return sendError(response, notFound(path));
    const given = await answer(request, asked++);
    if ('hang' in given) return;
    if ('status' in given) return sendError(response, given);
    const message = messageOf(request, given, { index: asked, usage: useCache(request.body) });
    if (request.body.stream === true) return sendEvents(response, message, given);
    if (given.cutAfterEvents !== undefined) return void response.destroy();
    const management = given.contextManagement === undefined ? {} : { context_management: given.contextManagement };
    sendJson(response, { ...message, ...management });
  }

  const server = createServer((incoming, response) => {
    response.on('close', () => {
      if (!response.writableFinished) onClosedEarly();
    });
    const answer = (request: RecordedRequest) => {
      requests.push(request);
      return respond(request, response).catch((error: unknown) => {
        // A throwing answer is a failing expectation of the test: let it be read on the other end.
        const message = `the test's answer threw: ${error instanceof Error ? error.message : error}`;
        if (!response.headersSent) sendError(response, { status: 500, error: { type: 'api_error', message } });
      });
    };
    const wasCutShort = () => undefined;
    void record(incoming).then(answer, wasCutShort);
  });
  // A connection that the server closes in the moment it is used again would fail a test on a busy machine.
  server.keepAliveTimeout = 60_000;
  server.on('connection', () => {
    connected += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connected,
    onClosedEarly: (listener) => {
      onClosedEarly = listener;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bytes = Buffer.concat(chunks).toString('utf8');
  return {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: bytes === '' ? {} : JSON.parse(bytes),
    bytes,
  };
}

function refusalOf(request: RecordedRequest, options: ServerOptions): ErrorAnswer | null {
  const { headers, body } = request;
  const key = headers['x-api-key'] ?? String(headers.authorization ?? '').replace(/^Bearer /, '');
  if (options.apiKey !== undefined && key !== options.apiKey) {
    return { status: 401, error: { type: 'authentication_error', message: 'invalid x-api-key' } };
  }
  if (!request.path.startsWith('/v1/messages')) return null;
  if (options.models && !options.models.includes(body.model)) return notFound(`model: ${body.model}`);
  // Counting tokens takes no max_tokens.
  const objection = options.lenient ? null : objectionTo({ max_tokens: 1, ...body });
  if (objection) return invalid(objection);
  const { windowTokens: window } = options;
  if (window === undefined) return null;
  const tokens = promptTokens(body);
  return tokens > window ? invalid(`prompt is too long: ${tokens} tokens > ${window} maximum`) : null;
}

function invalid(message: string): ErrorAnswer {
  return { status: 400, error: { type: 'invalid_request_error', message } };
}

function notFound(message: string): ErrorAnswer {
  return { status: 404, error: { type: 'not_found_error', message } };
}

function modelInfo(path: string, options: ServerOptions): unknown {
  const id = decodeURIComponent(path.slice('/v1/models/'.length));
  return { type: 'model', id, display_name: id, max_input_tokens: options.windowTokens ?? 200_000, max_tokens: 64_000 };
}

function messageOf(
  request: RecordedRequest,
  answer: ContentAnswer,
  facts: { index: number; usage: WireUsage },
): WireMessage {
  const outputTokens = Math.max(1, tokensOf(Buffer.byteLength(JSON.stringify(answer.content))));
  const hasToolUse = answer.content.some(({ type }) => type === 'tool_use');
  return {
    id: `msg_${String(facts.index).padStart(4, '0')}`,
    type: 'message',
    role: 'assistant',
    model: request.body.model,
    content: answer.content,
    stop_reason: answer.stopReason ?? (hasToolUse ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { ...facts.usage, output_tokens: outputTokens, ...answer.usage },
  };
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_test' });
  response.end(JSON.stringify(value));
}

function sendError(response: ServerResponse, answer: ErrorAnswer): void {
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify({ type: 'error', error: answer.error }));
}

/** What comes between the events, or in their place. */
const INCIDENTS = ['delayMs', 'cutAfterEvents', 'endAfterEvents', 'hangAfterEvents', 'failAfterEvents'] as const;

const framed = (type: string, data: unknown) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

async function sendEvents(response: ServerResponse, message: WireMessage, answer: ContentAnswer): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_test' });
  const isWatched = INCIDENTS.some((name) => answer[name] !== undefined);
  const events = eventsOf(message, { ...answer, isWatched });
  if (!isWatched) return void response.end(events.map((event) => framed(event.type, event)).join(''));
  response.flushHeaders();
  const write = (type: string, data: unknown) =>
    new Promise<void>((resolve) => {
      response.write(framed(type, data), () => resolve());
    });
  for (const [sent, event] of events.entries()) {
    if (response.destroyed) return;
    if (sent === answer.hangAfterEvents) return;
    if (sent === answer.endAfterEvents) break;
    if (sent === answer.cutAfterEvents) {
      // Given a moment, so that what was written has left before the socket dies.
      await pause(CUT_AFTER_MS);
      response.destroy();
      return;
    }
    if (sent === answer.failAfterEvents) {
      await write('error', { type: 'error', error: answer.error });
      break;
    }
    await write(event.type, event);
    if (answer.delayMs) await pause(answer.delayMs);
  }
  response.end();
}
