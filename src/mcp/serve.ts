/** The MCP server as the binary starts it: on standard input and output, or on a local port until it is stopped. */

import { heardByHooks } from '../hooks/run/heard.ts';
import type { Memory } from '../memory/memory.ts';
import type { McpPorts } from './connection.ts';
import { serveOverHttp } from './serve-http.ts';
import { serveOverStdio } from './serve-stdio.ts';
import { stopSignal } from './stop-signal.ts';

export interface ServeOptions extends Pick<McpPorts, 'searchPast'> {
  readonly memory: Memory;
  readonly home: string;
  readonly process: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'once'>;
  writeProblem(problem: string): void;
}

/** Settles when the client has gone or the process was told to stop. */
export async function serveStandardStreams(options: ServeOptions): Promise<void> {
  const { stdin: input, stdout: output } = options.process;
  await serveOverStdio(portsOf(options), { input, output, signal: stopSignal(options.process) });
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

function portsOf({ memory, home, searchPast, writeProblem }: ServeOptions): McpPorts {
  const now = () => new Date();
  return { memory, searchPast, writeProblem, now, heard: () => heardByHooks(home, now()) };
}
