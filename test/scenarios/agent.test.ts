/** Whole conversations over HTTP with the real SDK: tools over several rounds, trouble on the way, and sessions that go on. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { Agent, AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer | null = null;
const agents: Agent[] = [];

beforeEach(() => {
  root = temporaryFolder('agent');
  mkdirSync(join(root, 'project'));
  writeFileSync(join(root, 'project', 'AGENTS.md'), 'Use tabs.\n');
  writeFileSync(join(root, 'project', 'a.txt'), 'alpha\nbeta\n');
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
  server = null;
});

async function serve(answer: (request: RecordedRequest, index: number) => ServerAnswer, options = {}): Promise<void> {
  server = await startMessagesServer(answer, options);
}

async function open(options: AgentOptions = {}): Promise<Agent> {
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server!.url },
    settings: { 'limits.retry.firstDelayMs': 1 },
    ...options,
  });
  agents.push(agent);
  return agent;
}

async function say(agent: Agent, prompt: string, signal?: AbortSignal): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt, signal === undefined ? {} : { signal })) events.push(event);
  return events;
}

function outcomeOf(events: readonly AgentEvent[]) {
  const last = events.at(-1);
  return last?.kind === 'turn-ended' ? last.outcome : null;
}

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const call = (name: string, input: Record<string, unknown>, id = 'toolu_1'): ServerAnswer => ({
  content: [{ type: 'tool_use', id, name, input }],
  stopReason: 'tool_use',
});

describe('an agent over HTTP', () => {
  it('reads, edits and answers in several rounds, and tells the ledger and the transcript', async () => {
    const file = join(root, 'project', 'a.txt');
    const steps = [
      call('Read', { file_path: 'a.txt' }, 'toolu_1'),
      call('Edit', { file_path: file, old_string: 'beta', new_string: 'gamma' }, 'toolu_2'),
      call('Bash', { command: 'cat a.txt' }, 'toolu_3'),
      text('Done.'),
    ];
    await serve((_, index) => steps[index]!);
    const agent = await open({ permissionMode: 'bypass' });
    const events = await say(agent, 'Change beta to gamma.');
    expect(outcomeOf(events)).toEqual({ kind: 'answered' });
    expect(readFileSync(file, 'utf8')).toBe('alpha\ngamma\n');
    const last = server!.requests.at(-1)!.body as { system: unknown; messages: { content: unknown }[] };
    expect(JSON.stringify(last.messages[0])).toContain('Use tabs.');
    expect(JSON.stringify(last.messages.at(-1))).toContain('alpha\\ngamma');
    expect(agent.totals()).toMatchObject({ calls: 4, money: expect.any(Number) });
    await agent.close();
    const lines = readFileSync(
      execFileSync('find', [join(root, 'home', 'ledger'), '-name', '*.jsonl'], { encoding: 'utf8' }).trim(),
      'utf8',
    );
    expect(lines.match(/"type":"call"/g)).toHaveLength(4);
  });

  it('denies what nobody can be asked about, and says so to the model', async () => {
    await serve((_, index) => [call('Write', { file_path: 'b.txt', content: 'x' }), text('I may not.')][index]!);
    const agent = await open();
    const events = await say(agent, 'Write b.txt.');
    expect(events.find(({ kind }) => kind === 'denied')).toMatchObject({ reason: expect.any(String) });
    expect(JSON.stringify(server!.requests[1]!.body)).toMatch(/"is_error":true/);
    expect(outcomeOf(events)).toEqual({ kind: 'answered' });
  });

  it('waits out an overload and says what it does', async () => {
    const overloaded: ServerAnswer = {
      status: 529,
      error: { type: 'overloaded_error', message: 'Overloaded' },
      headers: { 'retry-after': '0' },
    };
    await serve((_, index) => [overloaded, overloaded, text('Here.')][index]!);
    const events = await say(await open(), 'Hello');
    expect(events.filter(({ kind }) => kind === 'retry')).toMatchObject([
      { reason: 'overloaded' },
      { reason: 'overloaded' },
    ]);
    expect(outcomeOf(events)).toEqual({ kind: 'answered' });
  });

  it('asks again when the stream breaks in the middle', async () => {
    await serve((_, index) =>
      index === 0 ? { ...text('Half of a long answer that never ends'), cutAfterEvents: 3 } : text('Whole.'),
    );
    const agent = await open();
    const events = await say(agent, 'Hello');
    expect(outcomeOf(events)).toEqual({ kind: 'answered' });
    const answers = events.flatMap((event) =>
      event.kind === 'entry' && event.entry.message.role === 'assistant' ? [event.entry.message.content] : [],
    );
    expect(answers).toEqual([[{ type: 'text', text: 'Whole.' }]]);
  });

  it('says that a prompt is too long, and goes on with the next one', async () => {
    const tooLong: ServerAnswer = {
      status: 400,
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    };
    await serve((_, index) => (index === 0 ? tooLong : text('Fine.')));
    const agent = await open();
    expect(outcomeOf(await say(agent, 'Hello'))).toMatchObject({
      kind: 'failed',
      error: { failure: 'too-long', tokensOver: 10_000 },
    });
    expect(outcomeOf(await say(agent, 'Shorter'))).toEqual({ kind: 'answered' });
  });

  it('stops at once when interrupted, in the middle of an answer or of a command', async () => {
    await serve((_, index) =>
      index === 0
        ? { ...text('Many words that come slowly, one after the other'), delayMs: 200 }
        : index === 1
          ? call('Bash', { command: 'sleep 60' })
          : text('Still here.'),
    );
    const agent = await open({ permissionMode: 'bypass' });
    for (const [prompt, kind] of [
      ['Talk', 'text'],
      ['Sleep', 'tool-started'],
    ]) {
      const stop = new AbortController();
      const events: AgentEvent[] = [];
      for await (const event of agent.send(prompt!, { signal: stop.signal })) {
        events.push(event);
        if (event.kind === kind) stop.abort();
      }
      expect(outcomeOf(events)).toEqual({ kind: 'interrupted' });
    }
    expect(outcomeOf(await say(agent, 'Well?'))).toEqual({ kind: 'answered' });
  });
});

describe('a session that goes on', () => {
  const steps = [
    call('Read', { file_path: 'a.txt' }, 'toolu_1'),
    {
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        { type: 'text', text: 'Two lines. ☃ \ud83d' },
      ],
    } as ServerAnswer,
    call('TodoWrite', { todos: [{ content: 'x', status: 'pending', activeForm: 'xing' }] }, 'toolu_2'),
    text('Noted.'),
    call('Read', { file_path: 'a.txt', offset: 2 }, 'toolu_3'),
    text('Beta.'),
  ];
  const prompts = ['What is in a.txt?', 'Make a list.', 'Read on.'];

  async function bytesOf(run: () => Promise<void>): Promise<readonly string[]> {
    await serve((_, index) => steps[index]!);
    await run();
    const sent = server!.requests.map(({ bytes }) => bytes);
    await server!.close();
    return sent;
  }

  it('sends byte for byte what it would have sent without the break', async () => {
    const unbroken = await bytesOf(async () => {
      const agent = await open();
      for (const prompt of prompts) await say(agent, prompt);
      await agent.close();
    });
    const broken = await bytesOf(async () => {
      let resume: string | undefined;
      for (const prompt of prompts) {
        const agent = await open(resume === undefined ? {} : { resume });
        resume = agent.sessionId;
        await say(agent, prompt);
        await agent.close();
      }
    });
    expect(broken).toEqual(unbroken);
    expect(broken).toHaveLength(6);
  });

  it('is forked when it is open elsewhere', async () => {
    await serve(() => text('Yes.'));
    const first = await open();
    await say(first, 'One');
    const second = await open({ resume: first.sessionId });
    expect(second.forkedFrom).toBe(first.sessionId);
    expect(second.sessionId).not.toBe(first.sessionId);
    await say(second, 'Two, elsewhere');
    await say(first, 'Two, here');
    expect(server!.requests[1]!.bytes).toContain('Two, elsewhere');
    expect(server!.requests[2]!.bytes).not.toContain('elsewhere');
  });

  function transcriptOf({ sessionId }: Agent): string {
    const named = ['-name', '*.jsonl', '-path', `*${sessionId}*`];
    return execFileSync('find', [join(root, 'home', 'projects'), ...named], { encoding: 'utf8' }).trim();
  }

  it('goes on with the messages when the first line of its transcript is damaged, and says what was lost', async () => {
    await serve(() => text('Yes.'));
    const agent = await open();
    await say(agent, 'The harbour is blue');
    await agent.close();
    const transcript = transcriptOf(agent);
    writeFileSync(transcript, readFileSync(transcript, 'utf8').replace('{', '#'));
    const resumed = await open({ resume: agent.sessionId });
    const lost = resumed.warnings.filter((line) => line.includes('damaged'));
    expect(lost).toEqual([expect.stringMatching(/^The first line of .+ is damaged: .+ It goes on with today's/)]);
    expect(outcomeOf(await say(resumed, 'Which colour?'))).toEqual({ kind: 'answered' });
    const [before, after] = server!.requests;
    expect(after!.bytes).toContain('The harbour is blue');
    expect(after!.body.tools).toEqual(before!.body.tools);
    await resumed.close();
    const again = await open({ resume: agent.sessionId });
    expect(again.warnings.join('\n')).not.toContain('It goes on with today');
  });

  it('is refused when nothing of its transcript can be read, with what to do', async () => {
    await serve(() => text('Yes.'));
    const agent = await open();
    await say(agent, 'One');
    await agent.close();
    writeFileSync(transcriptOf(agent), 'garbage\n'.repeat(3));
    await expect(open({ resume: agent.sessionId })).rejects.toMatchObject({
      code: 'damaged',
      fix: expect.stringContaining('reverie sessions'),
    });
  });

  it('is repaired when a process died in the middle of a round', async () => {
    await serve((_, index) => [call('Read', { file_path: 'a.txt' }), text('Yes.'), text('Fine.')][index]!);
    const agent = await open();
    await say(agent, 'Read');
    await agent.close();
    const transcript = transcriptOf(agent);
    const lines = readFileSync(transcript, 'utf8').split('\n');
    const callLine = lines.findIndex((line) => line.includes('"tool_use"'));
    writeFileSync(transcript, `${lines.slice(0, callLine + 1).join('\n')}\n{"type":"message","uuid":"torn`);
    const resumed = await open({ resume: agent.sessionId });
    expect(outcomeOf(await say(resumed, 'And?'))).toEqual({ kind: 'answered' });
    expect(JSON.stringify(server!.requests.at(-1)!.body)).toContain('not known');
  });
});
