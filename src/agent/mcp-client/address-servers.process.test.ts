import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/mcp-process.ts';
import { createMcpPlace, type McpPlace, PATIENCE_MS } from '../../../test/support/mcp-servers.ts';

/** Each case has servers and a folder of its own, so that they can run side by side. */
const it = test.extend<{ place: McpPlace }>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture has to name what it needs.
  place: async ({}, use) => {
    const place = createMcpPlace();
    await use(place);
    await place.clear();
  },
});

const TOKEN_HEADER = { Authorization: `Bearer \${TOKEN}` };

describe.concurrent('a server at an address', () => {
  it('is called with the headers of its settings', async ({ place }) => {
    const { url } = await place.startHttp({ token: 'open-sesame' });
    const settings = { type: 'http' as const, url, headers: TOKEN_HEADER };
    const servers = place.open({ remote: settings }, { environment: { TOKEN: 'open-sesame' } });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toEqual([]);
    expect((await servers.call('mcp__remote__echo', { text: 'hello' })).text).toBe('hello');
    expect(await servers.call('mcp__remote__fail')).toMatchObject({ isError: true, text: 'It did not work.' });
    expect(servers.notes()).toHaveLength(1);
  });

  it('that wants credentials is left out, and the warning says where they go but not what they were', async ({
    place,
  }) => {
    const { url } = await place.startHttp({ token: 'open-sesame' });
    const settings = { type: 'http' as const, url, headers: TOKEN_HEADER };
    const servers = place.open({ remote: settings }, { environment: { TOKEN: 'wrong-secret' } });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toHaveLength(1);
    expect(servers.warnings[0]).toMatch(/^MCP server remote is left out: .*\(401\).*"headers".*OAuth is not supported/);
    expect(servers.warnings[0]).not.toContain('wrong-secret');
  });

  it('never has a header repeated that cannot be sent', async ({ place }) => {
    const { url } = await place.startHttp();
    const settings = { type: 'http' as const, url, headers: TOKEN_HEADER };
    const servers = place.open({ remote: settings }, { environment: { TOKEN: 'two-lined\nsecret' } });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toHaveLength(1);
    expect(servers.warnings[0]).not.toMatch(/two-lined|secret/);
  });

  it('that is not there costs one warning', async ({ place }) => {
    const servers = place.open({ remote: { type: 'http', url: 'http://127.0.0.1:9/mcp' } });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toEqual([
      expect.stringMatching(/^MCP server remote is left out: It cannot be reached at http:\/\/127\.0\.0\.1:9/),
    ]);
  });

  it('that is no MCP server costs one warning', async ({ place }) => {
    const listener = createServer((_incoming, outgoing) => outgoing.end('<html>Welcome!</html>'));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    const servers = place.open({ remote: { type: 'http', url: `http://127.0.0.1:${port}/` } });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toHaveLength(1);
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  });

  it('that knows only the newest protocol is spoken to in it', async ({ place }) => {
    const { url } = await place.startHttp({ modern: true });
    const servers = place.open({ remote: { type: 'http', url } });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toEqual([]);
    expect((await servers.call('mcp__remote__echo', { text: 'hello' })).text).toBe('hello');
  });
});

describe.concurrent('over HTTP', () => {
  let shared: McpPlace;
  let url: string;

  beforeAll(async () => {
    shared = createMcpPlace();
    url = (await shared.startHttp()).url;
  });

  afterAll(() => shared.clear());

  it('a call ends at its time limit, and at an interruption', async ({ place }) => {
    const servers = place.open({ remote: { type: 'http', url } }, { limits: { callMs: 2_000 } });
    await servers.ready(PATIENCE_MS);
    expect((await servers.call('mcp__remote__hang')).text).toContain('did not answer within 2 s');
    const interruption = new AbortController();
    const called = servers.call('mcp__remote__hang', {}, { signal: interruption.signal });
    interruption.abort();
    expect((await called).text).toContain('Interrupted');
    expect((await servers.call('mcp__remote__echo', { text: 'still here' })).text).toBe('still here');
  });

  it('a flood is cut off, and the server goes on', async ({ place }) => {
    const servers = place.open({ remote: { type: 'http', url } }, { limits: { messageBytes: 100_000 } });
    await servers.ready(PATIENCE_MS);
    const flooded = await servers.call('mcp__remote__flood', { bytes: 5_000_000 });
    expect([flooded.isError, flooded.text]).toEqual([true, expect.stringContaining('more than 100000 bytes')]);
    expect((await servers.call('mcp__remote__flood', { bytes: 50_000 })).text).toHaveLength(50_000);
  });

  it('a session that the server forgot is started again, unseen', async ({ place }) => {
    const servers = place.open({ remote: { type: 'http', url } });
    await servers.ready(PATIENCE_MS);
    await fetch(new URL('/forget', url));
    expect((await servers.call('mcp__remote__echo', { text: 'hello' })).text).toBe('hello');
    expect(servers.warnings).toEqual([]);
  });

  it('a server that went is reached again when it is back', async ({ place }) => {
    const first = await place.startHttp();
    const servers = place.open({ remote: { type: 'http', url: first.url } });
    await servers.ready(PATIENCE_MS);
    await first.stop();
    const down = await servers.call('mcp__remote__echo', { text: 'hello' });
    expect([down.isError, down.text]).toEqual([true, expect.stringContaining('cannot be reached')]);
    await place.startHttp({ port: Number(new URL(first.url).port) });
    expect((await servers.call('mcp__remote__echo', { text: 'hello' })).text).toBe('hello');
  });

  it('a change of the tools is told', async ({ place }) => {
    const servers = place.open({ remote: { type: 'http', url } });
    await servers.ready(PATIENCE_MS);
    await servers.call('mcp__remote__grow');
    await eventually(() => servers.warnings.some((line) => line.includes('Its tools have changed')));
  });
});
