/** The MCP server as the binary starts it: on standard input and output, or on a local port until it is stopped. */

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../base/values.ts';
import { heardByHooks } from '../hooks/run/heard.ts';
import type { Limits } from '../limits.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { Memory } from '../memory/memory.ts';
import type { McpPorts } from './connection.ts';
import type { Greeted } from './greeting.ts';
import { serveOverHttp } from './serve-http.ts';
import { createMemoryServer, type ServedMemory } from './server.ts';
import { createStdioTransport, type StdioStreams } from './stdio-transport.ts';
import { watchMemory } from './watch.ts';

export interface ServeOptions extends Pick<McpPorts, 'searchPast' | 'dream'> {
  readonly memory: Memory;
  readonly home: string;
  readonly userHome: string;
  readonly limits: Pick<Limits, 'gate' | 'index'>;
  /** The name of the agent that is served, under which others can write to it. */
  readonly name?: string | undefined;
  readonly process: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'once' | 'env'>;
  /** What happened before this was loaded. */
  readonly greeted?: Greeted | null;
  writeProblem(problem: string): void;
}

/** Settles when the client has gone or the process was told to stop. */
export async function serveStandardStreams(options: ServeOptions): Promise<void> {
  const { stdin: input, stdout: output } = options.process;
  const { greeted = null } = options;
  const signal = stopSignal(options.process);
  greeted?.takeOver();
  // Nothing is waited for without a name: what the client sent is about to be read.
  const mailbox = options.name === undefined ? undefined : await mailboxOf(options, options.name);
  try {
    const ports = { ...portsOf(options), mailbox, dream: options.dream };
    await serveOverStdio(ports, { input, output, answered: greeted?.answered ?? null, signal });
  } finally {
    await mailbox?.close();
  }
}

/** Settles when the process was told to stop; `onReady` hears where it listens, and with which token. */
export async function serveLocalPort(
  options: ServeOptions & { port: number; onReady(listening: { url: string; token: string }): void },
): Promise<void> {
  const stop = stopSignal(options.process);
  const serving = await serveOverHttp(portsOf(options), { port: options.port });
  options.onReady({ url: serving.url, token: serving.token });
  if (!stop.aborted)
    await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  await serving.close();
}

/** A mailbox that cannot be had is a problem of its own: memory is served all the same. */
async function mailboxOf({ home, writeProblem }: ServeOptions, name: string): Promise<Mailbox | undefined> {
  try {
    const { openMailboxBeside } = await import('../mailbox/beside.ts');
    return await openMailboxBeside({ name, home, onProblem: (problem) => writeProblem(problem.message) });
  } catch (error) {
    writeProblem(`No messages: ${messageOf(error)}`);
    return undefined;
  }
}

function portsOf({ memory, home, userHome, limits, searchPast, writeProblem, process }: ServeOptions): McpPorts {
  const now = () => new Date();
  const facts = { home, userHome, env: process.env, typedCharacters: limits.gate.typedCharacters };
  const heard = () => heardByHooks(facts, now());
  return { memory, searchPast, writeProblem, now, heard, indexLimits: limits.index };
}

// Serves memory to the one client that started this process.

/** Settles when the client has gone or the signal came. */
export async function serveOverStdio(ports: McpPorts, options: StdioStreams & { signal: AbortSignal }): Promise<void> {
  const served = new Set<ServedMemory>();
  const watching = watchMemory(ports.memory, {
    onChange: (change) => {
      for (const each of served) each.notify(change);
    },
    onProblem: ports.writeProblem,
  });
  const transport = createStdioTransport(options);
  const ended = new Promise<void>((resolve) => {
    const handle = serveStdio(
      ({ era }) => {
        const memory = createMemoryServer(ports, { subscribing: era === 'modern' ? 'at-the-entry' : 'one-by-one' });
        served.add(memory);
        return memory.server;
      },
      { transport, onerror: (error) => ports.writeProblem(error.message) },
    );
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      resolve();
    };
    const stop = () => void handle.close().then(resolve, () => resolve());
    if (options.signal.aborted) stop();
    else options.signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await ended;
  } finally {
    watching.close();
  }
}

// One signal for every way a person or a client ends a server.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function stopSignal(target: Pick<NodeJS.Process, 'once'>): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) target.once(name, () => controller.abort());
  return controller.signal;
}
