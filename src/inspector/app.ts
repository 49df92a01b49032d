/** The inspector's web application: who may ask, what is answered, and the headers that keep every text a text. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { packagePath } from '../base/package-files.ts';
import { isObject, messageOf } from '../base/values.ts';
import { ReverieError } from '../errors.ts';
import { INSPECTOR_LIMITS } from '../limits.ts';
import type { InspectorContext } from './context.ts';
import type { EventSource } from './events.ts';
import { streamEvents } from './events.ts';
import { cookieName, decideAdmission } from './guard.ts';
import { Refusal } from './refusal.ts';
import { agentRoutes } from './routes/agents.ts';
import { dreamRoutes } from './routes/dreams.ts';
import { ledgerRoutes } from './routes/ledger.ts';
import { mapRoutes } from './routes/map.ts';
import { memoryRoutes } from './routes/memories.ts';
import { memoryChanges } from './routes/memory-changes.ts';
import { recallRoutes } from './routes/recall.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { hasTeam, teamRoutes } from './routes/team.ts';

/** Answers a question of the page; what it throws is told with its fix. */
export type Read = (query: Query) => Promise<unknown>;
export type Query = Readonly<Record<string, string>>;
/** Carries out what the user asked for. */
export type Write = (body: Readonly<Record<string, unknown>>) => Promise<unknown>;

export interface Routes {
  readonly reads: Readonly<Record<string, Read>>;
  readonly writes: Readonly<Record<string, Write>>;
}

export interface Secrets {
  readonly port: number;
  readonly ticket: string;
  readonly cookie: string;
  readonly token: string;
}

const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export function inspectorRoutes(context: InspectorContext): Routes {
  const parts = [
    memoryRoutes(context),
    memoryChanges(context),
    sessionRoutes(context),
    ledgerRoutes(context),
    dreamRoutes(context),
    recallRoutes(context),
    agentRoutes(context),
    mapRoutes(context),
    teamRoutes(context),
  ];
  return {
    reads: Object.assign({}, ...parts.map(({ reads }) => reads)) as Routes['reads'],
    writes: Object.assign({}, ...parts.map(({ writes }) => writes)) as Routes['writes'],
  };
}

export function createInspectorApp(
  context: InspectorContext,
  ports: { readonly secrets: () => Secrets; readonly events: EventSource; readonly onUse: () => void },
): Hono {
  const app = new Hono();
  const routes = inspectorRoutes(context);
  let isTicketUsed = false;

  app.use(async (c, next) => {
    const secrets = ports.secrets();
    const url = new URL(c.req.url);
    const admission = decideAdmission(
      {
        method: c.req.method,
        path: url.pathname,
        ticket: url.searchParams.get('ticket'),
        header: (name) => c.req.header(name),
      },
      { ...secrets, ticket: isTicketUsed ? null : secrets.ticket },
    );
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    switch (admission.kind) {
      case 'refuse':
        return c.text(admission.reason, admission.status);
      case 'welcome':
        isTicketUsed = true;
        c.header('set-cookie', `${cookieName(secrets.port)}=${secrets.cookie}; HttpOnly; SameSite=Strict; Path=/`);
        return c.redirect('/', 303);
      case 'admit':
        ports.onUse();
        return url.searchParams.has('ticket') ? c.redirect('/', 303) : next();
    }
  });
  app.get('/', (c) => page(c, 'index.html'));
  app.get('/assets/:name', (c) => page(c, join('assets', c.req.param('name'))));
  app.get('/api/start', (c) => c.json({ ...startFacts(context), token: ports.secrets().token }));
  app.get('/api/events', (c) => streamEvents(c, ports.events));
  app.get('/api/:name', async (c) => {
    const read = Object.hasOwn(routes.reads, c.req.param('name')) ? routes.reads[c.req.param('name')] : undefined;
    if (read === undefined)
      return c.json(problemOf(new Refusal({ status: 404, message: 'There is nothing here.' })), 404);
    return answer(c, () => read(c.req.query()));
  });
  app.post(
    '/api/:name',
    bodyLimit({
      maxSize: INSPECTOR_LIMITS.bodyBytes,
      onError: (c) =>
        c.json(
          problemOf(new Refusal({ status: 413, message: 'The text is too long for the page.', fix: EDITOR })),
          413,
        ),
    }),
    async (c) => {
      const write = Object.hasOwn(routes.writes, c.req.param('name')) ? routes.writes[c.req.param('name')] : undefined;
      if (write === undefined)
        return c.json(problemOf(new Refusal({ status: 404, message: 'There is nothing here.' })), 404);
      return answer(c, async () => {
        if (context.isReadOnly) throw new Refusal({ status: 403, message: 'This page is read-only.', fix: READ_ONLY });
        const body: unknown = await c.req.json().catch(() => null);
        if (!isObject(body)) throw new Refusal({ status: 400, message: 'The request is no JSON object.' });
        return write(body);
      });
    },
  );
  app.notFound((c) => c.text('There is nothing here.', 404));
  app.onError((error, c) => c.json(problemOf(error), 500));
  return app;
}

const EDITOR = 'Edit it with `reverie memory edit`.';
const READ_ONLY = 'Start `reverie serve` without --read-only to change things.';

export function startFacts({ place, memory, isReadOnly, version, files }: InspectorContext) {
  return {
    version,
    project: place.projectRoot,
    home: place.home,
    folders: memory.folders,
    isReadOnly,
    memoryOff: memory.enabled ? null : memory.offReason,
    hasTeam: hasTeam(place),
    isTranscriptOn: place.settings.values.transcripts === 'on',
    files: files.map(({ id, name }) => ({ id, name })),
  };
}

async function answer(c: Context, work: () => Promise<unknown>): Promise<Response> {
  try {
    return c.json((await work()) as object);
  } catch (error) {
    return c.json(problemOf(error), statusOf(error));
  }
}

function problemOf(error: unknown): object {
  const fix = error instanceof ReverieError ? error.fix : '';
  const more = error instanceof Refusal ? error.more : {};
  return { problem: { message: messageOf(error), fix, ...more } };
}

function statusOf(error: unknown): 400 | 403 | 404 | 409 | 413 | 500 {
  if (error instanceof Refusal) return error.status;
  if (!(error instanceof ReverieError)) return 500;
  return error.code === 'not-found' ? 404 : error.code === 'storage' ? 500 : 400;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Of the built page; names are plain, so that none leads elsewhere. */
function page(c: Context, name: string): Response {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (type === undefined || !/^(?:assets[/\\])?[\w-]+(?:\.[\w-]+)*\.\w+$/.test(name))
    return c.text('There is nothing here.', 404);
  try {
    const bytes = readFileSync(join(packagePath('dist/page'), name));
    return c.body(new Uint8Array(bytes), 200, { 'content-type': type });
  } catch {
    return c.text('There is nothing here. Was the package built? `npm run build`', 404);
  }
}
