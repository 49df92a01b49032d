/** The first answer, given before the server is there: the same that it gives itself, and no other. */

import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import type { Memory } from '../memory/memory.ts';
import { greetFirst } from './greeting.ts';
import { serveOverStdio } from './serve.ts';

const CLIENT = { capabilities: {}, clientInfo: { name: 'tester', version: '1' } };
const initialize = (protocolVersion: string) =>
  `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: { protocolVersion, ...CLIENT } })}\n`;

function streams(text: string) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  stdin.end(text);
  const target = Object.assign(new EventEmitter(), { stdin, stdout, exit: () => undefined as never });
  return { stdin, stdout, target: target as unknown as Parameters<typeof greetFirst>[0] };
}

async function serve({ stdin, stdout }: ReturnType<typeof streams>, answered: string | number | null): Promise<string> {
  const memory = { enabled: true, folders: {}, problems: () => [], list: async () => [] } as unknown as Memory;
  const ports = { memory, heard: () => [], now: () => new Date(), writeProblem: () => undefined };
  await serveOverStdio(ports, { input: stdin, output: stdout, answered, signal: new AbortController().signal });
  return String(stdout.read() ?? '');
}

it.each(SUPPORTED_PROTOCOL_VERSIONS)('is that of the server for version %s, once', async (version) => {
  const greeted = streams(`${initialize(version)}${JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'ping' })}\n`);
  expect(await greetFirst(greeted.target)).toMatchObject({ answered: 7 });
  const early = String(greeted.stdout.read());
  const server = await serve(streams(initialize(version)), null);
  expect(JSON.parse(early)).toEqual(JSON.parse(server));
  // What came along with it is still answered.
  expect(JSON.parse(await serve(greeted, 7))).toMatchObject({ id: 8, result: {} });
});

it.each([
  ['another version', initialize('1999-01-01')],
  ['another request', `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`],
  ['no JSON', 'hello\n'],
  ['nothing', ''],
  ['no client', initialize(LATEST_PROTOCOL_VERSION).replace('clientInfo', 'client')],
])('leaves %s to the server', async (_case, text) => {
  const { stdin, stdout, target } = streams(text);
  expect(await greetFirst(target)).toMatchObject({ answered: null });
  expect(stdout.read()).toBeNull();
  expect(String(stdin.read() ?? '')).toBe(text);
});
