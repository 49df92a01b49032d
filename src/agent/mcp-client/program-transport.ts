/**
 * MCP with a program over its standard input and output. The SDK's own transport starts it in our process group, ends the
 * connection at a message that is too long, and leaves behind what the program started; this one does none of that.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Limits } from '../../limits.ts';
import { createOutputBuffer } from '../tools/shell/output-buffer.ts';
import type { ProgramPlan } from './server-plan.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** Characters kept of the end of what a server wrote to its standard error. */
const ERROR_CHARACTERS = 2_000;

export interface TransportPorts {
  readonly limits: Limits['mcpServers'];
  /** The SDK's own check of a message; throws. */
  parse(value: unknown): JSONRPCMessage;
  /** A message was longer than we take: whoever waits for it waits in vain. */
  onTooLong(): void;
}

export interface ProgramTransport extends Transport {
  /** Once it is over: how the program ended, if not by us, and what it last wrote that was no message. */
  lastWords(): string;
  kill(): void;
}

export function createProgramTransport(plan: ProgramPlan, ports: TransportPorts): ProgramTransport {
  const { limits } = ports;
  const errors = createOutputBuffer(ERROR_CHARACTERS);
  let strayLine = '';
  let strayBytes = 0;
  let server: ServerProcess | null = null;
  let closing: Promise<void> | null = null;
  let ownEnd = '';

  const read = createLineReader({
    maxBytes: limits.messageBytes,
    onLine(line) {
      const message = messageIn(line, ports.parse);
      if (message !== null) return transport.onmessage?.(message);
      strayLine = line.slice(0, ERROR_CHARACTERS);
      strayBytes += line.length;
      if (strayBytes > limits.floodBytes) void close();
    },
    onTooLong: ports.onTooLong,
  });

  function close(): Promise<void> {
    closing ??= (server?.stop() ?? Promise.resolve()).then(() => transport.onclose?.());
    return closing;
  }

  const transport: ProgramTransport = {
    async start() {
      if (closing !== null) throw new Error('The connection was given up.');
      // Throws on the spot where the system cannot even try: a command line that is too long.
      server = startServerProcess(plan, {
        killGraceMs: limits.killGraceMs,
        onOutput: read,
        onErrorOutput: errors.add,
        onEnd(how) {
          if (closing === null) ownEnd = how;
          // What it started may still run, and would outlive us.
          void close();
        },
      });
      await server.started;
    },
    async send(message) {
      if (server === null || closing !== null) throw new Error('The server has ended.');
      const { write, ended } = server;
      await write(`${JSON.stringify(message)}\n`).catch(async (error: unknown) => {
        // A program that has gone reads no more; why it went is told by its end, which may come a moment later.
        const isOver = await endsWithin(ended, limits.killGraceMs);
        throw isOver ? Object.assign(new Error('The server has ended.'), { code: 'CONNECTION_CLOSED' }) : error;
      });
    },
    close,
    kill: () => server?.kill(),
    lastWords() {
      if (closing === null) return '';
      const said = errors.text().trim();
      return [
        ownEnd === '' ? '' : `It ended with ${ownEnd}.`,
        said === '' ? '' : `It said: ${said}`,
        strayLine === '' ? '' : `It wrote to its standard output, where only messages belong: ${strayLine}`,
      ]
        .filter((part) => part !== '')
        .join(' ');
    },
  };
  return transport;
}

async function endsWithin(ended: Promise<void>, withinMs: number): Promise<boolean> {
  const waiting = new AbortController();
  const late = sleep(withinMs, false, { signal: waiting.signal }).catch(() => false);
  const isOver = await Promise.race([ended.then(() => true), late]);
  waiting.abort();
  return isOver;
}

function messageIn(line: string, parse: (value: unknown) => JSONRPCMessage): JSONRPCMessage | null {
  try {
    return parse(JSON.parse(line));
  } catch {
    return null;
  }
}

// Splits what a server writes into lines; one that is too long is skipped while it arrives, and the next one is read.

interface LinePorts {
  readonly maxBytes: number;
  onLine(line: string): void;
  onTooLong(): void;
}

const NEWLINE = 0x0a;

export function createLineReader({ maxBytes, onLine, onTooLong }: LinePorts): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;

  function take(part: Buffer): void {
    const wasTooLong = bytes > maxBytes;
    bytes += part.length;
    if (bytes <= maxBytes) {
      if (part.length > 0) parts.push(part);
      return;
    }
    parts = [];
    // At once: whoever waits for this line need not wait for its end.
    if (!wasTooLong) onTooLong();
  }

  function finish(): void {
    const line = bytes > maxBytes ? '' : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    bytes = 0;
    if (line !== '') onLine(line);
  }

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      finish();
      from = at + 1;
    }
    take(chunk.subarray(from));
  };
}
