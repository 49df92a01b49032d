/** A session that goes on keeps its prefix byte for byte, and is told once what changed in the index of memories meanwhile. */

import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../src/index.ts';
import { createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../support/messages-server.ts';

const servers: MessagesServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A home and a server of its own for each test. */
async function open() {
  const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'I see.' }] }));
  servers.push(server);
  const { project: cwd, home, here } = createAgentHome(server.url);

  /** As somebody else changes it, while no session runs. */
  async function inMemory<T>(use: (memory: Memory) => Promise<T>): Promise<T> {
    const memory = await openMemory({ cwd, home, env: { HOME: dirname(home) } });
    const result = await use(memory);
    await memory.close();
    return result;
  }

  async function save(name: string, type: 'project' | 'user' = 'project'): Promise<string> {
    const fields = { type, name, description: `about ${name}`, body: `All about ${name}.` };
    return (await inMemory((memory) => memory.save(fields))).file;
  }

  async function ask(prompt: string, ...more: string[]): Promise<RecordedRequest> {
    const { code, stderr } = await here(['-p', prompt, ...more]);
    expect(code, stderr).toBe(0);
    return server.requests.findLast(({ path }) => /^\/v1\/messages(\?|$)/.test(path))!;
  }

  return { here, inMemory, save, ask };
}

/** Where the cache ends moves on with every request; the bytes around it stay. */
const plain = (part: unknown) => JSON.stringify(part).replace(/,?"cache_control":\{[^}]*\}/g, '');
const lastMessage = ({ body }: RecordedRequest) => plain(body.messages.at(-1));
const NEWS = 'The memory index at the beginning of this conversation is older than the memory.';

function expectSamePrefix(later: RecordedRequest, earlier: RecordedRequest): void {
  expect(plain(later.body.system)).toBe(plain(earlier.body.system));
  expect(plain(later.body.tools)).toBe(plain(earlier.body.tools));
  const { length } = earlier.body.messages;
  expect(plain(later.body.messages.slice(0, length))).toBe(plain(earlier.body.messages));
}

describe('a resumed session', { concurrent: true, timeout: 60_000 }, () => {
  it('is told once what was added, changed and removed', async () => {
    const { here, inMemory, save, ask } = await open();
    const gone = await save('harbour freeze');
    const kept = await save('release train');
    const first = await ask('Hello.');
    await inMemory((memory) => memory.forget(gone));
    await here(['memory', 'edit', kept, '--description', 'now on Mondays']);
    const added = await save('tide tables', 'user');

    const resumed = await ask('And now?', '--continue');
    expectSamePrefix(resumed, first);
    expect(lastMessage(resumed)).toContain(NEWS);
    expect(lastMessage(resumed)).toContain(`Removed: ${gone}`);
    expect(lastMessage(resumed)).toContain(`Changed: [release train](${kept}) — now on Mondays`);
    expect(lastMessage(resumed)).toContain(`Added (all projects): [tide tables](${added}) — about tide tables`);

    const again = await ask('And then?', '--continue');
    expectSamePrefix(again, resumed);
    expect(lastMessage(again)).not.toContain(NEWS);
  });

  it('is told nothing when nothing changed', async () => {
    const { save, ask } = await open();
    await save('release train');
    await ask('Hello.');
    expect(lastMessage(await ask('And now?', '--continue'))).not.toContain(NEWS);
  });
});
