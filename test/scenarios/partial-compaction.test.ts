/** Summaries around a message of the user over HTTP with the real SDK: what stays is sent byte for byte, what went can be read again. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { userPrompts } from '../../src/session/window/rewind.ts';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../support/messages-server.ts';
import { quietAgent } from '../support/quiet-agent.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer;
let agent: SteerableAgent;

const isSummary = ({ bytes }: RecordedRequest) => bytes.includes('<summary>') && bytes.includes('<analysis>');

beforeEach(async () => {
  root = temporaryFolder('partial');
  mkdirSync(join(root, 'project'));
  server = await startMessagesServer((request, index) => {
    const last = JSON.stringify(request.body.messages.at(-1));
    const read = last.includes('Read the files.') ? 0 : (request.body.messages.length - 1) / 2;
    if (request.bytes.includes('Read the files.') && !request.bytes.includes('First, the parser.') && read < 12) {
      const input = { file_path: `f${read}.txt` };
      return { content: [{ type: 'tool_use', id: `toolu_${read}`, name: 'Read', input }] };
    }
    const text = isSummary(request)
      ? '<analysis>nothing</analysis><summary>SUMMARY of the work.</summary>'
      : `Answer ${index}. ${'Fine words. '.repeat(600)}`;
    return { content: [{ type: 'text', text }] };
  });
  agent = await open();
});

afterEach(async () => {
  await agent.close();
  await server.close();
});

function open(options: AgentOptions = {}): Promise<SteerableAgent> {
  return openAgent({ ...quietAgent(root, server), ...options });
}

async function say(...prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    let last: unknown;
    for await (const event of agent.send(prompt)) last = event;
    expect(last).toMatchObject({ outcome: { kind: 'answered' } });
  }
}

function uuidOf(words: string): string {
  return userPrompts(agent.entries()).find(({ text }) => text === words)!.uuid;
}

/** Messages as they went out, each as text; marks for the cache move and say nothing. */
function sent(request = server.requests.at(-1)!): readonly string[] {
  const withoutMarks = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);
  return request.body.messages.map((message: unknown) => JSON.stringify(message, withoutMarks));
}

const PROMPTS = ['First, the parser.', 'Second, the printer.', 'Third, the checker.'];

describe('a summary from a message on', () => {
  it('keeps what stands before it, byte for byte and in the cache', async () => {
    await say(...PROMPTS);
    const before = sent();
    expect(await agent.compactFrom(uuidOf('Second, the printer.'), '')).toMatch(/^Compacted/);
    await say('Go on.');
    const after = sent();
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after).toHaveLength(3);
    expect(after[2]).toContain('SUMMARY of the work.');
    expect(after[2]).toContain('Go on.');
    expect(after.join('\n')).not.toContain('Answer 1.');
    expect(agent.entries().at(-1)?.response?.usage.cacheReadTokens).toBeGreaterThan(1_000);

    const { sessionId } = agent;
    await agent.close();
    agent = await open({ resume: sessionId });
    await say('And on.');
    expect(sent().slice(0, 3)).toEqual(after);
  });

  it('takes wishes along, and leaves all as it was where the message is not there', async () => {
    await say(...PROMPTS);
    const entries = agent.entries();
    expect(await agent.compactFrom('gone', '')).toMatch(/^Not compacted: /);
    expect(agent.entries()).toEqual(entries);
    await agent.compactFrom(uuidOf('Third, the checker.'), 'Mind the commas.');
    expect(server.requests.findLast(isSummary)?.bytes).toContain('Mind the commas.');
  });
});

describe('results of tools before the message', () => {
  it('stay as they were sent, however old they are', async () => {
    for (let file = 0; file < 12; file++) {
      writeFileSync(join(root, 'project', `f${file}.txt`), `line ${file} of some words\n`.repeat(400));
    }
    await say('Read the files.', ...PROMPTS);
    const before = sent();
    const kept = before.findIndex((message) => message.includes('First, the parser.'));
    expect(kept).toBe(26);
    expect(await agent.compactFrom(uuidOf('First, the parser.'), '')).toMatch(/^Compacted/);
    await say('Go on.');
    expect(sent().slice(0, kept)).toEqual(before.slice(0, kept));
  });
});

describe('a summary up to a message', () => {
  it('keeps that message and what follows it', async () => {
    await say(...PROMPTS);
    expect(await agent.compactUpTo(uuidOf('Third, the checker.'), '')).toMatch(/^Compacted/);
    await say('Go on.');
    const [first, ...rest] = sent();
    expect(first).toContain('SUMMARY of the work.');
    expect(first).toContain('Third, the checker.');
    expect(rest[0]).toContain('Answer 2.');
    expect(rest[1]).toContain('Go on.');
    expect(sent().join('\n')).not.toMatch(/Answer [01]\./);
  });
});

describe('what was summarised', () => {
  it('is listed and read again, the newest first, also after resuming', async () => {
    await say(...PROMPTS);
    expect(await agent.summarised()).toEqual({ ranges: [], isAll: true });
    await expect(agent.expand()).rejects.toThrow(/Nothing of this conversation/);
    await agent.compactUpTo(uuidOf('Second, the printer.'), '');
    await say('Fourth, the docs.');
    await agent.compactFrom(uuidOf('Third, the checker.'), '');
    const listed = await agent.summarised();
    expect(listed).toMatchObject({
      isAll: true,
      ranges: [
        { messages: 4, firstWords: 'Third, the checker.' },
        { messages: 2, firstWords: 'First, the parser.' },
      ],
    });
    const entries = agent.entries();
    const newest = await agent.expand();
    expect(newest.text).toMatch(/Third, the checker\.[\s\S]*Answer 2\.[\s\S]*Fourth, the docs\./);
    expect(newest.text).not.toMatch(/First, the parser|Second, the printer/);
    expect(newest.nextUuid).toBeNull();

    const { sessionId } = agent;
    await agent.close();
    agent = await open({ resume: sessionId });
    expect(await agent.summarised()).toEqual(listed);
    const { from, to } = listed.ranges[1]!;
    expect((await agent.expand({ from, to })).text).toMatch(/First, the parser\.[\s\S]*Answer 0\./);
    expect((await agent.expand({ from: from.slice(0, 8) })).shown).toBe(2);
    expect((await agent.expand({ from, to: from })).shown).toBe(1);
    for (const gone of ['gone', '']) await expect(agent.expand({ from: gone })).rejects.toThrow(/has that id/);
    expect(agent.entries().map(({ uuid }) => uuid)).toEqual(entries.map(({ uuid }) => uuid));
  });

  it('is read piece by piece', async () => {
    await say(...PROMPTS);
    await agent.compact!('');
    const seen: string[] = [];
    let from: string | undefined;
    do {
      const shown = await agent.expand({ mostTokens: 700, ...(from === undefined ? {} : { from }) });
      seen.push(shown.text);
      from = shown.nextUuid ?? undefined;
    } while (from !== undefined && seen.length < 20);
    expect(seen.length).toBeGreaterThan(1);
    const whole = seen.join('\n');
    for (const prompt of PROMPTS) expect(whole.split(prompt)).toHaveLength(2);
  });

  it('cannot be read where no transcript is kept', async () => {
    await agent.close();
    agent = await open({ transcript: false });
    await say(...PROMPTS);
    await agent.compact!('');
    await expect(agent.expand()).rejects.toMatchObject({
      code: 'not-found',
      fix: expect.stringContaining('transcript'),
    });
  });
});
