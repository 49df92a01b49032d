/** `reverie -p`, as a process wherever that is tested, when something is in the way: no model, wrong keys, broken settings, odd input. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';

const servers: MessagesServer[] = [];

afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A home and a server of its own for each test. */
async function serve() {
  const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Yes.' }] }), {
    apiKey: 'test-key',
  });
  servers.push(server);
  return { server, agent: createAgentHome(server.url) };
}

/** Processes beside one another take longer, each by itself. */
const SIDE_BY_SIDE = { concurrent: true, timeout: 60_000 };

const JSON_FLAGS = ['--output-format', 'json'];
const resultOf = (stdout: string) => JSON.parse(stdout);

describe('a failure', SIDE_BY_SIDE, () => {
  it('of the key is told with what to do, in both forms', async () => {
    const { agent } = await serve();
    const environment = { ANTHROPIC_API_KEY: 'wrong-key' };
    const { code, stdout, stderr } = await agent.run(['-p', 'x', ...JSON_FLAGS], { environment });
    expect(code).toBe(1);
    expect(resultOf(stdout)).toMatchObject({ type: 'result', is_error: true, error: { code: 'model' } });
    expect(stderr).toContain('reverie: ');
    expect(stderr + stdout).not.toContain('wrong-key');
  });

  it('to find a model names the ways to get one', async () => {
    const agent = createAgentHome(null);
    const environment = { OLLAMA_HOST: 'http://127.0.0.1:9', LMSTUDIO_HOST: 'http://127.0.0.1:9' };
    const { code, stdout, stderr } = await agent.run(['-p', 'x'], { environment });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    for (const way of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'Ollama', 'reverie tour']) expect(stderr).toContain(way);
  });

  it('of the address is told at once: a page is no model', async () => {
    const { agent } = await serve();
    const page = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><h1>Log in to this network</h1></html>');
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    try {
      const { code, stdout, stderr } = await agent.here(['-p', 'x', ...JSON_FLAGS], {
        environment: { ANTHROPIC_BASE_URL: address },
      });
      expect(code).toBe(1);
      expect(resultOf(stdout)).toMatchObject({ is_error: true, error: { code: 'model' } });
      for (const word of [address, 'text/html', 'ANTHROPIC_BASE_URL']) expect(stderr).toContain(word);
    } finally {
      page.close();
    }
  });

  it('to reach the address is told after a few tries, not after minutes', async () => {
    const agent = createAgentHome('http://127.0.0.1:9');
    const { code, stdout, stderr } = await agent.run(['-p', 'x', '--output-format', 'stream-json']);
    expect(code).toBe(1);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ subtype }) => subtype === 'api_retry')).toHaveLength(3);
    expect(lines.at(-1)).toMatchObject({ is_error: true, error: { code: 'model' } });
    for (const word of ['cannot be reached', 'ANTHROPIC_BASE_URL']) expect(stderr).toContain(word);
  });

  it('to find a session lists those there are', async () => {
    const { agent } = await serve();
    await agent.here(['-p', 'the first question']);
    const { code, stdout, stderr } = await agent.here(['-p', 'x', ...JSON_FLAGS, '--resume', 'no-such-session']);
    expect(code).toBe(1);
    expect(resultOf(stdout)).toMatchObject({ is_error: true, error: { code: 'not-found' } });
    expect(stderr).toContain('the first question');
  });

  it('to find a session says where it is, if it is another project’s', async () => {
    const { server, agent } = await serve();
    const other = createAgentHome(server.url);
    const environment = { REVERIE_HOME: agent.home };
    const { stdout } = await other.here(['-p', 'x', ...JSON_FLAGS], { environment });
    const { code, stderr } = await agent.here(['-p', 'x', '--resume', resultOf(stdout).session_id]);
    expect(code).toBe(1);
    expect(stderr).toContain(`cd ${other.project} && reverie --resume`);
  });

  it.each([
    ['a file that is not JSON', 'broken.json', '{"autoMemoryEnabled": false,}'],
    ['a file with a value that cannot be', 'wrong.json', '{"autoMemoryEnabled": "perhaps"}'],
    ['a file that is not there', 'none.json', null],
  ])('of --settings is never skipped: %s', async (_, name, text) => {
    const { server, agent } = await serve();
    if (text !== null) writeFileSync(join(agent.project, name), text);
    const { code, stdout, stderr } = await agent.here(['-p', 'x', ...JSON_FLAGS, '--settings', name]);
    expect(code).toBe(2);
    expect(resultOf(stdout)).toMatchObject({ is_error: true });
    expect(stderr).toContain('--settings cannot be');
    expect(server.requests).toEqual([]);
  });

  it("of the user's own settings is a warning, and the rest works", async () => {
    const { agent } = await serve();
    mkdirSync(agent.home);
    writeFileSync(join(agent.home, 'settings.json'), '{"autoMemoryEnabled": false,}');
    const { code, stdout, stderr } = await agent.here(['-p', 'x']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Yes.\n' });
    expect(stderr).toContain('warning:');
    expect(stderr).toContain('settings.json');
  });
});

describe('a session that is open elsewhere', SIDE_BY_SIDE, () => {
  it('goes on as a copy, and a line says so', async () => {
    const { server, agent } = await serve();
    const first = await agent.here(['-p', 'x', ...JSON_FLAGS]);
    const id: string = resultOf(first.stdout).session_id;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await server.close();
    const held = await startMessagesServer(async (_, index) => {
      if (index === 0) await released;
      return { content: [{ type: 'text', text: 'Yes.' }] };
    });
    try {
      const environment = { ANTHROPIC_BASE_URL: held.url };
      const one = agent.start(['-p', 'one', '--resume', id, ...JSON_FLAGS], { environment });
      while (held.requests.length === 0) await pause(5);
      const other = await agent.run(['-p', 'other', '--resume', id, ...JSON_FLAGS], { environment });
      release();
      const { stdout } = await one.ended;
      expect(resultOf(stdout)).toMatchObject({ is_error: false, session_id: id });
      expect(other.stderr).toContain(`note: The session ${id} is open elsewhere`);
      expect(resultOf(other.stdout).session_id).not.toBe(id);
    } finally {
      release();
      await held.close();
    }
  });
});

describe('a project that nobody trusted', SIDE_BY_SIDE, () => {
  it('has no say in what is allowed, and one line says so', async () => {
    const { agent } = await serve();
    mkdirSync(join(agent.project, '.reverie'));
    writeFileSync(join(agent.project, '.reverie', 'settings.json'), '{"permissions": {"allow": ["Write"]}}');
    const { code, stdout, stderr } = await agent.here(['-p', 'x']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Yes.\n' });
    expect(stderr.split('\n').filter((line) => line.includes('reverie trust'))).toHaveLength(1);
  });
});

describe('standard input', SIDE_BY_SIDE, () => {
  it('that a program leaves open is not waited for', async () => {
    const { agent } = await serve();
    const running = agent.start(['-p', 'x'], { leaveInputOpen: true });
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Yes.\n' });
    expect(stderr).toContain('Nothing came on standard input');
  });

  it('that holds too much is refused', async () => {
    const { server, agent } = await serve();
    const { code, stderr } = await agent.run(['-p', 'x'], { input: 'a'.repeat(9_000_000) });
    expect(code).toBe(2);
    expect(stderr).toContain('more than 8 MiB');
    expect(server.requests).toEqual([]);
  });

  it('that is empty is no prompt', async () => {
    const { agent } = await serve();
    expect(await agent.run(['-p'], { input: '\n' })).toMatchObject({ code: 2, stdout: '' });
  });
});
