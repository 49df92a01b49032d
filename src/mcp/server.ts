/** One MCP server over one memory: what it offers, and how a change reaches the client that is connected to it. */

import { readFileSync } from 'node:fs';
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { packagePath } from '../base/package-files.ts';
import { MCP_LIMITS } from '../limits.ts';
import { createConnection, type McpPorts } from './connection.ts';
import { registerPrompts } from './prompts.ts';
import { parseResourceUri } from './resource-uri.ts';
import { registerResources } from './resources.ts';
import { registerTools } from './tools/register.ts';
import type { MemoryChange } from './watch.ts';

const INSTRUCTIONS = [
  "Reverie is the user's memory across sessions and agents: plain markdown files that the user owns.",
  '- memory_search: at the start of a task, and whenever the past may matter. It ranks by what bears on the question.',
  '- memory_get: to read a memory that the index or a search names. Use it in place of reading the file.',
  '- memory_list: to see what there is, when the index was cut or the user asks what you remember.',
  '- memory_save: at once, when the user asks you to remember, corrects or confirms something. Never what the project itself shows.',
  '- memory_update: when a memory is right but its text is not any more. What the user said changes only by their newer words: give them as quote.',
  '- memory_forget: when the user asks, or when a memory proved wrong.',
  'Present evidence beats memory. When the user says to ignore memory, act as if it were empty.',
].join('\n');

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
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };
  const server = new McpServer(
    { name: 'reverie', title: 'Reverie memory', version },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true, listChanged: true },
      },
    },
  );
  const connection = createConnection(server, ports);
  registerTools(server, connection);
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
