/** Serves memory over streamable HTTP to programs on this machine that hold the token. */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { LOOPBACK, listenOnLoopback } from '../base/listen-on-loopback.ts';
import { MCP_LIMITS } from '../limits.ts';
import type { McpPorts } from './connection.ts';
import { decideAdmission, MCP_PATH } from './http/guard.ts';
import { createSessions } from './http/sessions.ts';
import { readBody, sendResponse, webRequest } from './http/web-exchange.ts';
import { createMemoryServer } from './server.ts';
import { watchMemory } from './watch.ts';

export interface HttpServing {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/** `port` 0 takes any that is free. */
export async function serveOverHttp(ports: McpPorts, options: { port: number }): Promise<HttpServing> {
  const token = randomBytes(32).toString('base64url');
  const sessions = createSessions(ports);
  const stateless = createMcpHandler(() => createMemoryServer(ports, { subscribing: 'at-the-entry' }).server, {
    legacy: 'reject',
    maxRequestBodySize: MCP_LIMITS.messageBytes,
    maxSubscriptions: MCP_LIMITS.sessions,
    onerror: (error) => ports.writeProblem(error.message),
  });
  const server = createServer({
    requestTimeout: MCP_LIMITS.requestArrivalMs,
    headersTimeout: MCP_LIMITS.requestArrivalMs,
  });
  const port = await listenOnLoopback(server, options.port);
  const origin = `http://${LOOPBACK}:${port}`;

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const admission = decideAdmission(
      { method: incoming.method ?? '', path, headers: incoming.headers },
      { port, token },
    );
    if (admission.kind === 'refuse') return refuse(outgoing, admission.status, admission.reason);
    const body = await readBody(incoming, MCP_LIMITS.messageBytes);
    if (body === null) return refuse(outgoing, 413, `The message is longer than ${MCP_LIMITS.messageBytes} bytes.`);
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const request = webRequest(incoming, { body, origin, signal: gone.signal });
    const isSessionful = await isLegacyRequest(request, undefined, { maxRequestBodySize: MCP_LIMITS.messageBytes });
    await sendResponse(await (isSessionful ? sessions.handle(request) : stateless.fetch(request)), outgoing);
  }

  server.on('request', (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if (outgoing.destroyed) return;
      ports.writeProblem(`A request failed: ${String(error)}`);
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(outgoing, 500, 'Reverie failed.');
    });
  });
  server.on('clientError', (_error, socket) => void socket.destroy());

  const watching = watchMemory(ports.memory, {
    onChange(change) {
      sessions.notify(change);
      if (change.listChanged) stateless.notify.resourcesChanged();
      for (const uri of change.uris) stateless.notify.resourceUpdated(uri);
    },
    onProblem: ports.writeProblem,
  });

  return {
    url: `${origin}${MCP_PATH}`,
    token,
    async close() {
      watching.close();
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      await Promise.all([sessions.close(), stateless.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** No page may read even a refusal, and what is left of a refused body is not waited for. */
function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...challenge });
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}
