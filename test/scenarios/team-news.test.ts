/** What a pull brings is told once, wherever the next conversation begins; contradictions are asked about once and never decided. */

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { setTrust } from '../../src/settings/trust-project.ts';
import { runBuiltHook } from '../support/built-hook.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';
import { type Person, person, publish, twoPeople } from '../support/team-people.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const LONG_MS = 120_000;
const HANG = { timeout: 60_000 };

let server: MessagesServer | null = null;
const agents: SteerableAgent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
  server = null;
});

const serve = async () => {
  server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Fine.' }] }));
};

function environmentOf({ place }: Person): NodeJS.ProcessEnv {
  const { home } = place();
  const served = server === null ? {} : { ANTHROPIC_API_KEY: 'x', ANTHROPIC_BASE_URL: server.url };
  return { PATH: process.env.PATH, HOME: join(home, '..'), REVERIE_HOME: home, ...served };
}

async function open(who: Person, told: string[] = []): Promise<SteerableAgent> {
  const agent = await openAgent({
    ...{ cwd: who.tree, env: environmentOf(who), onLine: (line: string) => told.push(line) },
    settings: { 'recall.selector': 'local', 'layers.notes': false, 'layers.extraction': false },
  });
  agents.push(agent);
  return agent;
}

function run(who: Person, ...words: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BINARY, ...words], { cwd: who.tree, env: environmentOf(who) });
    const printed = { stdout: '', stderr: '' };
    child.stdin.end();
    child.stdout.on('data', (text) => {
      printed.stdout += text;
    });
    child.stderr.on('data', (text) => {
      printed.stderr += text;
    });
    child.on('close', () => resolve(printed));
  });
}

async function trust(who: Person): Promise<void> {
  const { home } = who.place();
  await setTrust({ cwd: who.tree, home, env: { HOME: join(home, '..') }, trusted: true });
}

const NO_MOCKS = {
  type: 'feedback',
  name: 'No mocks',
  description: 'Integration tests use the real database',
  body: 'Use the real database in integration tests.\n\n**Why:** A mock hid a broken migration.',
} as const;

/** Ann shares a rule, and the other has pulled it. */
async function withRule() {
  const people = twoPeople();
  await people.ann.withMemory((memory) => memory.save(NO_MOCKS));
  const { path } = await people.ann.share('feedback_no-mocks.md');
  publish(people.ann);
  people.bob.git('pull', '-q', 'origin', 'main');
  return { ...people, path };
}

describe('new rules', () => {
  it('are told once at the start of a session, with the diff', { timeout: LONG_MS }, async () => {
    const { ann, bob, path } = await withRule();
    await serve();
    const news = (agent: SteerableAgent) => agent.warnings.filter((line) => line.startsWith('Team memory'));
    const first = await open(bob);
    expect(news(first)).toHaveLength(1);
    expect(news(first)[0]).toContain('“No mocks” (ann)');
    expect(news(first)[0]).toContain('\n+ Use the real database in integration tests.');
    expect(news(first)[0]).toContain('no effect until you trust this project');
    for await (const event of first.send('Should tests mock the database?')) expect(event).toBeDefined();
    expect(server!.requests.map(({ bytes }) => bytes).join()).not.toContain('real database');
    expect(news(await open(bob))).toEqual([]);
    await trust(bob);
    const text = readFileSync(join(ann.tree, path), 'utf8');
    writeFileSync(join(ann.tree, path), text.replace('A mock hid', 'Twice a mock hid'));
    publish(ann);
    bob.git('pull', '-q', 'origin', 'main');
    const [changed] = news(await open(bob));
    expect(changed).toContain('- **Why:** A mock hid a broken migration.\n+ **Why:** Twice a mock hid');
    expect(changed).not.toContain('+ Use the real database');
    expect(changed).not.toContain('no effect');
  });

  it('are told by -p on standard error', { timeout: LONG_MS }, async () => {
    const { bob } = await withRule();
    await serve();
    const first = await run(bob, '-p', 'Hello there.');
    expect(first.stderr).toMatch(
      /warning: Team memory has new rules: “No mocks” \(ann\)[^\n]*\n {2}\+ Integration tests use/,
    );
    expect(first.stdout).not.toContain('Team memory');
    expect((await run(bob, '-p', 'Hello there.')).stderr).not.toContain('Team memory has new');
  });

  it('are told by the start hook of another agent: not a word of them before trust', { timeout: LONG_MS }, async () => {
    const { ann, bob, path } = await withRule();
    const start = async (session: string) => {
      const input = JSON.stringify({
        session_id: session,
        cwd: bob.tree,
        hook_event_name: 'SessionStart',
        source: 'startup',
      });
      const { stdout } = await runBuiltHook(['hook', 'claude-code', 'SessionStart'], {
        input,
        environment: environmentOf(bob),
      });
      return stdout;
    };
    const first = await start('one');
    expect(first).toContain('<reverie-team-news>');
    expect(first).toContain('1 new or changed rule');
    expect(first).not.toMatch(/No mocks|real database/);
    expect(await start('two')).not.toContain('<reverie-team-news>');
    await trust(bob);
    const text = readFileSync(join(ann.tree, path), 'utf8');
    writeFileSync(join(ann.tree, path), text.replace('A mock hid', 'Twice a mock hid'));
    publish(ann);
    bob.git('pull', '-q', 'origin', 'main');
    const later = await start('three');
    expect(later).toContain('> + **Why:** Twice a mock hid');
    expect(later).toContain('[No mocks]');
  });
});

describe('what colleagues say otherwise', () => {
  it('is asked about once after a pull, and decided by nobody', { timeout: LONG_MS }, async () => {
    const { ann, bob } = twoPeople();
    const save = (who: Person, day: string) =>
      who.withMemory((memory) =>
        memory.save({
          ...{ type: 'project', name: 'Deploy day', description: `Production deploys happen on ${day}` },
          body: `Deploys to production happen on ${day}.`,
        }),
      );
    await save(ann, 'Tuesdays');
    await save(bob, 'Thursdays');
    await ann.share('project_deploy-day.md');
    publish(ann);
    bob.git('pull', '-q', 'origin', 'main');
    await serve();
    const told: string[] = [];
    const first = await open(bob, told);
    await vi.waitFor(() => expect(told.join('\n')).toContain('Do these contradict?'), HANG);
    expect(told[0]).toContain('You: “Production deploys happen on Thursdays”');
    expect(told[0]).toContain('“Production deploys happen on Tuesdays”');
    expect(told[0]).toContain('reverie team review');
    await first.close();
    const again: string[] = [];
    await open(bob, again);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(again).toEqual([]);
    const review = await run(bob, 'team', 'review');
    expect(review.stdout).toContain('These may contradict each other');
    expect((await run(bob, 'team', 'review')).stdout).not.toContain('contradict');
    expect(bob.git('status', '--porcelain')).toBe('');
    const held = await bob.withMemory(async (memory) => (await memory.list()).map(({ scope }) => scope));
    expect(held.toSorted()).toEqual(['project', 'team']);
  });
});

it('what a team memory cites is looked up on this branch, not in the memory itself', { timeout: LONG_MS }, async () => {
  const { ann, bob } = twoPeople();
  writeFileSync(join(bob.tree, 'rollout.sh'), 'start_rollout\n');
  publish(bob);
  ann.git('pull', '-q', 'origin', 'main');
  await ann.withMemory((memory) =>
    memory.save({
      ...{
        type: 'project',
        name: 'Rollout',
        description: 'Production rollout begins with `rollout.sh` and `startTheRollout()`',
      },
      body: 'The production rollout begins with `rollout.sh`, which calls `startTheRollout()`.',
    }),
  );
  await ann.share('project_rollout.md');
  publish(ann);
  bob.git('pull', '-q', 'origin', 'main');
  bob.git('worktree', 'add', '-q', '-b', 'without', '../bob-tree');
  const elsewhere = person(join(bob.tree, '..'), 'bob-tree');
  elsewhere.git('rm', '-q', 'rollout.sh');
  const recalled = (who: Person) =>
    who.withMemory(async (memory) => (await memory.recall('how does the production rollout begin?'))[0]?.text ?? '');
  const here = await recalled(bob);
  expect(here).toContain('Gone: `startTheRollout');
  expect(here).not.toContain('Gone: `rollout.sh`');
  expect(await recalled(elsewhere)).toMatch(/Gone: .*`rollout\.sh`/);
});
