/** Finished work folded into lines, and ranges taken out by hand, over HTTP with the real SDK and across a resume. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { Action } from '../../src/cli/chat/action.ts';
import type { SlashPorts } from '../../src/cli/chat/slash/ports.ts';
import { runChoice, runSlash } from '../../src/cli/chat/slash/run.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer | null = null;
const agents: SteerableAgent[] = [];

beforeEach(() => {
  root = temporaryFolder('collapse');
  mkdirSync(join(root, 'project'));
  for (let file = 0; file < 10; file++) {
    writeFileSync(join(root, 'project', `f${file}.txt`), `line of file ${file} with some words in it\n`.repeat(300));
  }
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
  server = null;
});

async function open(settings: Record<string, unknown>, options: AgentOptions = {}): Promise<SteerableAgent> {
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: {
      HOME: root,
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'not-a-key',
      ANTHROPIC_BASE_URL: server!.url,
      REVERIE_CONTEXT_WINDOW: '60000',
    },
    permissionMode: 'bypass',
    settings: {
      'layers.microcompact': false,
      'layers.notes': false,
      'layers.extraction': false,
      'layers.recall': false,
      ...settings,
    },
    ...options,
  });
  agents.push(agent);
  return agent;
}

async function say(agent: SteerableAgent, prompt: string): Promise<void> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  expect(events.at(-1)).toEqual({ kind: 'turn-ended', outcome: { kind: 'answered' } });
}

function slashPorts(agent: SteerableAgent) {
  const actions: Action[] = [];
  const ports = { agent, now: () => new Date(), dispatch: (action: Action) => actions.push(action) };
  return { ports: ports as unknown as SlashPorts, actions };
}

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
/** Three reads, then an answer. */
function work(index: number): ServerAnswer {
  if (index % 4 === 3) return text(`Part ${index} is done.`);
  const input = { file_path: `f${index % 10}.txt` };
  return { content: [{ type: 'tool_use', id: `toolu_${index}`, name: 'Read', input }] };
}

/** Marks for the cache move on with each request; all else of a sent message has to stay. */
const wire = (message: unknown): string =>
  JSON.stringify(message, (key, value) => (key === 'cache_control' ? undefined : value));
const lastMessages = (): readonly unknown[] => server!.requests.at(-1)!.body.messages;
const FOLDED = '[Finished work, folded: Read f';

describe('collapse', () => {
  it('keeps a long conversation within its window without a summary, and goes on in the same bytes when resumed', async () => {
    server = await startMessagesServer((_, index) => work(index), { windowTokens: 60_000 });
    const agent = await open({ 'layers.collapse': true });
    for (let turn = 0; turn < 12; turn++) await say(agent, `Task ${turn}: look at three files.`);
    expect(server.requests.filter(({ bytes }) => bytes.includes('<analysis>'))).toEqual([]);
    const folds = agent.folds();
    expect(folds.length).toBeGreaterThan(3);
    const before = lastMessages();
    expect(wire(before)).toContain(FOLDED);
    for (let turn = 0; turn < 12; turn++) expect(wire(before)).toContain(`Task ${turn}: look`);
    expect(readFileSync(agent.transcriptFile!, 'utf8')).toContain(`"tool_use_id":"${folds[0]!.id}"`);
    await agent.close();

    const resumed = await open({ 'layers.collapse': false, 'layers.compaction': false }, { resume: agent.sessionId });
    expect(resumed.folds()).toEqual(folds);
    // The server counts on: this is the first request of four.
    await say(resumed, 'Go on.');
    const first = server.requests.find(({ bytes }) => bytes.includes('Go on.'))!.body.messages;
    expect(wire(first.slice(0, before.length))).toBe(wire(before));

    expect(await resumed.unfold('all')).toBe(folds.length);
    expect(resumed.folds()).toEqual([]);
  }, 60_000);

  it('answers a refused request by folding, before any summary', async () => {
    const refusal = { type: 'invalid_request_error', message: 'prompt is too long: 70000 tokens > 60000 maximum' };
    let refused = 0;
    server = await startMessagesServer(({ bytes }, index) =>
      bytes.includes('Refuse this.') && refused++ === 0 ? { status: 400, error: refusal } : work(index),
    );
    const agent = await open({ 'layers.collapse': true });
    for (let turn = 0; turn < 3; turn++) await say(agent, `Task ${turn}.`);
    expect(agent.folds()).toEqual([]);
    await say(agent, 'Refuse this.');
    expect(refused).toBeGreaterThan(1);
    expect(agent.folds().length).toBeGreaterThan(0);
    expect(server.requests.filter(({ bytes }) => bytes.includes('<analysis>'))).toEqual([]);
  }, 60_000);

  it('gets through one turn that is longer than the window, where nothing is finished yet', async () => {
    server = await startMessagesServer((_, index) => (index < 40 ? work(index * 4) : text('Done.')), {
      windowTokens: 60_000,
    });
    const agent = await open({ 'layers.collapse': true });
    await say(agent, 'Look at all of it.');
    // More than the window holds was read, and no request was refused.
    expect(JSON.stringify(agent.entries()).length).toBeGreaterThan(60_000 * 4);
    expect(agent.folds()).toEqual([]);
    expect(server.requests).toHaveLength(41);
    expect(wire(lastMessages())).toContain('Look at all of it.');
  }, 60_000);

  it('is undone by /unfold', async () => {
    server = await startMessagesServer((_, index) => work(index));
    const agent = await open({ 'layers.collapse': true });
    for (let turn = 0; turn < 12 && agent.folds().length === 0; turn++) await say(agent, `Turn ${turn}.`);
    const { ports, actions } = slashPorts(agent);
    await runSlash({ name: 'unfold', argument: '' }, ports);
    expect(actions[0]).toMatchObject({ kind: 'pick', purpose: 'unfold' });
    const { length } = agent.folds();
    await runSlash({ name: 'unfold', argument: 'all' }, ports);
    expect(JSON.stringify(actions.at(-1))).toContain(`${length} rounds shown whole again`);
    expect(agent.folds()).toEqual([]);
  }, 60_000);

  it('never happens while it is off', async () => {
    server = await startMessagesServer((_, index) => work(index));
    const agent = await open({ 'layers.compaction': false });
    for (let turn = 0; turn < 8; turn++) await say(agent, `Task ${turn}.`);
    expect(agent.folds()).toEqual([]);
    expect(server.requests.filter(({ bytes }) => bytes.includes(FOLDED))).toEqual([]);
    expect(readFileSync(agent.transcriptFile!, 'utf8')).not.toMatch(/"layer":"(collapse|snip)"/);
  }, 60_000);
});

describe('snip', () => {
  it('takes a range out of what is sent, now and after resuming; the transcript keeps it', async () => {
    server = await startMessagesServer((_, index) => work(index));
    const agent = await open({ 'layers.snip': true });
    for (const prompt of ['Build the parser.', 'A wrong turn.', 'Build the printer.']) await say(agent, prompt);
    const uuids = agent.entries().map(({ uuid }) => uuid);
    // A turn is a prompt, three calls with their results, and an answer: eight entries.
    await expect(agent.snip({ from: uuids[8]!, to: uuids[9]! })).rejects.toThrow('part a tool call');
    expect(await agent.snip({ from: uuids[8]!, to: uuids[15]! })).toBe(8);
    await say(agent, 'Go on.');
    const sent = wire(lastMessages());
    expect(sent).not.toContain('A wrong turn.');
    expect(sent).toContain('[The user took 8 messages out of the conversation here.]');
    expect(sent).toContain('Build the parser.');
    expect(readFileSync(agent.transcriptFile!, 'utf8')).toContain('A wrong turn.');
    await agent.close();

    const before = lastMessages();
    const resumed = await open({}, { resume: agent.sessionId });
    await say(resumed, 'And now the tests.');
    const first = server.requests.find(({ bytes }) => bytes.includes('And now the tests.'))!.body.messages;
    expect(wire(first.slice(0, before.length))).toBe(wire(before));
  }, 60_000);

  it('takes out the exchange that is chosen after /snip', async () => {
    server = await startMessagesServer((_, index) => work(index));
    const agent = await open({ 'layers.snip': true });
    for (const prompt of ['Build the parser.', 'A wrong turn.', 'Build the printer.']) await say(agent, prompt);
    const { ports, actions } = slashPorts(agent);
    await runSlash({ name: 'snip', argument: '' }, ports);
    const picker = actions.find((action) => action.kind === 'pick')!;
    const wrong = picker.items.find(({ title }) => title === 'A wrong turn.')!;
    await runChoice({ purpose: 'snip', id: wrong.id }, ports);
    expect(JSON.stringify(actions.at(-1))).toContain('8 messages taken out');
    await say(agent, 'Go on.');
    expect(wire(lastMessages())).not.toContain('A wrong turn.');
    expect(wire(lastMessages())).toContain('Build the printer.');
  }, 60_000);

  it('is a tool of the agent where it is switched on, from its next request on', async () => {
    const snips = { content: [{ type: 'tool_use', id: 'toolu_snip', name: 'Snip', input: { words: 'wrong turn' } }] };
    server = await startMessagesServer(({ bytes }, index) => {
      if (bytes.includes('toolu_snip')) return text('It is out.');
      return bytes.includes('Take it out.') ? snips : work(index);
    });
    const agent = await open({ 'layers.snip': true });
    for (const prompt of ['Build the parser.', 'A wrong turn.', 'Take it out.']) await say(agent, prompt);
    const sent = wire(lastMessages());
    expect(sent).not.toContain('A wrong turn.');
    expect(sent).toContain('[You took 8 messages out of the conversation here.]');
    expect(sent).toContain('It is out of the conversation from your next step on.');
    await say(agent, 'Go on.');
    expect(agent.tools).toContain('Snip');
    expect((await open({})).tools).not.toContain('Snip');
  }, 60_000);

  it('is refused while it is off', async () => {
    server = await startMessagesServer(() => text('Fine.'));
    const agent = await open({});
    await say(agent, 'Hello.');
    const [first, last] = agent.entries();
    await expect(agent.snip({ from: first!.uuid, to: last!.uuid })).rejects.toMatchObject({ code: 'refused' });
    expect(agent.entries()).toHaveLength(2);
  });
});
