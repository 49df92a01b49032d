/** What must not get lost on the way to memory: by going back, by a breaker, by leaving in a hurry; and what a fork is shown to update. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import type { EventLine } from '../../src/disk/ledger/line.ts';
import { saveExplicit } from '../../src/layers/5-extraction/save-explicit.ts';
import type { WriteGate } from '../../src/memory/gate/writer/judge-write.ts';
import type { Memory } from '../../src/memory/memory.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { openMemory } from '../../src/session/open-memory.ts';
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
const opened: (SteerableAgent | Memory)[] = [];
const HANG = { timeout: 10_000 };

beforeEach(() => {
  root = temporaryFolder('keeps');
  mkdirSync(join(root, 'project'));
});

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await server?.close();
  server = null;
});

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server!.url },
});

async function open(options: AgentOptions = {}): Promise<SteerableAgent> {
  const quiet = { 'recall.selector': 'local', 'layers.notes': false, 'limits.retry.attempts': 1 };
  const settings = { ...quiet, 'limits.caps.floorTokens': 100_000_000, ...options.settings };
  const agent = await openAgent({ ...place(), permissionMode: 'bypass', ...options, settings });
  opened.push(agent);
  return agent;
}

/** What is remembered, by those who come later. */
async function remembered(): Promise<readonly string[]> {
  const memory = await openMemory(place());
  opened.push(memory);
  return (await memory.list()).map(({ description }) => description);
}

async function say(agent: SteerableAgent, prompt: string): Promise<void> {
  for await (const event of agent.send(prompt)) expect(event).toBeDefined();
}

async function eventsOf(name: string): Promise<readonly EventLine[]> {
  const found: EventLine[] = [];
  for await (const line of readLedger({ home: join(root, 'home'), now: new Date() })) {
    if (line.type === 'event' && line.name === name) found.push(line);
  }
  return found;
}

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const write = (path: string, content: string): ServerAnswer => ({
  content: [{ type: 'tool_use', id: 'toolu_write', name: 'Write', input: { file_path: path, content } }],
});
const isExtraction = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const extractions = () => server!.requests.filter(isExtraction);
const extracted = (count: number) => vi.waitFor(() => expect(extractions()).toHaveLength(count), HANG);

const MOOD = 'From now on, write every commit message in the imperative mood.';
const TEA = '---\nname: Tea\ndescription: The user likes green tea\ntype: user\n---\n\nThe user likes green tea.\n';
const FAILURE: ServerAnswer = { status: 400, error: { type: 'invalid_request_error', message: 'no' } };

it.each([
  ['rewind', 2],
  // A line says that messages were taken out.
  ['snip', 3],
] as const)('is looked through after a %s, whatever was kept before it', async (way, messages) => {
  let agent: SteerableAgent | null = null;
  server = await startMessagesServer((request) => {
    if (isExtraction(request)) return text('nothing');
    const isFirst = !request.bytes.includes('tool_result');
    return isFirst ? write(join(agent!.memory.folders.project!, 'user_tea.md'), TEA) : text('Fine.');
  });
  agent = await open({ settings: { 'layers.snip': true } });
  await say(agent, 'Please remember that I like green tea.');
  await vi.waitFor(async () => expect(await eventsOf('extraction')).toHaveLength(1), HANG);
  await say(agent, 'What is the weather?');
  await say(agent, MOOD);
  await extracted(2);
  await vi.waitFor(async () => expect(await eventsOf('extraction')).toHaveLength(2), HANG);
  await say(agent, 'And tomorrow?');
  // The answer is looked through once it is told.
  await setImmediate();
  const from = agent.entries().find(({ message }) => JSON.stringify(message).includes('imperative mood'))!.uuid;
  if (way === 'rewind') agent.rewind(from);
  else await agent.snip({ from, to: agent.entries().at(-1)!.uuid });
  await say(agent, 'From now on, write every commit message in the past tense.');
  await extracted(3);
  expect(extractions()[2]!.bytes).toContain(`the last ${messages} messages`);
});

it('keeps what was asked for outright when the fork cannot be had any more', async () => {
  server = await startMessagesServer((request) => (isExtraction(request) ? FAILURE : text('Fine.')));
  const agent = await open();
  const wishes = [MOOD, 'From now on, use tabs in Makefiles.', 'From now on, never push on Fridays.'];
  for (const [at, wish] of wishes.entries()) {
    await say(agent, wish);
    await vi.waitFor(async () => expect(await eventsOf('extraction-failed')).toHaveLength(at + 1), HANG);
  }
  await agent.close();
  expect(extractions()).toHaveLength(3);
  expect(await remembered()).toHaveLength(3);
  expect(await eventsOf('extraction-explicit')).toMatchObject([{ numbers: { saved: 3 } }]);
});

it('keeps it at once for who leaves in the wait, tells so, and has it in the ledger', async () => {
  server = await startMessagesServer((request) => (isExtraction(request) ? { hang: true } : text('Fine.')));
  const told: string[] = [];
  const agent = await open({ onClosingLine: (line) => told.push(line) });
  await say(agent, MOOD);
  const leave = new AbortController();
  const closed = agent.close({ signal: leave.signal });
  await extracted(1);
  leave.abort();
  await closed;
  expect(await remembered()).toHaveLength(1);
  expect(told).toEqual([
    expect.stringContaining('Saved to memory'),
    'Not looked through for memories: you left before that was done. It is done when the session goes on.',
  ]);
  expect(await eventsOf('extraction-stopped')).toMatchObject([{ numbers: { saved: 1 } }]);
});

it('keeps so many of the wishes of one message and no more, and tells how many are left', async () => {
  server = await startMessagesServer((request) => (isExtraction(request) ? { hang: true } : text('Fine.')));
  const told: string[] = [];
  const agent = await open({ onClosingLine: (line) => told.push(line) });
  await say(agent, Array.from({ length: 25 }, (_, at) => `Remember that shop ${at} opens at ${at}.`).join('\n'));
  const leave = new AbortController();
  const closed = agent.close({ signal: leave.signal });
  await extracted(1);
  leave.abort();
  await closed;
  expect(await remembered()).toHaveLength(10);
  // Of a long message, its beginning counts as typed.
  expect(told).toContainEqual(
    'Kept at once: 10; 2 more requests to remember are left until a model looks through them, when the session goes on.',
  );
});

it('looks at so many wishes of a conversation and no more where no model does', async () => {
  server = await startMessagesServer(() => text('Fine.'));
  const memory = await openMemory(place());
  opened.push(memory);
  let judged = 0;
  const gate: WriteGate = async () => {
    judged += 1;
    return { verdict: 'reject', reason: 'oversize', advice: '' };
  };
  const wishes = Array.from({ length: 3_000 }, (_, at) => ({
    ...{ text: `Remember that shop ${at} opens at noon.`, at: '2026-01-07T10:00:00.000Z', uuid: `u${at}` },
  }));
  const span = { entries: [], lastUuid: null, said: wishes, turns: 1, isAnswered: true, hasCue: true, wishes };
  const { omitted, refused } = await saveExplicit(span, { memory, gate, session: 's' });
  expect([judged, refused.length, omitted]).toEqual([50, 50, 2_950]);
});

it('shows a fork the memories nearest to what was said, however old they are, in no more lines', async () => {
  server = await startMessagesServer((request) => (isExtraction(request) ? text('nothing') : text('Fine.')));
  const agent = await open();
  const save = (name: string, description: string) =>
    agent.memory.save({ type: 'project', name, description, body: `${description}.` });
  await save('Past tense', 'Commit messages are written in the past tense');
  for (let at = 0; at < 32; at++) await save(`Shop ${at}`, `Shop number ${at} opens at noon`);
  await say(agent, MOOD);
  await extracted(1);
  const directive: string = JSON.stringify(extractions()[0]!.body.messages.at(-1));
  const lines = directive.split('\\n').filter((line) => line.startsWith('- [project]'));
  expect(lines[0]).toContain('past-tense');
  expect(lines).toHaveLength(20);
  expect(directive).toContain('13 older ones');
});
