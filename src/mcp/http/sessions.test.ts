import { afterEach, describe, expect, it } from 'vitest';
import { MCP_LIMITS } from '../../limits.ts';
import { describeOff } from '../../memory/off.ts';
import { createSessions, type Sessions } from './sessions.ts';

let nowMs = 0;
let sessions: Sessions;

function open(): Sessions {
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  const ports = {
    memory: describeOff('a test'),
    heard: () => [],
    now: () => new Date(nowMs),
    writeProblem: () => undefined,
  };
  sessions = createSessions(ports);
  return sessions;
}
afterEach(() => sessions.close());

interface Posted {
  readonly body: object;
  readonly session?: string;
  readonly stayOpen?: true;
}

/** A request that was answered and read to its end, unless it is to stay open. */
async function post({ body, session, stayOpen }: Posted): Promise<Response> {
  const exchange = new AbortController();
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  };
  const { signal } = exchange;
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(body), signal });
  const response = await sessions.handle(request);
  if (!stayOpen) {
    await response.text();
    exchange.abort();
  }
  return response;
}

async function begin(more: { stayOpen?: true } = {}): Promise<string> {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const response = await post({ body: { jsonrpc: '2.0', id: 1, method: 'initialize', params }, ...more });
  return response.headers.get('mcp-session-id') ?? '';
}

const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };
const ping = async (session: string) => (await post({ body: PING, session })).status;

describe('the sessions', () => {
  it('begin with initialize, and with nothing else', async () => {
    open();
    expect((await post({ body: PING })).status).toBe(400);
    expect(sessions.count()).toBe(0);
    const id = await begin();
    expect(await ping(id)).toBe(200);
    expect(await ping('made-up')).toBe(404);
  });

  it('give way when there are too many, the one that was silent longest first', async () => {
    open();
    const ids: string[] = [];
    for (let at = 0; at < MCP_LIMITS.sessions; at++) {
      nowMs += 1;
      ids.push(await begin());
    }
    nowMs += 1;
    expect(await ping(ids[0]!)).toBe(200);
    const newest = await begin();
    expect(sessions.count()).toBe(MCP_LIMITS.sessions);
    expect([await ping(ids[0]!), await ping(ids[1]!), await ping(newest)]).toEqual([200, 404, 200]);
  });

  it('end when they were silent for long, unless something is open', async () => {
    open();
    const idle = await begin();
    const busy = await begin({ stayOpen: true });
    nowMs += MCP_LIMITS.sessionIdleMs + 1;
    await begin();
    expect([await ping(idle), await ping(busy)]).toEqual([404, 200]);
  });
});
