/** Serves memory to the one client that started this process. */

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpPorts } from './connection.ts';
import { createMemoryServer, type ServedMemory } from './server.ts';
import { createStdioTransport, type StdioStreams } from './stdio-transport.ts';
import { watchMemory } from './watch.ts';

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
