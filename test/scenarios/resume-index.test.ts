/** A session that goes on keeps its prefix byte for byte, and is told once what changed in the index of memories meanwhile. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../support/messages-server.ts';

let server: MessagesServer;
let home: AgentHome;

beforeEach(async () => {
  server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'I see.' }] }));
  home = createAgentHome(server.url);
});

afterEach(() => server.close());

async function run(...parameters: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run(parameters);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function save(name: string, type = 'project'): Promise<string> {
  const fields = ['--type', type, '--name', name, '--description', `about ${name}`, '--body', `All about ${name}.`];
  return JSON.parse(await run('memory', 'save', '--json', ...fields)).file;
}

async function ask(prompt: string, ...more: string[]): Promise<RecordedRequest> {
  await run('-p', prompt, ...more);
  return server.requests.findLast(({ path }) => /^\/v1\/messages(\?|$)/.test(path))!;
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

describe('a resumed session', { timeout: 60_000 }, () => {
  it('is told once what was added, changed and removed', async () => {
    const gone = await save('harbour freeze');
    const kept = await save('release train');
    const first = await ask('Hello.');
    await run('memory', 'forget', gone);
    await run('memory', 'edit', kept, '--description', 'now on Mondays');
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
    await save('release train');
    await ask('Hello.');
    expect(lastMessage(await ask('And now?', '--continue'))).not.toContain(NEWS);
  });
});
