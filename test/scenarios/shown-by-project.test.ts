/** What the project shows by itself is not kept, unless the user said it: paths, names and commits are looked up there. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let project: string;
let root: string;
let server: MessagesServer;
let agent: SteerableAgent | null = null;

beforeEach(() => {
  root = temporaryFolder('shown-by-project');
  project = join(root, 'project');
  mkdirSync(join(project, 'src', 'net'), { recursive: true });
  writeFileSync(join(project, 'src', 'net', 'retry.ts'), 'export function withRetry() {}\n// PagerDuty\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Retry');
});
afterEach(async () => {
  await agent?.close();
  await server.close();
});

/** Fixed, so that the name of the commit is the same on every day: one of digits alone would be a number. */
const COMMITTED = { GIT_AUTHOR_DATE: '2026-01-05T12:00:00Z', GIT_COMMITTER_DATE: '2026-01-05T12:00:00Z' };

function git(...words: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  return execFileSync('git', [...identity, ...words], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, ...COMMITTED },
  });
}

/** The agent writes this memory in answer to the prompt; how it is kept, or null. */
async function kept(prompt: string, memory: { readonly body: string; readonly quote?: string }) {
  const { body, quote } = memory;
  const quoted = quote === undefined ? '' : `quote: "${quote}"\n`;
  const content = `---\nname: A finding\ndescription: ${body}\ntype: project\n${quoted}---\n\n${body}\n`;
  server = await startMessagesServer(({ bytes }) => {
    if (bytes.includes('<fork-directive>')) return { content: [{ type: 'text', text: 'nothing' }] };
    if (bytes.includes('tool_result')) return { content: [{ type: 'text', text: 'Done.' }] };
    const input = { file_path: join(agent!.memory.folders.project!, 'project_finding.md'), content };
    return { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Write', input }] };
  });
  agent = await openAgent({
    ...{ cwd: project, home: join(root, 'home'), permissionMode: 'bypass' },
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    settings: { 'recall.selector': 'local', 'layers.notes': false },
  });
  for await (const event of agent.send(prompt)) expect(event).toBeDefined();
  return agent.memory.get('project_finding.md').catch(() => null);
}

const LOOK = 'Please find out why the nightly job fails.';

it.each([
  ['a path', 'The repeated requests come from src/net/retry.ts.'],
  ['a name in the code', 'Requests are repeated three times by withRetry.'],
])('refuses what names %s that is there', async (_what, body) => {
  expect(await kept(LOOK, { body })).toBeNull();
});

it('refuses what names a commit that is there', async () => {
  const commit = git('rev-parse', '--short', 'HEAD').trim();
  expect(commit).toMatch(/\d.*[a-f]|[a-f].*\d/);
  expect(await kept(LOOK, { body: `Repeated requests came in with commit ${commit}.` })).toBeNull();
});

it.each([
  ['a path that is not there', 'The repeated requests come from ops/mirror/retry.cfg of the other repository.'],
  ['a name of a product', 'Repeated requests to the mirror are reported to PagerDuty.'],
  ['a commit of another repository', 'Repeated requests to the mirror came in with commit 1a2b3c4.'],
])('keeps what names %s, unconfirmed', async (_what, body) => {
  expect(await kept(LOOK, { body })).toMatchObject({ source: 'inferred' });
});

it('keeps a rule of the user’s about a file that is there', async () => {
  const quote = 'never edit src/net/retry.ts by hand';
  const rule = { body: 'Never edit src/net/retry.ts by hand.', quote };
  expect(await kept(`Please remember: ${quote}, it is generated.`, rule)).toMatchObject({ source: 'said' });
});
