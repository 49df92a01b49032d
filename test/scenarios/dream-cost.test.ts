/** What dreams may cost and where that is told, by real processes over HTTP; and that print mode never dreams. */

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectLayout } from '../../src/disk/home.ts';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import { openDreamLock } from '../../src/layers/6-dreaming/records/lock.ts';
import { readDreamRecords } from '../../src/layers/6-dreaming/records/records.ts';
import { runDream } from '../../src/session/run-dream.ts';
import { findPlace } from '../../src/settings/place.ts';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';
import {
  dreamer,
  FREEZE,
  isDream,
  MERGE_LIST,
  MERGED,
  putMemories,
  RELEASE,
  says,
  stepOf,
} from '../support/dream-story.ts';
import { type Plan, read, scriptedDreamer } from '../support/dreamers.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';

/** For tests that run side by side, on a machine that does much else. */
const BUSY_MS = 90_000;

const servers: MessagesServer[] = [];
const agents: AgentHome[] = [];

afterAll(async () => {
  for (const agent of agents) agent.remove();
  for (const server of servers) await server.close();
});

async function serve(...given: Parameters<typeof startMessagesServer>): Promise<MessagesServer> {
  const server = await startMessagesServer(...given);
  servers.push(server);
  return server;
}

/** A home of a test's own: tests run side by side. */
function open(server: MessagesServer | null = null): {
  readonly agent: AgentHome;
  readonly folder: string;
  readonly place: { cwd: string; home: string; env: NodeJS.ProcessEnv };
} {
  const agent = createAgentHome(server?.url ?? null);
  agents.push(agent);
  const place = { cwd: agent.project, home: agent.home, env: { PATH: process.env.PATH, HOME: agent.home } };
  const folder = findPlace(place).folders[0]!.path;
  putMemories(folder, { 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
  return { agent, folder, place };
}

const ENDLESS: Plan = { title: 'endless', steps: [{ calls: [read('project_release.md')] }], after: 'again' };
const dear = (tokens: number) => {
  const model = scriptedDreamer(ENDLESS);
  return {
    ...model,
    async *stream(...request: Parameters<typeof model.stream>) {
      for await (const event of model.stream(...request)) {
        const isLast = event.kind === 'response';
        const usage = { inputTokens: tokens, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
        yield isLast
          ? { ...event, response: { ...event.response, usage: { ...event.response.usage, ...usage } } }
          : event;
      }
    },
  };
};

async function spentToday(home: string): Promise<number> {
  let tokens = 0;
  for await (const line of readLedger({ home, now: new Date() })) {
    if (line.type === 'call' && line.purpose === 'dream') tokens += line.equivalentTokens;
  }
  return tokens;
}

describe.concurrent('a dreamer that never ends', { timeout: BUSY_MS }, () => {
  it('is stopped by what one dream may cost', async () => {
    const { place, folder } = open();
    const settings = { 'limits.dreaming.equivalentTokens': 200_000 };
    const report = await runDream({ ...place, by: 'hand', model: dear(15_000), settings });
    expect(report).toMatchObject({
      kind: 'ended',
      record: { status: 'failed', problem: expect.stringContaining('tokens') },
    });
    const [record] = readDreamRecords(folder).records;
    expect(record!.rounds).toBeGreaterThan(1);
    expect(record!.equivalentTokens).toBeGreaterThan(15_000);
    expect(record!.equivalentTokens).toBeLessThanOrEqual(200_000);
    expect(await spentToday(place.home)).toBeCloseTo(record!.equivalentTokens, 0);
    expect(openDreamLock(folder).look()).toMatchObject({ heldBy: null, lastAtMs: null, failures: 1 });
  });

  it('is stopped by what the day allows, and the next one says so before it costs anything', async () => {
    const { place, folder } = open();
    const settings = { 'limits.caps.dayTokens': 300_000, 'limits.dreaming.equivalentTokens': 400_000 };
    const report = await runDream({ ...place, by: 'hand', model: dear(40_000), settings });
    expect(report).toMatchObject({
      kind: 'ended',
      record: { status: 'failed', problem: expect.stringMatching(/day/) },
    });
    const spent = await spentToday(place.home);
    expect(spent).toBeGreaterThan(40_000);
    expect(spent).toBeLessThanOrEqual(300_000);
    const again = await runDream({
      ...place,
      by: 'timer',
      model: dear(40_000),
      settings: { 'limits.caps.dayTokens': 60_000 },
    });
    expect(again).toMatchObject({ kind: 'ended', record: { status: 'failed', rounds: 0, equivalentTokens: 0 } });
    expect(await spentToday(place.home)).toBe(spent);
    expect(openDreamLock(folder).look()).toMatchObject({ heldBy: null, lastAtMs: null, failures: 2 });
  });
});

describe.concurrent('the command', { timeout: BUSY_MS }, () => {
  it('tells what a dream cost, and status tells it again', async () => {
    const server = await serve(dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST }));
    const { agent: own, folder } = open(server);
    const ran = await own.run(['dream']);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const [record] = readDreamRecords(folder).records;
    expect(record!.money).toBeGreaterThan(0);
    expect(ran.stdout).toMatch(/cost \$\d/);
    const status = await own.here(['status']);
    expect(status.stdout).toMatch(/last dream .*completed: 2 landed.*cost \$\d/);
    const { dreaming } = JSON.parse((await own.here(['status', '--json'])).stdout);
    expect(dreaming.scopes[0].last).toMatchObject({ id: record!.id, money: record!.money });
  });

  it('tells what one had cost that was killed, and keeps that when the next one begins', async () => {
    const merging = dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST });
    let kill: (() => void) | null = null;
    const server = await serve((request) => {
      if (stepOf(request) === 2) kill?.();
      return merging(request);
    });
    const { agent: own, folder } = open(server);
    const running = own.start(['dream']);
    kill = () => void running.child.kill('SIGKILL');
    await running.ended;
    kill = null;
    const { dreaming } = JSON.parse((await own.here(['status', '--json'])).stdout);
    const { id, money, status } = dreaming.scopes[0].last;
    expect([status, money > 0]).toEqual(['died', true]);
    const shown = await own.run(['dream', 'show', id]);
    expect(shown.stdout).toMatch(/: killed, [1-9]\d* rounds?, .*cost \$0\.\d*[1-9]/);
    expect(await own.run(['dream'])).toMatchObject({ code: 0 });
    const kept = readDreamRecords(folder).records.find((record) => record.id === id);
    expect(kept).toMatchObject({ status: 'killed', money });
  });

  it('never dreams in print mode, however many gates are open', async () => {
    const server = await serve((request) => (isDream(request) ? says('nothing') : says('Fine.')));
    const { agent: own, folder, place } = open(server);
    const { slug, home } = findPlace(place);
    const { folder: sessions } = projectLayout(home, slug);
    mkdirSync(sessions, { recursive: true });
    for (let at = 0; at < 9; at++) writeFileSync(join(sessions, `00000000-0000-4000-8000-00000000000${at}.jsonl`), '');
    const ran = await own.run(['-p', 'Hello there.']);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'Fine.\n' });
    expect(server.requests.filter(isDream)).toEqual([]);
    expect(readdirSync(folder)).not.toContain('.consolidate-lock');
    expect(existsSync(join(folder, '.reverie', 'dream-lock'))).toBe(false);
    expect(existsSync(join(folder, '.reverie', 'dreams'))).toBe(false);
  });
});
