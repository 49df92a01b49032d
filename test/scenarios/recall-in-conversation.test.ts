/** Recall in a conversation over HTTP with the real SDK: it joins once, at the end, and holds nobody up. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
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
let server: MessagesServer | null = null;
const agents: SteerableAgent[] = [];

beforeEach(() => {
  root = temporaryFolder('recall');
  mkdirSync(join(root, 'project'));
  writeFileSync(join(root, 'project', 'invoice.ts'), 'export const rate = 0.2;\n');
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
  server = null;
});

const DEPLOYS = {
  type: 'project',
  name: 'Deploys happen on Tuesdays',
  description: 'Deployments to production go out on Tuesdays only, after the backup',
  body: 'Deployments to production go out on Tuesdays only.\n\n**Why:** The backup runs on Mondays.\n\n**How to apply:** Plan releases for a Tuesday.',
} as const;
const INVOICES = {
  type: 'feedback',
  name: 'Rounding in invoice.ts',
  description: 'invoice.ts rounds half to even, because the auditors asked for it',
  body: 'Amounts in invoice.ts are rounded half to even.\n\n**Why:** The auditors asked for it.\n\n**How to apply:** Any sum of money.',
} as const;
const PORT = {
  type: 'reference',
  name: 'ECONNREFUSED on 5433',
  description: 'ECONNREFUSED 127.0.0.1:5433 means the tunnel to the staging database is down',
  body: 'ECONNREFUSED 127.0.0.1:5433 means that the tunnel to the staging database is down: ask in #infra.',
} as const;

async function open(options: AgentOptions = {}): Promise<SteerableAgent> {
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server!.url },
    permissionMode: 'bypass',
    ...options,
    settings: {
      // However busy the machine is: these tests are about what joins, not about how soon.
      'limits.prefetch.holdMs': 10_000,
      'layers.extraction': false,
      'layers.notes': false,
      'limits.retry.firstDelayMs': 1,
      ...options.settings,
    },
  });
  agents.push(agent);
  return agent;
}

async function openWith(memories: readonly (typeof DEPLOYS | typeof INVOICES | typeof PORT)[], options?: AgentOptions) {
  const agent = await open(options);
  for (const memory of memories) await agent.memory.save(memory);
  await agent.memory.ready();
  return agent;
}

async function say(agent: SteerableAgent, prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  return events;
}

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const call = (name: string, input: Record<string, unknown>, id: string): ServerAnswer => ({
  content: [{ type: 'tool_use', id, name, input }],
});
const isSelection = ({ body }: RecordedRequest) => body.output_config?.format !== undefined;
const picks = (...files: string[]) => text(JSON.stringify({ selected_memories: files }));
const mainRequests = () => server!.requests.filter((request) => !isSelection(request));
const RECALLED = 'Recalled from memory.';

function recalledIn({ bytes }: RecordedRequest): number {
  return bytes.split(RECALLED).length - 1;
}

/** What is cached by, without the marks that move from request to request. */
function plain({ body }: RecordedRequest): string {
  const { system, tools, messages } = body;
  return JSON.stringify([tools, system, messages])
    .replaceAll(/,"cache_control":\{[^}]*\}/g, '')
    .slice(0, -2);
}

function expectGrowth(requests: readonly RecordedRequest[]): void {
  for (const [at, request] of requests.entries()) {
    if (at > 0) expect(plain(request).startsWith(plain(requests[at - 1]!))).toBe(true);
  }
}

describe('recall without a model', () => {
  it('is in the only request of a turn, at the end of the message, once and for all', async () => {
    server = await startMessagesServer(() => text('On Tuesday.'));
    const agent = await openWith([DEPLOYS, INVOICES], { settings: { 'recall.selector': 'local' } });
    await say(agent, 'On which day do deployments to production go out?');
    const [first] = server.requests;
    const content = first!.body.messages.at(-1).content;
    expect(content.at(-1).text).toMatch(
      /^<system-reminder>\nRecalled from memory\.[\s\S]*Tuesdays only[\s\S]*<\/system-reminder>$/,
    );
    expect(recalledIn(first!)).toBe(1);
    const entry = agent.entries().find(({ injected }) => injected?.some(({ source }) => source === 'recall'));
    expect(entry?.message.role).toBe('user');

    await say(agent, 'And again: on which day do deployments to production go out?');
    await say(agent, 'What did I ask first about production deployments?');
    expect(server.requests).toHaveLength(3);
    for (const request of server.requests) expect(recalledIn(request)).toBe(1);
    expectGrowth(server.requests);
  });

  it('is silent for one word, for another subject, when switched off and when there is nothing', async () => {
    server = await startMessagesServer(() => text('Well.'));
    const agent = await openWith([DEPLOYS], { settings: { 'recall.selector': 'local' } });
    await say(agent, 'deployments');
    await say(agent, 'Why is the sky blue in the evening?');
    for (const settings of [{ 'recall.selector': 'off' }, { 'layers.recall': false }]) {
      const silent = await open({ settings });
      await say(silent, 'On which day do deployments to production go out?');
    }
    for (const request of server.requests) expect(recalledIn(request)).toBe(0);
  });

  it('keeps to its budget', async () => {
    server = await startMessagesServer(() => text('Well.'));
    const settings = { 'recall.selector': 'local', 'limits.recall.sessionBytes': 100 };
    const agent = await openWith([DEPLOYS], { settings });
    await say(agent, 'On which day do deployments to production go out?');
    expect(recalledIn(server.requests[0]!)).toBe(0);
  });

  it('does not repeat what the agent has read itself', async () => {
    let path = '';
    server = await startMessagesServer((_, index) =>
      index === 0 ? call('Read', { file_path: path }, 'toolu_1') : text('Tuesday.'),
    );
    const agent = await openWith([], { settings: { 'recall.selector': 'local' } });
    const { file } = await agent.memory.save(DEPLOYS);
    path = join(agent.memory.folders.project!, file);
    await say(agent, 'Read');
    await say(agent, 'On which day do deployments to production go out?');
    for (const request of server.requests) expect(recalledIn(request)).toBe(0);
  });

  it('knows after resuming what it has told, and forgets it at a compaction', async () => {
    server = await startMessagesServer(({ bytes }) =>
      bytes.includes('<analysis>')
        ? text('<analysis>a</analysis><summary>They deploy.</summary>')
        : text('Fine. '.repeat(300)),
    );
    const settings = { 'recall.selector': 'local' };
    const agent = await openWith([DEPLOYS], { settings });
    await say(agent, 'On which day do deployments to production go out?');
    await agent.close();
    const resumed = await open({ resume: agent.sessionId, settings });
    await say(resumed, 'Tell me: on which day do deployments to production go out?');
    expect(recalledIn(server.requests.at(-1)!)).toBe(1);
    for (let turn = 0; turn < 10; turn++) await say(resumed, `Go on with part ${turn}.`);
    expect(await resumed.compact!('')).toMatch(/^Compacted/);
    await say(resumed, 'So on which day do deployments to production go out?');
    expect(server.requests.at(-1)!.body.messages.at(-1).content.at(-1).text).toContain(RECALLED);
  });
});

/** Goes on reading until a memory has joined. */
function readUntilRecalled(first: ServerAnswer): (request: RecordedRequest, index: number) => Promise<ServerAnswer> {
  return async (request, index) => {
    if (isSelection(request)) return picks('project_deploys-happen-on-tuesdays.md', '../../etc/passwd', 'none.md');
    if (index === 0) return first;
    if (recalledIn(request) > 0 || index > MOST_ROUNDS) return text('Done.');
    await pause(30);
    return call('Glob', { pattern: `*.${index}` }, `toolu_${index}`);
  };
}
const MOST_ROUNDS = 100;

describe('what the agent meets', () => {
  it.each([
    ['names the file which is read', call('Read', { file_path: 'invoice.ts' }, 'toolu_0'), 'rounded half to even'],
    [
      'speaks of the error of a command',
      call('Bash', { command: "echo 'Error: connect ECONNREFUSED 127.0.0.1:5433'; exit 1" }, 'toolu_0'),
      'tunnel to the staging database',
    ],
  ])('brings the memory that %s', async (_what, first, words) => {
    server = await startMessagesServer(readUntilRecalled(first));
    const agent = await openWith([DEPLOYS, INVOICES, PORT], { settings: { 'recall.selector': 'local' } });
    await say(agent, 'Go');
    const last = server.requests.at(-1)!;
    expect(recalledIn(last)).toBe(1);
    expect(last.bytes).toContain(words);
    expectGrowth(server.requests);
  });

  it.each([
    ['a file that no memory names', call('Read', { file_path: 'other.ts' }, 'toolu_0')],
    ['a command that failed with other words', call('Bash', { command: 'echo deployments; exit 1' }, 'toolu_0')],
    ['a command that was fine', call('Bash', { command: 'echo ECONNREFUSED 127.0.0.1:5433' }, 'toolu_0')],
  ])('is silent about %s', async (_what, first) => {
    writeFileSync(join(root, 'project', 'other.ts'), 'export {};\n');
    server = await startMessagesServer((_, index) => (index === 0 ? first : text('Done.')));
    const agent = await openWith([DEPLOYS, INVOICES, PORT], { settings: { 'recall.selector': 'local' } });
    await say(agent, 'Go');
    await pause(200);
    await say(agent, 'thanks');
    for (const request of server.requests) expect(recalledIn(request)).toBe(0);
  });
});

describe('recall with a model', () => {
  it('asks for names, takes those of its list, and joins a later request once', async () => {
    server = await startMessagesServer(readUntilRecalled(call('Glob', { pattern: '*.ts' }, 'toolu_0')));
    const agent = await openWith([DEPLOYS], { settings: { 'recall.selector': 'model' } });
    await say(agent, 'Please plan the release of the new version.');
    const [selection] = server.requests.filter(isSelection);
    expect(selection!.body).toMatchObject({ max_tokens: 256 });
    expect(selection!.body.tools).toBeUndefined();
    expect(selection!.body.messages[0].content[0].text).toMatch(
      /- \[project\] project_deploys-happen-on-tuesdays\.md \(\d{4}-\d\d-\d\dT[^)]*Z\): Deployments to production/,
    );
    const main = mainRequests();
    expect(recalledIn(main[0]!)).toBe(0);
    expect(recalledIn(main.at(-1)!)).toBe(1);
    expectGrowth(main);
    expect(agent.totals().byPurpose.recall!.usage.inputTokens).toBeGreaterThan(0);
    await say(agent, 'Please plan the release of the new version again.');
    expect(recalledIn(server.requests.at(-1)!)).toBe(1);
    // There is nothing left to pick from: no call.
    expect(server.requests.filter(isSelection)).toHaveLength(1);
  });

  it('joins the next turn when it settles after the last request', async () => {
    const fenced = '```json\n{"selected_memories":["project_deploys-happen-on-tuesdays.md"]}\n```';
    server = await startMessagesServer(async (request) => {
      if (!isSelection(request)) return text('Done.');
      await pause(100);
      return text(fenced);
    });
    const agent = await openWith([DEPLOYS], { settings: { 'recall.selector': 'model' } });
    await say(agent, 'Please plan the release of the new version.');
    for (let turn = 0; turn < MOST_ROUNDS && recalledIn(server.requests.at(-1)!) === 0; turn++) {
      await pause(30);
      await say(agent, 'thanks');
    }
    expect(recalledIn(mainRequests()[0]!)).toBe(0);
    expect(recalledIn(server.requests.at(-1)!)).toBe(1);
  });

  it('brings no more with one message than the limit, what came late for the message before included', async () => {
    let selections = 0;
    let rounds = 0;
    server = await startMessagesServer(async (request) => {
      if (!isSelection(request)) {
        const isSecond = request.bytes.includes('the invoices next');
        return isSecond && rounds++ < 6 ? call('Bash', { command: 'sleep 0.05' }, `toolu_${rounds}`) : text('Done.');
      }
      if (selections++ > 0) return picks('feedback_rounding-in-invoice-ts.md');
      await pause(100);
      return picks('project_deploys-happen-on-tuesdays.md');
    });
    const settings = { 'recall.selector': 'model', 'limits.prefetch.picked': 1 };
    const agent = await openWith([DEPLOYS, INVOICES], { settings });
    await say(agent, 'Please plan the release of the new version.');
    await pause(300);
    await say(agent, 'Please look at the invoices next.');
    expect(server.requests.filter(isSelection)).toHaveLength(2);
    expect(recalledIn(mainRequests().at(-1)!)).toBe(1);
  });

  it('narrows by ranking first, and never holds up a turn', async () => {
    server = await startMessagesServer((request) => (isSelection(request) ? { hang: true } : text('Done.')));
    const agent = await openWith([DEPLOYS, INVOICES]);
    // A turn that waited for the selector, which never answers, would outlast the test.
    for (let turn = 0; turn < 4; turn++) await say(agent, `Please plan the release of version ${turn} of the app.`);
    await vi.waitFor(() => expect(server!.requests.some(isSelection)).toBe(true), { timeout: 10_000 });
    expect(mainRequests()).toHaveLength(4);
  });

  it('gives up on a selector that fails, and says so once', async () => {
    server = await startMessagesServer((request) => (isSelection(request) ? text('I cannot say.') : text('Done.')));
    const agent = await openWith([DEPLOYS], { settings: { 'recall.selector': 'model' } });
    const events: AgentEvent[] = [];
    const turn = async (number: number) => {
      events.push(...(await say(agent, `Please plan the release of version ${number} of the app.`)));
      await pause(50);
    };
    const told = (words: string) => events.filter((event) => event.kind === 'note' && event.text.includes(words));
    const pauses = () => told('pauses for this session');
    for (let number = 0; number < MOST_ROUNDS && pauses().length === 0; number++) await turn(number);
    // The turn that is told of the pause may have asked before it: its request arrives while the next one runs.
    await turn(999);
    const asked = server.requests.filter(isSelection).length;
    expect(asked).toBeGreaterThanOrEqual(3);
    await turn(1_000);
    await turn(1_001);
    expect(server.requests.filter(isSelection)).toHaveLength(asked);
    expect(pauses()).toHaveLength(1);
    // This server may have no small model: that the conversation's own is asked is said once.
    expect(told('Set smallModel')).toHaveLength(1);
  });
});
