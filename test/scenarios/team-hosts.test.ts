/** Team memory in other people's agents: over MCP and through hooks, as the real program serves it. */

import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { runBuiltHook } from '../support/built-hook.ts';
import { BINARY } from '../support/mcp-process.ts';
import { type Person, publish, twoPeople } from '../support/team-people.ts';

const LONG_MS = 120_000;
const FREEZE = {
  type: 'project',
  name: 'Deploy day',
  description: 'Production deploys happen on Tuesdays',
  body: 'Deploys to production happen on Tuesdays.',
} as const;

function environmentOf({ place }: Person): Record<string, string> {
  const { home } = place();
  return { PATH: process.env.PATH ?? '', HOME: join(home, '..'), REVERIE_HOME: home };
}

/** Ann shared it, Bob has pulled it and has two memories of his own. */
async function withShared(): Promise<Person> {
  const { ann, bob } = twoPeople();
  await ann.withMemory((memory) => memory.save(FREEZE));
  await ann.share('project_deploy-day.md');
  publish(ann);
  bob.git('pull', '-q', 'origin', 'main');
  await bob.withMemory(async (memory) => {
    await memory.noticeOutsideEdits();
    await memory.save({ ...FREEZE, type: 'reference', name: 'Runbook', description: 'The runbook is in the wiki' });
    await memory.save({ type: 'user', name: 'Tea', description: 'Likes tea', body: 'Likes tea.' });
  });
  return bob;
}

it('is listed, found, read and suggested over MCP', { timeout: LONG_MS }, async () => {
  const bob = await withShared();
  const client = new Client({ name: 'scenario', version: '1' });
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [BINARY, 'mcp'], cwd: bob.tree, env: environmentOf(bob), stderr: 'ignore' },
  });
  await client.connect(transport);
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
    return { text: JSON.stringify(content), data: structuredContent, isError: isError === true };
  };
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('memory_share');
    const listed = await call('memory_list', { scope: 'team' });
    expect(listed.data).toMatchObject({ total: 1, memories: [{ scope: 'team', name: 'Deploy day' }] });
    const { file } = (listed.data as { memories: { file: string }[] }).memories[0]!;
    expect((await call('memory_search', { query: 'when do we deploy to production?' })).text).toContain(
      'From the team: ann said it',
    );
    expect((await call('memory_get', { file, scope: 'team' })).text).toContain('happen on Tuesdays');
    const suggested = await call('memory_share', { file: 'reference_runbook.md' });
    expect(suggested.data).toMatchObject({ command: 'reverie memory share project:reference_runbook.md' });
    expect(await call('memory_share', { file, scope: 'team' })).toMatchObject({ isError: true });
    expect(await call('memory_share', { file: 'user_tea.md' })).toMatchObject({ isError: true });
    expect(await call('memory_forget', { file, scope: 'team' })).toMatchObject({ isError: true });
  } finally {
    await client.close();
  }
  const marked = await bob.withMemory((memory) => memory.list());
  expect(marked.filter(({ forTeam }) => forTeam).map(({ file }) => file)).toEqual(['reference_runbook.md']);
  // Only the user shares.
  expect(bob.git('status', '--porcelain')).toBe('');
});

it('offers no sharing where there is no team memory', { timeout: LONG_MS }, async () => {
  const { ann } = twoPeople();
  ann.git('rm', '-rq', '.reverie/team-memory');
  const client = new Client({ name: 'scenario', version: '1' });
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [BINARY, 'mcp'], cwd: ann.tree, env: environmentOf(ann), stderr: 'ignore' },
    }),
  );
  const { tools } = await client.listTools();
  await client.close();
  expect(tools.map(({ name }) => name)).not.toContain('memory_share');
});

it.each(['claude-code', 'codex', 'gemini'])('is recalled by a hook of %s', { timeout: LONG_MS }, async (host) => {
  const bob = await withShared();
  const event = host === 'gemini' ? 'BeforeAgent' : 'UserPromptSubmit';
  const input = JSON.stringify({
    ...{ session_id: 'one', cwd: bob.tree, hook_event_name: event },
    prompt: 'On which day do production deploys happen?',
  });
  const { stdout } = await runBuiltHook(['hook', host, event], { input, environment: environmentOf(bob) });
  expect(stdout).toContain('From the team: ann said it');
  expect(stdout).toContain('Deploys to production happen on Tuesdays.');
});
