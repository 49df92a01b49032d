/** The sessions of clients that begin with `initialize`: each has a server of its own, until it is closed or long silent. */

import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { MCP_LIMITS } from '../../limits.ts';
import type { McpPorts } from '../connection.ts';
import { createMemoryServer, type ServedMemory } from '../server.ts';
import type { MemoryChange } from '../watch.ts';

interface Session {
  readonly served: ServedMemory;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastHeardMs: number;
  /** Requests and streams that are open just now. */
  open: number;
}

export interface Sessions {
  handle(request: Request): Promise<Response>;
  notify(change: MemoryChange): void;
  count(): number;
  close(): Promise<void>;
}

export function createSessions(ports: McpPorts): Sessions {
  const sessions = new Map<string, Session>();

  async function begin(): Promise<Session> {
    const served = createMemoryServer(ports, { subscribing: 'one-by-one' });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MCP_LIMITS.messageBytes,
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const session = { served, transport, lastHeardMs: ports.now().getTime(), open: 0 };
    await served.server.connect(transport);
    return session;
  }

  async function end(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.served.server.close().catch((error: unknown) => ports.writeProblem(String(error)));
  }

  /** The idle ones go; when there are still too many, so does the one that was silent longest. */
  async function makeRoom(): Promise<void> {
    const now = ports.now().getTime();
    for (const [id, { lastHeardMs, open }] of sessions) {
      if (open === 0 && now - lastHeardMs > MCP_LIMITS.sessionIdleMs) await end(id);
    }
    while (sessions.size >= MCP_LIMITS.sessions) {
      const [oldest] = [...sessions].sort(([, one], [, other]) => one.lastHeardMs - other.lastHeardMs)[0]!;
      await end(oldest);
    }
  }

  return {
    async handle(request) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) await makeRoom();
      const session = id === null ? await begin() : sessions.get(id);
      if (session === undefined) return sessionGone();
      session.lastHeardMs = ports.now().getTime();
      session.open += 1;
      request.signal.addEventListener('abort', () => (session.open -= 1), { once: true });
      const response = await session.transport.handleRequest(request);
      // Whatever was no `initialize` has got its refusal, and needs no server any more.
      if (id === null && session.transport.sessionId === undefined) await session.served.server.close();
      return response;
    },
    notify(change) {
      for (const { served } of sessions.values()) served.notify(change);
    },
    count: () => sessions.size,
    async close() {
      for (const id of [...sessions.keys()]) await end(id);
    },
  };
}

function sessionGone(): Response {
  const error = { code: -32001, message: 'There is no such session; begin a new one with initialize.' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}
