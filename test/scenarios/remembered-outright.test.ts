/** "Remember that …": kept by code whatever the model does with it, once, and told when it happens. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer;
let agent: SteerableAgent;
const told: string[] = [];

beforeEach(() => {
  root = temporaryFolder('outright');
  mkdirSync(join(root, 'project'));
  told.length = 0;
});

afterEach(async () => {
  await agent.close();
  await server.close();
});

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const isExtraction = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const hasResults = ({ bytes }: RecordedRequest) => bytes.includes('"tool_result"');

function write(file: string, facts: { readonly name: string; readonly body: string; readonly quote?: string }) {
  const quote = facts.quote === undefined ? '' : `quote: ${JSON.stringify(facts.quote)}\n`;
  const content = `---\nname: ${facts.name}\ndescription: ${facts.body}\ntype: project\n${quote}---\n\n${facts.body}\n`;
  const path = join(agent.memory.folders.project!, file);
  return { type: 'tool_use' as const, id: `toolu_${file}`, name: 'Write', input: { file_path: path, content } };
}

async function begin(answer: (request: RecordedRequest) => ServerAnswer): Promise<void> {
  server = await startMessagesServer(answer);
  agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    permissionMode: 'bypass',
    settings: { 'recall.selector': 'local', 'layers.notes': false, 'limits.caps.floorTokens': 100_000_000 },
    onLine: (line) => told.push(line),
  });
}

async function say(prompt: string): Promise<void> {
  for await (const event of agent.send(prompt, { voice: 'typed' })) expect(event).toBeDefined();
}

const bodies = async () => (await agent.memory.list()).map(({ body }) => body.trim());
const kept = (body: string) => vi.waitFor(async () => expect(await bodies()).toContain(body), { timeout: 10_000 });

const PORT = 'Please remember that the staging database listens on port 6543.';

it.each([
  PORT,
  'remember that deploys happen on Tuesdays',
  'Save to memory that Anna owns billing.',
  'Add to memory: Anna owns billing.',
  'Fix the failing test, and remember that we never mock the database.',
])('keeps “%s” where extraction answers without saving it, and tells so at once', async (prompt) => {
  await begin((request) => text(isExtraction(request) ? 'Nothing to save.' : 'Okay, noted.'));
  await say(prompt);
  await kept(prompt);
  await vi.waitFor(() => expect(told).toEqual([expect.stringContaining('Saved to memory: “')]));
});

it('keeps it where extraction saves something else and is refused a third thing', async () => {
  await begin((request) => {
    if (!isExtraction(request)) return text('Okay, noted.');
    const other = write('project_other.md', { name: 'Billing', body: 'Anna owns billing.' });
    const secret = write('project_key.md', { name: 'Key', body: `The key is ghp_${'a1B2'.repeat(9)}.` });
    return hasResults(request) ? text('Done.') : { content: [other, secret] };
  });
  await say(`Anna owns billing. ${PORT}`);
  await kept(PORT);
});

it('keeps it where the agent itself wrote another memory in that turn', async () => {
  await begin((request) => {
    if (isExtraction(request)) return text('Nothing to save.');
    const other = write('project_other.md', { name: 'Billing', body: 'Anna owns billing.' });
    return hasResults(request) ? text('Okay, noted.') : { content: [other] };
  });
  await say(`Anna owns billing. ${PORT}`);
  await kept(PORT);
});

it.each([
  ['with its quote', PORT],
  ['without one', undefined],
])('keeps it once where the agent wrote it in other words, %s', async (_how, quote) => {
  const body = 'The staging database listens on port 6543.';
  await begin((request) => {
    if (isExtraction(request)) return text('Nothing to save.');
    const own = write('project_port.md', { name: 'Staging port', body, ...(quote === undefined ? {} : { quote }) });
    return hasResults(request) ? text('Okay, noted.') : { content: [own] };
  });
  await say(PORT);
  await vi.waitFor(() => expect(server.requests.filter(isExtraction)).toHaveLength(1), { timeout: 10_000 });
  await agent.close();
  expect(await bodies()).toEqual([body]);
});

it('makes it the user’s word where the same stands there unconfirmed', async () => {
  await begin((request) => text(isExtraction(request) ? 'Nothing to save.' : 'Okay, noted.'));
  const known = { type: 'project', name: 'Port', description: 'Where staging listens', body: PORT } as const;
  await agent.memory.save({ ...known, source: 'inferred' });
  await say(PORT);
  const entries = () => agent.memory.list();
  await vi.waitFor(async () => expect(await entries()).toMatchObject([{ source: 'said' }]), { timeout: 10_000 });
  expect(await entries()).toMatchObject([{ name: 'Port', quote: [{ text: PORT }] }]);
});
