/**
 * What the server says of itself, and the first answer of all: a client waits for `initialize` before it does anything else, and the
 * rest of the server takes many times longer to load than that answer takes. So it is given before, and not given again later.
 */

import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { packagePath } from '../base/package-files.ts';

export const INSTRUCTIONS = [
  "Reverie is the user's memory across sessions and agents: plain markdown files that the user owns.",
  '- memory_search: at the start of a task, and whenever the past may matter. It ranks by what bears on the question.',
  '- memory_get: to read a memory that the index or a search names. Use it in place of reading the file.',
  '- memory_list: to see what there is, when the index was cut or the user asks what you remember.',
  '- memory_save: at once, when the user asks you to remember, corrects or confirms something. Never what the project itself shows.',
  '- memory_update: when a memory is right but its text is not any more. What the user said changes only by their newer words: give them as quote.',
  '- memory_forget: when the user asks, or when a memory proved wrong.',
  'Present evidence beats memory. When the user says to ignore memory, act as if it were empty.',
].join('\n');

export const CAPABILITIES = {
  logging: {},
  completions: {},
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { subscribe: true, listChanged: true },
} as const;

export function serverInfo(): { name: string; title: string; version: string } {
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };
  return { name: 'reverie', title: 'Reverie memory', version };
}

/** Versions that begin with `initialize`; asked for another one, the server itself says what it speaks. */
const GREETED_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** A client's first line is short. */
const MOST_BYTES = 65_536;

type GreetedId = string | number;

type Greeting = Pick<NodeJS.Process, 'once' | 'off' | 'exit'> & { readonly stdin: Readable; readonly stdout: Writable };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Greeted {
  /** Of the request that was answered; null when the first line asks for something else. All of the input is still to be read. */
  readonly answered: GreetedId | null;
  /** Until then a signal ends the process: there is nothing to finish yet. */
  takeOver(): void;
}

export async function greetFirst(target: Greeting): Promise<Greeted> {
  const leave = (_name: string, code: number) => target.exit(128 + code);
  for (const signal of SIGNALS) target.once(signal, leave);
  const takeOver = () => {
    for (const signal of SIGNALS) target.off(signal, leave);
  };
  const request = parsedRequest(await firstLine(target.stdin));
  if (request === null) return { answered: null, takeOver };
  const { id, protocolVersion } = request;
  const result = { protocolVersion, capabilities: CAPABILITIES, serverInfo: serverInfo(), instructions: INSTRUCTIONS };
  target.stdout.write(`${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`);
  return { answered: id, takeOver };
}

function parsedRequest(line: string): { readonly id: GreetedId; readonly protocolVersion: string } | null {
  try {
    const { jsonrpc, id, method, params } = JSON.parse(line) as Partial<{
      jsonrpc: unknown;
      id: unknown;
      method: unknown;
      params: { protocolVersion?: unknown; capabilities?: unknown; clientInfo?: { name?: unknown; version?: unknown } };
    }>;
    const protocolVersion = GREETED_VERSIONS.find((version) => version === params?.protocolVersion);
    if (jsonrpc !== '2.0' || method !== 'initialize' || protocolVersion === undefined) return null;
    // Whatever is not quite as it should be is for the server to refuse.
    const { clientInfo, capabilities } = params ?? {};
    const isWhole = typeof clientInfo?.name === 'string' && typeof clientInfo.version === 'string';
    if (!isWhole || typeof capabilities !== 'object' || capabilities === null) return null;
    return typeof id === 'string' || Number.isInteger(id) ? { id: id as GreetedId, protocolVersion } : null;
  } catch {
    return null;
  }
}

/** Put back once it is read, with what came along. */
function firstLine(input: Readable): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const settle = () => {
      input.off('readable', take).off('end', settle).off('error', settle);
      const bytes = Buffer.concat(chunks);
      if (bytes.length > 0) input.unshift(bytes);
      resolve(bytes.toString('utf8').split('\n', 1)[0] ?? '');
    };
    const take = () => {
      for (let chunk = input.read() as Buffer | null; chunk !== null; chunk = input.read() as Buffer | null) {
        chunks.push(Buffer.from(chunk));
      }
      const size = chunks.reduce((sum, { length }) => sum + length, 0);
      if (size > MOST_BYTES || input.readableEnded || chunks.some((chunk) => chunk.includes('\n'))) settle();
    };
    input.on('readable', take).once('end', settle).once('error', settle);
  });
}
