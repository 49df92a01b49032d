/** Recall in a conversation that is steered: messages taken back, selectors that hang, commands that show a memory, one turn alone. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { silenceText } from '../../src/cli/paint-view/recalled-view.ts';
import { NO_USAGE } from '../../src/conversation/message.ts';
import { openLedger, readLedger } from '../../src/disk/ledger/ledger.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { userPrompts } from '../../src/session/window/rewind.ts';
import { findPlace } from '../../src/settings/place.ts';
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
  root = temporaryFolder('recall-steering');
  mkdirSync(join(root, 'project'));
});
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server.close();
});

const place = () => ({ cwd: join(root, 'project'), home: join(root, 'home'), env: { HOME: root } });
const DEPLOYS = 'Deployments to production go out on Tuesdays only, after the backup';
const CAKE = 'The bakery order is due each Thursday';
const QUESTION = 'On which day do deployments to production go out?';

async function open(options: AgentOptions = {}, memories: readonly string[] = [DEPLOYS]): Promise<SteerableAgent> {
  const agent = await openAgent({
    ...place(),
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    permissionMode: 'bypass',
    ...options,
    settings: {
      ...{ 'recall.selector': 'local', 'layers.extraction': false, 'layers.notes': false },
      ...{ 'limits.prefetch.holdMs': 10_000, 'limits.retry.attempts': 1, 'limits.caps.floorTokens': 100_000_000 },
      ...options.settings,
    },
  });
  agents.push(agent);
  for (const words of memories) {
    await agent.memory.save({ type: 'project', name: words.split(' ')[0]!, description: words, body: `${words}.` });
  }
  await agent.memory.ready();
  return agent;
}

async function say(agent: SteerableAgent, prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  return events;
}

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const call = (name: string, input: Record<string, unknown>): ServerAnswer => ({
  content: [{ type: 'tool_use', id: `toolu_${name}_${JSON.stringify(input).length}`, name, input }],
});
const isSelection = ({ body }: RecordedRequest) => body.output_config?.format !== undefined;
const selections = () => server.requests.filter(isSelection);
const mainRequests = () => server.requests.filter((request) => !isSelection(request));
const recalledIn = ({ bytes }: RecordedRequest) => bytes.split('Recalled from memory.').length - 1;
const recalledLast = () => recalledIn(mainRequests().at(-1)!);
const promptAt = (agent: SteerableAgent, at: number) => userPrompts(agent.entries())[at]!.uuid;

async function events(): Promise<string[]> {
  const names: string[] = [];
  for await (const line of readLedger({ home: place().home, now: new Date() })) {
    if (line.type === 'event') names.push(line.name);
  }
  return names;
}

describe('going back', () => {
  it('tells nothing again that still stands, and again what went, also after resuming', async () => {
    server = await startMessagesServer(() => text('Well.'));
    const agent = await open();
    await say(agent, QUESTION);
    await say(agent, 'What is the weather like in Lisbon?');
    agent.rewind(promptAt(agent, 1));
    await say(agent, `Remind me: ${QUESTION}`);
    expect(recalledLast()).toBe(1);
    await agent.close();
    const resumed = await open({ resume: agent.sessionId }, []);
    await say(resumed, `Tell me once more: ${QUESTION}`);
    expect(recalledLast()).toBe(1);
    resumed.rewind(promptAt(resumed, 1));
    await say(resumed, `And again: ${QUESTION}`);
    expect(recalledLast()).toBe(1);
    resumed.rewind(promptAt(resumed, 0));
    await say(resumed, `From the beginning: ${QUESTION}`);
    expect(recalledLast()).toBe(1);
    expect(mainRequests().at(-1)!.body.messages.at(-1).content.at(-1).text).toContain('Recalled from memory.');
  });

  it('gives back the part of the budget that went, and no more', async () => {
    server = await startMessagesServer(() => text('Well.'));
    const agent = await open({}, [DEPLOYS, CAKE]);
    await say(agent, QUESTION);
    const recalled = agent.entries()[0]!.message.content.at(-1)!;
    const bytes = recalled.type === 'text' ? Buffer.byteLength(recalled.text) : 0;
    await agent.close();
    const settings = { 'limits.recall.sessionBytes': Math.round(bytes * 1.5) };
    const small = await open({ settings }, []);
    await say(small, QUESTION);
    await say(small, 'When is the order at the bakery due?');
    expect(recalledLast()).toBe(1);
    small.rewind(promptAt(small, 1));
    await say(small, 'So when is the order at the bakery due?');
    expect(recalledLast()).toBe(1);
    small.rewind(promptAt(small, 0));
    await say(small, 'When is the order at the bakery due?');
    expect(recalledLast()).toBe(1);
    expect(mainRequests().at(-1)!.bytes).toContain(`${CAKE}.`);
  });

  it('leaves behind what a model is still asked because of a message that went', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await startMessagesServer(async (request) => {
      if (!isSelection(request)) return text('Well.');
      if (selections().length > 1) return text('{"selected_memories":[]}');
      await gate;
      return text('{"selected_memories":["project_the.md"]}');
    });
    const agent = await open({ settings: { 'recall.selector': 'model' } }, [CAKE]);
    await say(agent, 'Something about sweets, maybe?');
    await vi.waitFor(() => expect(selections()).toHaveLength(1), HANG);
    agent.rewind(promptAt(agent, 0));
    release();
    await pause(100);
    await say(agent, 'Explain the type system of Haskell, please.');
    await say(agent, 'And that of OCaml, please.');
    for (const request of mainRequests()) expect(recalledIn(request)).toBe(0);
    await agent.close();
    expect(await events()).not.toContain('recall-failed');
  });
});

describe('a selector that hangs', () => {
  it('is left after three times, and said to be', async () => {
    server = await startMessagesServer((request) => (isSelection(request) ? { hang: true } : text('Well.')));
    const agent = await open({ settings: { 'recall.selector': 'model', 'limits.prefetch.selectionMs': 300 } });
    for (let failures = 1; failures <= 3; failures++) {
      await say(agent, `Question number ${failures} about some other subject`);
      const failed = async () => (await events()).filter((name) => name === 'recall-failed').length;
      await vi.waitFor(async () => expect(await failed()).toBe(failures), HANG);
    }
    const asked = selections().length;
    const told = await say(agent, 'One more question about something');
    expect(told).toContainEqual({ kind: 'note', text: expect.stringMatching(/did not answer within 300 ms/) });
    await pause(100);
    expect(asked).toBeGreaterThan(0);
    expect(selections()).toHaveLength(asked);
    expect(await events()).toContain('recall-paused');
  });
});

describe('a single turn', () => {
  it.each([
    ['no selector where there is one request', [], 0],
    ['one once a round shows that there will be another', [call('Glob', { pattern: '*.x' })], 1],
  ] as const)('asks %s', async (_, rounds, expected) => {
    server = await startMessagesServer((request) => {
      if (isSelection(request)) return text('{"selected_memories":[]}');
      return rounds[mainRequests().length - 1] ?? text('Well.');
    });
    const agent = await open({ singleTurn: true, settings: { 'recall.selector': 'hybrid' } });
    await say(agent, 'Explain the type system of Haskell, please.');
    if (expected > 0) await vi.waitFor(() => expect(selections()).toHaveLength(expected), HANG);
    await pause(50);
    expect(selections()).toHaveLength(expected);
  });
});

describe('what the agent meets', () => {
  it.each([
    ['cat', (path: string) => `cat ${path}`, 0],
    ['a part of a longer line', (path: string) => `cd . && ls | head -3; cat '${path}'`, 0],
    ['a count alone', (path: string) => `cat ${path} | wc -l`, 1],
  ])('is not recalled when a command has shown it: %s', async (_, line, expected) => {
    let path = '';
    server = await startMessagesServer(() =>
      mainRequests().length === 1 ? call('Bash', { command: line(path) }) : text('Well.'),
    );
    const agent = await open();
    path = join(agent.memory.folders.project!, 'project_deployments.md');
    await say(agent, 'Look around');
    await say(agent, QUESTION);
    expect(recalledLast()).toBe(expected);
  });

  it('is a file of the project too when its name begins with two dots', async () => {
    writeFileSync(join(root, 'project', '..rates.ts'), 'export {};\n');
    server = await startMessagesServer(async () => {
      if (mainRequests().length === 1) return call('Read', { file_path: '..rates.ts' });
      if (recalledLast() > 0 || mainRequests().length > 100) return text('Done.');
      await pause(30);
      return call('Glob', { pattern: `*.${mainRequests().length}` });
    });
    const agent = await open({}, ['Rounding in ..rates.ts is half to even, because the auditors asked']);
    await say(agent, 'Go');
    expect(recalledLast()).toBe(1);
  });
});

it('says that there was nothing to recall while there is no memory', async () => {
  server = await startMessagesServer(() => text('Well.'));
  const agent = await open({}, []);
  await say(agent, QUESTION);
  expect(silenceText(await agent.recalled())).toBe('There was nothing to recall.');
  await agent.memory.save({ type: 'project', name: 'Deploys', description: DEPLOYS, body: DEPLOYS });
  await say(agent, `Again: ${QUESTION}`);
  expect(silenceText(await agent.recalled())).toBeNull();
  expect(recalledLast()).toBe(1);
});

it('knows in a session that goes on what background work of it cost on an earlier day', async () => {
  server = await startMessagesServer((request) =>
    isSelection(request) ? text('{"selected_memories":[]}') : text('Well.'),
  );
  const settings = { 'recall.selector': 'model', 'limits.caps.floorTokens': 30_000 };
  const agent = await open({ settings });
  await say(agent, 'One word or two');
  await vi.waitFor(() => expect(selections()).toHaveLength(1), HANG);
  await agent.close();
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  const { slug, home } = findPlace(place());
  const facts = { home, session: agent.sessionId, project: slug, now: () => yesterday, onProblem: () => {} };
  const ledger = openLedger(facts);
  ledger.record({
    ...{ id: 'before', at: yesterday.toISOString(), purpose: 'recall', background: true, model: 'm', usage: NO_USAGE },
    ...{ equivalentTokens: 10_000_000, money: null, milliseconds: 1, outcome: 'done' },
  });
  ledger.close();
  const resumed = await open({ resume: agent.sessionId, settings }, []);
  await say(resumed, 'Another word or two');
  await vi.waitFor(async () => expect(await events()).toContain('cap'), HANG);
  expect(selections()).toHaveLength(1);
});
