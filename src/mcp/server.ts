/** One MCP server over one memory: what it offers, and how a change reaches the client that is connected to it. */

import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { MCP_LIMITS } from '../limits.ts';
import { createConnection, type McpPorts } from './connection.ts';
import { CAPABILITIES, INSTRUCTIONS, serverInfo } from './greeting.ts';
import { registerPrompts } from './prompts.ts';
import { parseResourceUri } from './resource-uri.ts';
import { registerResources } from './resources.ts';
import { dreamBySampling } from './sampling.ts';
import { registerTools } from './tools/register.ts';
import type { MemoryChange } from './watch.ts';

export interface ServedMemory {
  readonly server: McpServer;
  /** Tells the client, where it asked to be told. */
  notify(change: MemoryChange): void;
}

/** `subscribing`: clients since 2026 name what they want in one request that the entry answers; older ones do it one by one. */
export function createMemoryServer(
  ports: McpPorts,
  options: { subscribing: 'one-by-one' | 'at-the-entry' },
): ServedMemory {
  const server = new McpServer(serverInfo(), { instructions: INSTRUCTIONS, capabilities: CAPABILITIES });
  const connection = createConnection(server, ports);
  // Newer clients take no requests from a server.
  const dream = options.subscribing === 'one-by-one' ? ports.dream : undefined;
  registerTools(server, connection, dreamBySampling(server, { dream, writeProblem: ports.writeProblem }));
  registerResources(server, connection);
  registerPrompts(server, connection);
  const subscribed = new Set<string>();
  if (options.subscribing === 'one-by-one') acceptSubscriptions(server, subscribed);

  return {
    server,
    notify({ listChanged, uris }) {
      if (!server.isConnected()) return;
      // A client that is gone by now is found out by its transport, not here.
      if (listChanged) server.server.sendResourceListChanged().catch(() => undefined);
      for (const uri of uris) {
        const isWanted = options.subscribing === 'at-the-entry' || subscribed.has(uri);
        if (isWanted) server.server.sendResourceUpdated({ uri }).catch(() => undefined);
      }
    },
  };
}

function acceptSubscriptions(server: McpServer, subscribed: Set<string>): void {
  server.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (parseResourceUri(uri) === null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource.', { uri });
    if (subscribed.size >= MCP_LIMITS.subscriptions && !subscribed.has(uri)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `No more than ${MCP_LIMITS.subscriptions} subscriptions.`,
      );
    }
    subscribed.add(uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
}
