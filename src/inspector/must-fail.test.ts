import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, ask, type Browser, openBrowser } from '../../test/support/inspector-client.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Memory } from '../memory/memory.ts';
import { openMemory } from '../session/open-memory.ts';
import { findPlace } from '../settings/place.ts';
import { contextOf } from './open.ts';
import { type Inspector, startInspector } from './serve.ts';

let inspector: Inspector;
let memory: Memory;
let browser: Browser;
let file: string;
let root: string;

async function start(more: { readonly isReadOnly?: boolean; readonly idleMs?: number } = {}) {
  const options = { cwd: join(root, 'project'), home: join(root, 'home'), env: { HOME: root } };
  const place = findPlace(options);
  const context = contextOf({ place, memory, files: [], isReadOnly: more.isReadOnly ?? false });
  return startInspector(context, { port: 0, idleMs: more.idleMs ?? null });
}

beforeAll(async () => {
  root = temporaryFolder('inspector');
  mkdirSync(join(root, 'project'));
  memory = await openMemory({ cwd: join(root, 'project'), home: join(root, 'home'), env: { HOME: root } });
  const body = '<script>alert(1)</script> [link](javascript:alert(2)) \u001b[31mred\u001b[0m \u202eevil';
  ({ file } = await memory.save({
    type: 'feedback',
    name: 'Hostile',
    description: '<img src=x onerror=alert(3)>',
    body,
  }));
  inspector = await start();
  browser = await openBrowser(inspector.url);
});

afterAll(async () => {
  await inspector.close();
  await memory.close();
});

/** What a browser that followed the link would send; each request spoils one part of it. */
function good(): Record<string, string> {
  const { cookie, token, port } = browser;
  return { cookie, origin: `http://127.0.0.1:${port}`, 'x-reverie-token': token, 'content-type': 'application/json' };
}

const PIN = () => JSON.stringify({ scope: 'project', file, pinned: true });

const SESSION = '3f2a1c9e-7b64-4d1e-9a52-0c8e5d7f1a20';

describe('requests that must fail', () => {
  const reading: readonly (readonly [string, string, Record<string, string>, number])[] = [
    ['another host', '/api/memories', { host: 'evil.example' }, 403],
    ['a rebound name with our port', '/api/memories', { host: 'rebound.example:PORT' }, 403],
    ['a host without its port', '/api/memories', { host: '127.0.0.1' }, 403],
    ['another origin', '/api/memories', { origin: 'https://evil.example' }, 403],
    ['an origin of null', '/api/memories', { origin: 'null' }, 403],
    ['another port of this machine', '/api/memories', { origin: 'http://127.0.0.1:1' }, 403],
    ['another site that loads it', '/api/memories', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another port that loads it', '/api/memories', { 'sec-fetch-site': 'same-site' }, 403],
    ['no cookie', '/api/memories', { cookie: '' }, 401],
    ['a wrong cookie', '/api/memories', { cookie: 'reverie_PORT=guess' }, 401],
    ['two cookies of the name', '/api/memories', { cookie: 'COOKIE; COOKIE' }, 401],
    ['no cookie, for the page itself', '/', { cookie: '' }, 401],
    ['no cookie, for its script', '/assets/page.js', { cookie: '' }, 401],
    ['the link a second time', 'LINK', { cookie: '' }, 403],
    ['a guessed link', '/?ticket=guess', { cookie: '' }, 403],
    ['the ticket at another path', '/api/memories?ticket=TICKET', { cookie: '' }, 403],
    ['a way out of the assets', '/assets/..%2f..%2fpackage.json', {}, 404],
    ['a file that is no part of the page', '/assets/page.map', {}, 404],
    ['a session id with a way out', '/api/timeline?id=../../../etc/passwd', {}, 400],
    ['a memory with a way out', '/api/memory?scope=project&file=..%2f..%2fsettings.json', {}, 400],
    ['a scope that is none', `/api/memory?scope=../global&file=x.md`, {}, 400],
    ['a dream with a way out', '/api/dream?id=..%2flast', {}, 404],
    ['an agent with a way out', `/api/timeline?id=${SESSION}:..%2f..%2f..%2fetc%2fpasswd`, {}, 404],
    ['agents of a session with a way out', '/api/agents?id=..%2f..%2f..%2fetc', {}, 400],
    ['another project with a way out', '/api/dream?id=x&project=..%2f..%2fetc', {}, 404],
    ['a name of no route', '/api/constructor', {}, 404],
  ];
  for (const [what, path, spoilt, status] of reading) {
    it(`${what} is refused with ${status}`, async () => {
      const { port, cookie } = browser;
      const { pathname, search } = new URL(inspector.url);
      const filled = (text: string) => text.replaceAll('PORT', String(port)).replaceAll('COOKIE', cookie);
      const headers = Object.fromEntries(
        Object.entries({ cookie, ...spoilt }).map(([name, value]) => [name, filled(value)]),
      );
      const asked = path === 'LINK' ? `${pathname}${search}` : path.replace('TICKET', search.slice('?ticket='.length));
      const answer = await ask(port, asked, { headers });
      expect(answer.status).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.text).not.toContain('root:');
    });
  }

  const writing: readonly (readonly [string, (headers: Record<string, string>) => Asking, number])[] = [
    ['without the token', ({ 'x-reverie-token': _, ...headers }) => ({ headers }), 403],
    ['with a wrong token', (headers) => ({ headers: { ...headers, 'x-reverie-token': 'guess' } }), 403],
    ['without an origin', ({ origin: _, ...headers }) => ({ headers }), 403],
    ['from another origin', (headers) => ({ headers: { ...headers, origin: 'https://evil.example' } }), 403],
    ['without a cookie', ({ cookie: _, ...headers }) => ({ headers }), 401],
    [
      'as a form',
      (headers) => ({ headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, body: 'file=x' }),
      400,
    ],
    ['with PUT', (headers) => ({ headers, method: 'PUT' }), 405],
    ['with GET', (headers) => ({ headers, method: 'GET', body: '' }), 404],
    [
      'with OPTIONS, as a page of another site asks first',
      (headers) => ({ headers, method: 'OPTIONS', body: '' }),
      405,
    ],
    ['with 10 MB of text', (headers) => ({ headers, body: JSON.stringify({ file: 'x'.repeat(10_485_760) }) }), 413],
  ];
  for (const [what, spoil, status] of writing) {
    it(`a change ${what} is refused with ${status}, and nothing changes`, async () => {
      const answer = await ask(browser.port, '/api/pin', { method: 'POST', body: PIN(), ...spoil(good()) });
      expect(answer.status).toBe(status);
      expect((await memory.get(file)).pinned).toBe(false);
    });
  }

  it('a change on a read-only page is refused with the way to change things', async () => {
    const other = await start({ isReadOnly: true });
    const reader = await openBrowser(other.url);
    const answer = await reader.post('pin', { scope: 'project', file, pinned: true });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('without --read-only');
    await other.close();
  });

  it('an agent is stopped by its id alone', async () => {
    for (const id of ['../x', '..%2fx', SESSION])
      expect((await browser.post('stop-agent', { session: SESSION, id })).status).toBe(404);
    expect((await browser.post('stop-agent', { session: '../..', id: SESSION })).status).toBe(400);
  });

  it('nothing is shared where there is no team memory', async () => {
    const answer = await browser.post('share', { scope: 'project', file });
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('reverie team init')]);
  });

  it('a purge without the typed name is refused', async () => {
    expect((await browser.post('purge', { scope: 'project', file })).status).toBe(400);
    expect((await memory.get(file)).name).toBe('Hostile');
  });
});

describe('what is answered', () => {
  it('is never a page that runs what a memory holds', async () => {
    const page = await ask(browser.port, `/api/memory?scope=project&file=${file}`, {
      headers: { cookie: browser.cookie },
    });
    expect(page.headers['content-type']).toContain('application/json');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.text).toContain('<script>alert(1)</script>');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
  });

  it('gives the cookie to scripts of no page, and to no other site', async () => {
    const other = await start();
    const { port, pathname, search } = new URL(other.url);
    const welcome = await ask(Number(port), `${pathname}${search}`);
    expect(welcome.status).toBe(303);
    expect(welcome.headers.location).toBe('/');
    expect(String(welcome.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/);
    await other.close();
  });

  it('cuts 10 MB of text short and says so', async () => {
    writeFileSync(join(memory.folders.project!, 'long.md'), `---\nname: Long\n---\n${'x'.repeat(10_485_760)}\n`);
    const { text } = await browser.get<{ text: { text: string; cutCharacters: number } }>(
      '/api/memory?scope=project&file=long.md',
    );
    expect(text.text.length).toBe(200_000);
    expect(text.cutCharacters).toBeGreaterThan(10_000_000);
  });
});

describe('the server', () => {
  it('ends when nobody used it for long', async () => {
    const short = await start({ idleMs: 50 });
    await short.idle;
    await short.close();
    await expect(ask(Number(new URL(short.url).port), '/')).rejects.toThrow();
  });

  it('says which port is taken', async () => {
    const { port } = new URL(inspector.url);
    const options = { cwd: join(root, 'project'), home: join(root, 'home'), env: { HOME: root } };
    const context = contextOf({ place: findPlace(options), memory, files: [], isReadOnly: false });
    await expect(startInspector(context, { port: Number(port), idleMs: null })).rejects.toThrow(
      `Port ${port} is in use`,
    );
  });
});
