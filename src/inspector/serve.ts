/** The inspector's server as the binary starts it: on the loopback, until it is stopped or nobody used it for long. */

import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { LOOPBACK, listenOnLoopback } from '../base/listen-on-loopback.ts';
import { INSPECTOR_LIMITS } from '../limits.ts';
import { createInspectorApp, type Secrets } from './app.ts';
import type { InspectorContext } from './context.ts';
import { watchPlace } from './events.ts';

export interface Inspector {
  /** With the one-time ticket in it. */
  readonly url: string;
  /** Settles when nobody used it for long. */
  readonly idle: Promise<void>;
  close(): Promise<void>;
}

export async function startInspector(
  context: InspectorContext,
  /** `port` 0 takes any that is free; `idleMs` null keeps it until it is stopped. */
  options: { readonly port: number; readonly idleMs: number | null; readonly onUse?: () => void },
): Promise<Inspector> {
  const secret = () => randomBytes(32).toString('base64url');
  let secrets: Secrets = { port: 0, ticket: secret(), cookie: secret(), token: secret() };
  const events = watchPlace(context);
  let lastUse = Date.now();
  const onUse = () => {
    lastUse = Date.now();
    options.onUse?.();
  };
  const app = createInspectorApp(context, { secrets: () => secrets, events, onUse });
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      requestTimeout: INSPECTOR_LIMITS.requestMs,
      headersTimeout: INSPECTOR_LIMITS.requestMs,
    },
  }) as Server;
  server.on('clientError', (_error, socket) => void socket.destroy());
  try {
    secrets = { ...secrets, port: await listenOnLoopback(server, options.port) };
  } catch (error) {
    events.close();
    throw error;
  }
  const { idleMs } = options;
  let ticking: NodeJS.Timeout | undefined;
  const idle = new Promise<void>((resolve) => {
    if (idleMs === null) return;
    const look = () => Date.now() - lastUse >= idleMs && resolve();
    ticking = setInterval(look, Math.min(idleMs, INSPECTOR_LIMITS.idleLookMs));
  });
  return {
    url: `http://${LOOPBACK}:${secrets.port}/?ticket=${secrets.ticket}`,
    idle,
    async close() {
      clearInterval(ticking);
      events.close();
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
