/** Parts that fail three times in a row: each pauses for its session, the conversation goes on, and `status` and `stats` say what happened. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { sessionLayout } from '../../src/disk/home.ts';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import type { EventLine } from '../../src/disk/ledger/line.ts';
import { createSession } from '../../src/embed/create-session.ts';
import type { SessionOptions } from '../../src/embed/session.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { readAgentStats } from '../../src/reports/stats/read.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { findPlace } from '../../src/settings/place.ts';
import { runLine } from '../support/cli-stub.ts';
import { isDream, putMemories, RELEASE } from '../support/dream-story.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer;
const agents: SteerableAgent[] = [];
const HANG = { timeout: 10_000, interval: 10 };

beforeEach(() => {
  root = temporaryFolder('breakers');
  mkdirSync(join(root, 'project'));
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
});

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server?.url ?? '' },
});

async function open(options: AgentOptions & { readonly window?: number } = {}): Promise<SteerableAgent> {
  const { window, settings, ...rest } = options;
  const { env, ...where } = place();
  const agent = await openAgent({
    ...where,
    env: { ...env, ...(window === undefined ? {} : { REVERIE_CONTEXT_WINDOW: String(window) }) },
    permissionMode: 'bypass',
    settings: {
      ...{ 'layers.extraction': false, 'layers.recall': false, 'layers.notes': false },
      ...{ 'limits.notes.mainShare': 100, 'limits.caps.floorTokens': 100_000_000, 'limits.retry.attempts': 1 },
      ...settings,
    },
    ...rest,
  });
  agents.push(agent);
  return agent;
}

async function say(agent: SteerableAgent, prompt: string): Promise<string[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  expect(events.at(-1)).toMatchObject({ outcome: { kind: 'answered' } });
  return events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
}

const long = (tokens: number) => 'Words that fill. '.repeat(Math.ceil((tokens * 4) / 17));
const says = (text: string): ServerAnswer => ({ content: [{ type: 'text', text }] });
const REFUSED: ServerAnswer = { status: 400, error: { type: 'invalid_request_error', message: 'not today' } };
const isFork = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const isSummary = ({ bytes }: RecordedRequest) => bytes.includes('<analysis>');

async function events(): Promise<readonly EventLine[]> {
  const found: EventLine[] = [];
  for await (const line of readLedger({ home: join(root, 'home'), now: new Date() })) {
    if (line.type === 'event') found.push(line);
  }
  return found;
}

const tripsOf = async (part: string) =>
  (await events()).filter(({ name, cause }) => (name === 'breaker' ? cause === part : name === `${part}-paused`));

/** As a person would look at it. */
async function reverie(command: string): Promise<string> {
  const where = ['--home', join(root, 'home'), '--cwd', join(root, 'project')];
  const ran = await runLine([command, ...where], { environment: { HOME: root }, now: new Date() });
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  return ran.stdout;
}

describe('session notes whose model refuses', () => {
  it('pause once, are named by status and stats, and stay paused when the session goes on', async () => {
    server = await startMessagesServer((request) => (isFork(request) ? REFUSED : says('Noted.')));
    const settings = { 'layers.notes': true };
    const agent = await open({ settings });
    const failures = async () =>
      (await events()).filter(({ name, numbers }) => name === 'notes' && numbers.failed === 1);
    for (let turn = 0; turn < 3; turn++) {
      expect(await tripsOf('notes')).toEqual([]);
      await say(agent, long(turn === 0 ? 11_000 : 5_500));
      await vi.waitFor(async () => expect(await failures()).toHaveLength(turn + 1), HANG);
    }
    expect(await tripsOf('notes')).toMatchObject([
      { name: 'breaker', numbers: { failures: 3 }, session: agent.sessionId },
      { name: 'notes-paused', numbers: { failures: 3 }, cause: expect.stringContaining('not today') },
    ]);
    const told = await say(agent, long(5_500));
    expect(told).toContainEqual(expect.stringMatching(/^Keeping session notes failed 3 times in a row .*not today/));
    await agent.close();

    const resumed = await open({ settings, resume: agent.sessionId });
    await say(resumed, long(5_500));
    await say(resumed, long(5_500));
    expect(server.requests.filter(isFork)).toHaveLength(3);
    expect(await tripsOf('notes')).toHaveLength(2);

    expect(await reverie('status')).toMatch(
      /notes: on, .*paused by 3 failures in a row .*, for that session: .*not today/,
    );
    expect(await reverie('stats')).toMatch(/breaker trips +1 \(1 notes\)/);
  });
});

describe('so do the others', () => {
  /** What is to fail three times; the server answers a request that a part makes beside the conversation by refusing it. */
  async function expectPaused(part: string): Promise<void> {
    expect(await tripsOf(part)).toMatchObject([
      { name: 'breaker', cause: part, numbers: { failures: 3 } },
      { name: `${part}-paused`, cause: expect.stringMatching(/\S/), numbers: { failures: 3 } },
    ]);
    expect(await reverie('status')).toMatch(
      new RegExp(`${part === 'dream' ? 'dreaming' : part}: .*paused by 3 failures`),
    );
    const stats = await readAgentStats({ home: join(root, 'home'), now: new Date() });
    expect(stats).toMatchObject({ breakerTrips: 1, tripsByPart: [{ part, trips: 1 }] });
  }

  it('compaction, and what it stands in the way of is said', async () => {
    server = await startMessagesServer((request) => (isSummary(request) ? REFUSED : says(long(3_000))));
    const agent = await open({ window: 40_000 });
    const told: string[] = [];
    const isPaused = () => told.some((line) => line.includes('failed 3 times in a row'));
    for (let turn = 0; turn < 30 && !isPaused(); turn++) told.push(...(await say(agent, 'Go on.')));
    expect(isPaused()).toBe(true);
    expect(server.requests.filter(isSummary)).toHaveLength(3);
    await say(agent, 'Go on.');
    expect(server.requests.filter(isSummary)).toHaveLength(3);
    await expectPaused('compaction');
    const failed = (await events()).filter(({ name }) => name === 'compaction-failed');
    expect(failed).toHaveLength(3);
  });

  it('a dream, also one by hand; by hand it can be tried again', async () => {
    server = await startMessagesServer((request) => (isDream(request) ? REFUSED : says('Fine.')));
    putMemories(findPlace(place()).folders[0]!.path, { 'project_release.md': RELEASE });
    const agent = await open();
    await say(agent, 'Hello.');
    for (let time = 0; time < 4; time++) {
      await agent.dream.start();
      await vi.waitFor(() => expect(agent.dream.progress()?.status).toBe('failed'), HANG);
    }
    const told = await say(agent, 'And now?');
    expect(told.filter((line) => line.startsWith('Dreaming failed 3 times in a row'))).toHaveLength(1);
    await expectPaused('dream');
  });

  it('the daily log: the model is told to tell the user', async () => {
    const results: string[] = [];
    server = await startMessagesServer(({ body }, index) => {
      const block = body.messages.at(-1).content.at(0);
      if (block.type === 'tool_result') results.push(JSON.stringify(block.content));
      const log = { type: 'tool_use', id: `toolu_${index}`, name: 'Log', input: { text: 'The owner is in Lisbon.' } };
      return results.length < 4 ? { content: [log] } : says('I could not log it.');
    });
    const folder = findPlace(place()).folders[0]!.path;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'logs'), 'no folder');
    const agent = await open({ settings: { dailyLog: true } });
    const told = await say(agent, 'The owner is in Lisbon.');
    expect(results).toHaveLength(4);
    expect(results[3]).toContain('left alone for the rest of this session');
    expect(told.filter((line) => line.startsWith('Writing to the daily log failed 3 times'))).toHaveLength(1);
    await expectPaused('daily-log');
  });

  async function host(options: SessionOptions = {}) {
    const notes: string[] = [];
    const { env, ...where } = place();
    const session = await createSession({ ...where, env, onNote: (line) => notes.push(line), ...options });
    return { session, notes };
  }

  it('long results of tools on a disk that takes none', async () => {
    const { session, notes } = await host();
    const { toolResults } = sessionLayout({
      ...{ home: join(root, 'home'), slug: findPlace(place()).slug, sessionId: session.sessionId },
    });
    mkdirSync(dirname(dirname(toolResults)), { recursive: true });
    writeFileSync(dirname(toolResults), 'no folder');
    const messages: { role: string; content: string | object[] }[] = [{ role: 'user', content: 'Look.' }];
    for (let at = 0; at < 5; at++) {
      messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'look', input: {} }] });
      messages.push({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: 'x'.repeat(90_000) }],
      });
      const { messages: sent } = await session.prepare({ model: 'claude-opus-4-8', messages });
      expect(JSON.stringify(sent.at(-1)).length).toBeLessThan(20_000);
    }
    await session.close();
    expect(notes.filter((line) => line.startsWith('tool results: '))).toHaveLength(3);
    expect(notes.filter((line) => line.includes('pauses for this session'))).toHaveLength(1);
    await expectPaused('tool-results');
  });

  it('recall that cannot read its memory', async () => {
    let asked = 0;
    const memory = {
      ...{ enabled: true, folders: {}, ready: async () => {} },
      recall: async () => {
        asked += 1;
        throw new Error('the folder cannot be read');
      },
    } as unknown as Memory;
    const { session, notes } = await host({ memory });
    const messages: { role: string; content: string }[] = [];
    for (let turn = 0; turn < 5; turn++) {
      messages.push({ role: 'user', content: `Where do we track the bugs of part ${turn}?` });
      await session.prepare({ messages });
      messages.push({ role: 'assistant', content: 'There.' });
    }
    await session.close();
    expect(asked).toBe(3);
    expect(notes.filter((line) => line.includes('pauses for this session'))).toHaveLength(1);
    await expectPaused('recall');
  });
});
