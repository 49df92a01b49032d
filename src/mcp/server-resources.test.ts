/** What the server offers beside its tools: resources and prompts. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectToServer } from '../../test/support/memory-client.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { MCP_LIMITS } from '../limits.ts';
import type { Memory } from '../memory/memory.ts';
import { openMemory } from '../session/open-memory.ts';

let memory: Memory;
let client: Client;

beforeEach(async () => {
  const root = temporaryFolder('mcp');
  mkdirSync(join(root, 'project'));
  const env = { HOME: join(root, 'user') };
  memory = await openMemory({ home: join(root, 'home'), cwd: join(root, 'project'), env });
  client = await connectToServer(memory, { heard: () => [], problems: [] });
});
afterEach(async () => {
  await client.close();
  await memory.close();
});

const MOCKS = {
  type: 'feedback',
  name: 'No mocks',
  description: 'Tests run against the real database',
  body: 'Never mock the database in tests.\n\n**Why:** mocks hid a broken migration.',
} as const;

describe('the resources', () => {
  it('are listed page by page, each once', async () => {
    const folder = memory.folders.project!;
    mkdirSync(folder, { recursive: true });
    const files = Array.from({ length: MCP_LIMITS.listedResources + 30 }, (_, at) => `project_n${at}.md`);
    for (const file of files) writeFileSync(join(folder, file), `---\nname: ${file}\ntype: project\n---\nText.\n`);
    const first = await client.request({ method: 'resources/list' });
    expect(first.resources).toHaveLength(MCP_LIMITS.listedResources + 2);
    const second = await client.request({ method: 'resources/list', params: { cursor: first.nextCursor! } });
    expect(second.nextCursor).toBeUndefined();
    const memories = [...first.resources, ...second.resources]
      .map(({ uri }) => uri)
      .filter((uri) => /memory\//.test(uri));
    expect(memories.toSorted()).toEqual(files.map((file) => `reverie://memory/project/${file}`).toSorted());
    await expect(client.request({ method: 'resources/list', params: { cursor: 'mine' } })).rejects.toThrow('cursor');
  });

  it('hold the index and the memories', async () => {
    const empty = await client.readResource({ uri: 'reverie://index/project' });
    expect(empty.contents[0]).toMatchObject({ text: 'Nothing is remembered yet.\n' });
    await memory.save({ ...MOCKS, source: 'said' });
    const index = await client.readResource({ uri: 'reverie://index/project' });
    expect(index.contents[0]).toMatchObject({ mimeType: 'text/markdown' });
    expect(JSON.stringify(index.contents)).toContain('[No mocks](feedback_no-mocks.md)');
    const read = await client.readResource({ uri: 'reverie://memory/project/feedback_no-mocks.md' });
    expect(JSON.stringify(read.contents)).toContain('mocks hid a broken migration');
  });

  it.each([
    'reverie://memory/project/nope.md',
    'reverie://memory/project/../../x.md',
    'reverie://memory/project/%2e%2e/%2e%2e/x.md',
    'reverie://index/team',
    'file:///etc/passwd',
    'nonsense',
  ])('%s is refused', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toThrow(/There is no|not a memory/);
  });

  it('complete scopes and files', async () => {
    await memory.save(MOCKS);
    await memory.save({ ...MOCKS, type: 'user', name: 'Night owl' });
    const complete = (name: string, value: string, scope?: string) =>
      client.complete({
        ref: { type: 'ref/resource', uri: 'reverie://memory/{scope}/{+file}' },
        argument: { name, value },
        ...(scope === undefined ? {} : { context: { arguments: { scope } } }),
      });
    expect((await complete('scope', 'pro')).completion.values).toEqual(['project']);
    expect((await complete('file', 'owl')).completion.values).toEqual(['user_night-owl.md']);
    expect((await complete('file', '', 'project')).completion.values).toEqual(['feedback_no-mocks.md']);
  });
});

describe('the prompts', () => {
  it('bring memories along, and have things remembered well', async () => {
    await memory.save({ ...MOCKS, source: 'said' });
    const recall = await client.getPrompt({ name: 'recall', arguments: { about: 'mock the database in tests' } });
    expect(JSON.stringify(recall.messages)).toContain('mocks hid a broken migration');
    const remember = await client.getPrompt({ name: 'remember', arguments: { what: 'We ship on Fridays' } });
    expect(JSON.stringify(remember.messages)).toContain('We ship on Fridays');
    expect(JSON.stringify((await client.getPrompt({ name: 'remember' })).messages)).toContain('our conversation');
  });
});
