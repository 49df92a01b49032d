/**
 * MCP over standard input and output. The SDK's own transport ends the connection at a message that is too long, is silent
 * about one that is no JSON, and drops answers that are running when the input ends; this one does none of that.
 */

import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { MCP_LIMITS } from '../limits.ts';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** A request that was answered before the server was there: its answer is not sent again. */
  readonly answered?: string | number | null;
}

const REFUSALS = {
  'too-long': { code: -32600, message: `The message is longer than ${MCP_LIMITS.messageBytes} bytes.` },
  'not-json': { code: -32700, message: 'The message is not JSON.' },
  'not-a-message': { code: -32600, message: 'The message is not a JSON-RPC message.' },
} as const;

/** A subscription has no answer until it is cancelled: nobody waits for it. */
const NEVER_ANSWERED = 'subscriptions/listen';

export function createStdioTransport({ input, output, answered = null }: StdioStreams): Transport {
  const reader = createLineReader(MCP_LIMITS.messageBytes);
  const unanswered = new Set<string | number>();
  let isClosed = false;
  let isEnding = false;
  let isAnswered = answered === null;

  function write(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(serializeMessage(message as JSONRPCMessage), (error) => (error ? reject(error) : resolve()));
    });
  }

  function refuse(reason: keyof typeof REFUSALS): void {
    transport.onerror?.(new Error(REFUSALS[reason].message));
    write({ jsonrpc: '2.0', id: null, error: REFUSALS[reason] }).catch(() => undefined);
  }

  function receive(line: LineMessage): void {
    const message = line.kind === 'message' ? messageIn(line.value) : null;
    if (message === null) {
      refuse(line.kind === 'refused' ? line.reason : 'not-a-message');
      return;
    }
    if (isJSONRPCRequest(message) && message.method !== NEVER_ANSWERED) unanswered.add(message.id);
    // Nobody answers what was cancelled.
    if ('method' in message && message.method === 'notifications/cancelled') {
      unanswered.delete((message.params as { requestId?: string | number } | undefined)?.requestId ?? '');
    }
    transport.onmessage?.(message);
  }

  function onData(chunk: Buffer): void {
    for (const line of reader.read(chunk)) receive(line);
  }

  /** The client reads on after it closed its end: what it asked is answered first. */
  function onEnd(): void {
    if (isEnding) return;
    isEnding = true;
    if (unanswered.size === 0) void transport.close();
    else setTimeout(() => void transport.close(), MCP_LIMITS.drainMs);
  }

  function onError(error: Error): void {
    transport.onerror?.(error);
    void transport.close();
  }

  const transport: Transport = {
    async start() {
      input.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onError);
      // A client that was gone before says so no second time. Whoever starts this hears of it once it has the transport.
      if (input.readableEnded || input.destroyed) setImmediate(onEnd);
    },
    async send(message) {
      if (isClosed) throw new Error('The connection is closed.');
      const isRepeated = !isAnswered && !('method' in message) && message.id === answered;
      if (isRepeated) isAnswered = true;
      else await write(message);
      if (!('method' in message) && message.id !== undefined) unanswered.delete(message.id);
      if (isEnding && unanswered.size === 0) await transport.close();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      input.off('data', onData).pause();
      transport.onclose?.();
    },
  };
  return transport;
}

function messageIn(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}

// Splits a stream of bytes into messages, one a line; a line that is too long is skipped and the next one is read.

type LineMessage =
  | { readonly kind: 'message'; readonly value: unknown }
  /** What it says goes to the client as an error of the protocol. */
  | { readonly kind: 'refused'; readonly reason: 'too-long' | 'not-json' };

interface LineReader {
  /** The messages that are complete with this chunk. A line that never ended is none. */
  read(chunk: Buffer): readonly LineMessage[];
}

const NEWLINE = 0x0a;

export function createLineReader(maxBytes: number): LineReader {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isTooLong = false;

  function take(part: Buffer): void {
    bytes += part.length;
    if (bytes > maxBytes) {
      isTooLong = true;
      parts = [];
    } else if (part.length > 0) parts.push(part);
  }

  function finish(): readonly LineMessage[] {
    const line = isTooLong ? '' : Buffer.concat(parts).toString('utf8').trim();
    const wasTooLong = isTooLong;
    parts = [];
    bytes = 0;
    isTooLong = false;
    if (wasTooLong) return [{ kind: 'refused', reason: 'too-long' }];
    return line === '' ? [] : [parseLine(line)];
  }

  return {
    read(chunk) {
      const messages: LineMessage[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        messages.push(...finish());
        from = at + 1;
      }
      take(chunk.subarray(from));
      return messages;
    },
  };
}

function parseLine(line: string): LineMessage {
  try {
    return { kind: 'message', value: JSON.parse(line) };
  } catch {
    return { kind: 'refused', reason: 'not-json' };
  }
}
