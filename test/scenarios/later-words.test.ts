/** What the user says later takes the place of what they said before, where the writer names it; nobody else's words do. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Memory } from '../../src/memory/memory.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer;
const opened: (SteerableAgent | Memory)[] = [];

beforeEach(() => {
  root = temporaryFolder('later-words');
  mkdirSync(join(root, 'project'));
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await server.close();
});

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
});

async function memoryNow(): Promise<Memory> {
  const memory = await openMemory(place());
  opened.push(memory);
  return memory;
}

const isExtraction = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');

/** One turn, after which the extraction writes the new version of the database memory. */
async function hear(prompt: string, quote: string): Promise<Memory> {
  const folder = (await memoryNow()).folders.project!;
  const content = [
    '---',
    'name: Postgres 17',
    'description: The database of the service is Postgres 17',
    'type: project',
    `quote: "${quote}"`,
    'supersedes: project_postgres-15.md',
    '---',
    '',
    'The service runs on Postgres 17.',
    '',
  ].join('\n');
  const input = { file_path: join(folder, 'project_postgres-17.md'), content };
  server = await replaceServer((request) =>
    isExtraction(request)
      ? { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Write', input }] }
      : { content: [{ type: 'text', text: 'Noted.' }] },
  );
  // The gate recognises recalled text and refuses to learn from it: whether recall comes in time must not decide this test.
  const settings = { 'layers.recall': false, 'layers.notes': false };
  const agent = await openAgent({ ...place(), permissionMode: 'bypass', settings });
  opened.push(agent);
  for await (const event of agent.send(prompt)) expect(event).toBeDefined();
  await vi.waitFor(() => expect(existsSync(input.file_path)).toBe(true), { timeout: 10_000 });
  await agent.close();
  return memoryNow();
}

async function replaceServer(answer: Parameters<typeof startMessagesServer>[0]): Promise<MessagesServer> {
  await server.close();
  return startMessagesServer(answer);
}

async function knowsPostgres15(): Promise<void> {
  server = await startMessagesServer(() => ({ content: [] }));
  await (await memoryNow()).save({
    ...{ type: 'project', name: 'Postgres 15', description: 'The database of the service', scope: 'project' },
    body: 'The service runs on Postgres 15.',
    quote: [{ text: 'We are on Postgres 15.', at: '2026-01-07' }],
  });
}

it('supersedes what the user said before, as one change that can be undone', async () => {
  await knowsPostgres15();
  const memory = await hear('By the way, we moved to Postgres 17 last month.', 'we moved to Postgres 17 last month');
  const old = await memory.get('project_postgres-15.md');
  expect(old.supersededBy).toBe('project_postgres-17.md');
  expect(await memory.get('project_postgres-17.md')).toMatchObject({ source: 'said', supersededBy: null });

  const index = () => readFileSync(join(memory.folders.project!, 'MEMORY.md'), 'utf8');
  expect(index()).toContain('project_postgres-17.md');
  expect(index()).not.toContain('project_postgres-15.md');
  const recalled = await memory.recall('Which Postgres does the service run on?');
  expect(recalled.map(({ file }) => file)).not.toContain('project_postgres-15.md');

  await memory.undo();
  expect((await memory.get('project_postgres-15.md')).supersededBy).toBeNull();
  await expect(memory.get('project_postgres-17.md')).rejects.toThrow();
  expect(index()).toContain('project_postgres-15.md');
});

it('leaves the user’s word in place where a writer only claims that they said something else', async () => {
  await knowsPostgres15();
  const memory = await hear('Please look at the failing migration of the service.', 'we moved to Postgres 17');
  expect((await memory.get('project_postgres-15.md')).supersededBy).toBeNull();
  expect((await memory.get('project_postgres-17.md')).source).toBe('inferred');
});

it('corrects what the user said before after reading it', async () => {
  await knowsPostgres15();
  const path = join((await memoryNow()).folders.project!, 'project_postgres-15.md');
  const calls = [
    { name: 'Read', input: { file_path: path } },
    { name: 'Edit', input: { file_path: path, old_string: 'on Postgres 15.\n', new_string: 'on Postgres 16.\n' } },
  ];
  server = await replaceServer((request) => {
    const call = isExtraction(request) ? undefined : calls.shift();
    if (call === undefined) return { content: [{ type: 'text', text: 'nothing' }] };
    return { content: [{ type: 'tool_use', id: `toolu_${calls.length}`, ...call }] };
  });
  const agent = await openAgent({ ...place(), permissionMode: 'bypass', settings: { 'recall.selector': 'local' } });
  opened.push(agent);
  for await (const event of agent.send('No, the service is on Postgres 16, not 15.')) expect(event).toBeDefined();
  const entry = await agent.memory.get('project_postgres-15.md');
  expect(entry).toMatchObject({ source: 'said', body: 'The service runs on Postgres 16.' });
  expect(entry.quote.map(({ text }) => text)).toContain('No, the service is on Postgres 16, not 15.');
});
