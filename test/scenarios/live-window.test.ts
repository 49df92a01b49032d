/** A conversation that would overflow, over HTTP with the real SDK: it never does, and what the user said stays. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  root = temporaryFolder('window');
  mkdirSync(join(root, 'project'));
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
  server = null;
});

async function open(options: AgentOptions & { readonly window?: number } = {}): Promise<SteerableAgent> {
  const { window, ...rest } = options;
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: {
      HOME: root,
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'not-a-key',
      ANTHROPIC_BASE_URL: server!.url,
      // Here a model summarises, and each request is counted: notes have stories of their own.
      REVERIE_DISABLE_NOTES: '1',
      REVERIE_DISABLE_EXTRACTION: '1',
      REVERIE_DISABLE_RECALL: '1',
      ...(window === undefined ? {} : { REVERIE_CONTEXT_WINDOW: String(window) }),
    },
    permissionMode: 'bypass',
    ...rest,
  });
  agents.push(agent);
  return agent;
}

async function say(agent: SteerableAgent, prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt)) events.push(event);
  return events;
}

function outcomeOf(events: readonly AgentEvent[]) {
  const last = events.at(-1);
  return last?.kind === 'turn-ended' ? last.outcome : null;
}

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const isSummary = ({ bytes }: RecordedRequest) => bytes.includes('<summary>') && bytes.includes('<analysis>');
const bareSummary = '<analysis>nothing</analysis><summary>The user wants work done.</summary>';

function readCall(index: number): ServerAnswer {
  return {
    content: [{ type: 'tool_use', id: `toolu_${index}`, name: 'Read', input: { file_path: `f${index % 10}.txt` } }],
  };
}

describe('the setting contextWindow', () => {
  it('lowers the window, and comes before the environment when it is given for this run', async () => {
    server = await startMessagesServer(() => text('ok'));
    mkdirSync(join(root, 'home'), { recursive: true });
    writeFileSync(join(root, 'home', 'settings.json'), JSON.stringify({ contextWindow: 70_000 }));
    expect((await open()).window().window.window).toBe(70_000);
    expect((await open({ window: 60_000 })).window().window.window).toBe(60_000);
    const given = await open({ window: 60_000, settings: { contextWindow: 50_000 } });
    expect(given.window().window.window).toBe(50_000);
  });
});

describe('a small window', () => {
  it('survives eighty rounds of large results without one refused request', async () => {
    for (let file = 0; file < 10; file++) {
      writeFileSync(join(root, 'project', `f${file}.txt`), `line of file ${file} with some words in it\n`.repeat(600));
    }
    let refused = 0;
    server = await startMessagesServer(
      (request, index) =>
        isSummary(request) ? text(bareSummary) : index % 9 === 8 ? text(`Part ${index} is done.`) : readCall(index),
      { windowTokens: 60_000 },
    );
    const agent = await open({ window: 60_000 });
    let turns = 0;
    while (server.requests.length < 80) {
      const events = await say(agent, `Task ${++turns}: never touch the file prod-${turns}.env, and look at f1.`);
      expect(outcomeOf(events)).toEqual({ kind: 'answered' });
      refused += events.filter((event) => event.kind === 'retry' && event.reason === 'overflow').length;
    }
    expect(refused).toBe(0);
    const last = server.requests.at(-1)!.bytes;
    expect(last).toContain(`Task ${turns}: never touch`);
    // Rules that were said long ago, in conversations that were summarised away by then.
    for (let turn = 1; turn <= turns; turn++) expect(last).toContain(`prod-${turn}.env`);
    expect(server.requests.some(isSummary)).toBe(true);
  }, 60_000);
});

describe('a compaction', () => {
  it('reads its input from the cache, is undone by nothing, and goes on after resuming', async () => {
    server = await startMessagesServer((request) =>
      isSummary(request) ? text(bareSummary) : text('Fine. '.repeat(400)),
    );
    const agent = await open();
    for (const prompt of [
      'Build the parser in parser.ts.',
      'Always use tabs in this project.',
      'Now the printer, port 4173.',
    ])
      await say(agent, prompt);
    for (let turn = 0; turn < 40; turn++) await say(agent, `Step ${turn}.`);
    const before = agent.totals();
    const line = await agent.compact!('');
    expect(line).toMatch(
      /^Compacted: [\d,]+ tokens became about [\d,]+\. Still there, word for word: your last request, 42 messages/,
    );
    const { usage } = agent.totals().byPurpose.compaction!;
    const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    expect(usage.cacheReadTokens / input).toBeGreaterThanOrEqual(0.95);
    expect(agent.totals().calls).toBe(before.calls + 1);

    await say(agent, 'Go on.');
    const sent = server.requests.at(-1)!.bytes;
    for (const words of [
      'Build the parser in parser.ts.',
      'Always use tabs in this project.',
      'Now the printer, port 4173.',
    ]) {
      expect(sent).toContain(words);
    }
    await agent.close();
    const resumed = await open({ resume: agent.sessionId });
    await say(resumed, 'And?');
    const after = server.requests.at(-1)!;
    const previous = server.requests.at(-2)!.body as { messages: unknown[] };
    const kept = (after.body as { messages: unknown[] }).messages.slice(0, previous.messages.length);
    const plain = (value: unknown) => JSON.stringify(value).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
    expect(plain(kept)).toBe(plain(previous.messages));
  });

  it.each([
    ['answers nonsense', () => text('I would rather not.')],
    ['calls a tool', () => readCall(1)],
    ['says nothing', () => text('<analysis></analysis><summary></summary>')],
    [
      'is overloaded for good',
      (): ServerAnswer => ({ status: 400, error: { type: 'invalid_request_error', message: 'no' } }),
    ],
    [
      'is longer than what it replaces',
      () => text(`<summary>${'1. Primary request and intent: words. '.repeat(20_000)}</summary>`),
    ],
  ])('whose summariser %s changes nothing', async (_what, answer) => {
    server = await startMessagesServer((request) => (isSummary(request) ? answer() : text('Fine. '.repeat(200))));
    const agent = await open();
    await say(agent, 'One');
    await say(agent, 'Two');
    const before = JSON.stringify(agent.entries());
    const line = await agent.compact!('');
    expect(line).toMatch(/^Not compacted: /);
    expect(line).not.toContain('\n');
    expect(JSON.stringify(agent.entries())).toBe(before);
    expect(outcomeOf(await say(agent, 'Three'))).toEqual({ kind: 'answered' });
  });

  it('makes room when the provider says that the prompt is too long', async () => {
    let hasRefused = false;
    server = await startMessagesServer((request, index) => {
      if (isSummary(request)) return text(bareSummary);
      if (index < 4 || hasRefused) return text('Fine. '.repeat(3_000));
      hasRefused = true;
      return {
        status: 400,
        error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      };
    });
    const agent = await open();
    for (const prompt of ['One', 'Two', 'Three', 'Four']) await say(agent, prompt);
    const events = await say(agent, 'Five, with the value 7788.');
    expect(outcomeOf(events)).toEqual({ kind: 'answered' });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'retry', reason: 'overflow' }));
    expect(server.requests.at(-1)!.bytes).toContain('Five, with the value 7788.');
  });
});

describe('a long result', () => {
  it('goes to a file that the model can read back', async () => {
    server = await startMessagesServer((_, index) =>
      index === 0
        ? { content: [{ type: 'tool_use', id: 'toolu_long', name: 'Bash', input: { command: 'seq 1 40000' } }] }
        : text('ok'),
    );
    const agent = await open();
    await say(agent, 'Count.');
    const sent = server.requests.at(-1)!.bytes;
    expect(sent).toContain('persisted-output');
    expect(sent.length).toBeLessThan(60_000);
    const sessions = join(root, 'home', 'projects');
    const stored = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.includes('tool-results/toolu_long'),
    );
    expect(stored).toHaveLength(1);
  });
});
