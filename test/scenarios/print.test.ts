/** `reverie -p` over real HTTP, as a process wherever that is tested: what it prints, what it sends, what it leaves behind. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';

const isPosix = process.platform !== 'win32';
/** Processes beside one another take longer, each by itself. */
const SIDE_BY_SIDE = { concurrent: true, timeout: 60_000 };
const words = (text: string) => ({ content: [{ type: 'text', text }] });
const uses = (name: string, input: Record<string, unknown>) => ({
  content: [{ type: 'tool_use', id: 'toolu_1', name, input }],
});

const servers: MessagesServer[] = [];

afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A home of its own for each test; the answers in turn, the last one for whatever comes after. */
async function serve(...answers: (ServerAnswer | ((project: string) => ServerAnswer))[]) {
  const server = await startMessagesServer((_, index) => {
    const answer = answers[Math.min(index, answers.length - 1)]!;
    return typeof answer === 'function' ? answer(agent.project) : answer;
  });
  servers.push(server);
  const agent = createAgentHome(server.url);
  const asked = () => server.requests.filter(({ path }) => /^\/v1\/messages(\?|$)/.test(path));
  return { agent, asked };
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('text', SIDE_BY_SIDE, () => {
  it('is the answer to the words and to what was piped in', async () => {
    const { agent, asked } = await serve(words('It is\u001b[2J 4.'));
    const ran = await agent.run(['-p', 'What is this?'], { input: '2 + 2\n' });
    expect(ran).toMatchObject({ code: 0, stdout: 'It is\u001b[2J 4.\n' });
    expect(JSON.stringify(asked()[0]!.body.messages)).toContain('What is this?\\n\\n<piped>\\n2 + 2\\n\\n</piped>');
  });

  it('comes without the words before a tool, which ran', async () => {
    const { agent, asked } = await serve(
      { content: [...words('Let me look.').content, ...uses('Read', { file_path: 'a.txt' }).content] },
      words('It says hello.'),
    );
    writeFileSync(join(agent.project, 'a.txt'), 'hello there\n');
    expect(await agent.here(['-p', 'What does a.txt say?'])).toMatchObject({ code: 0, stdout: 'It says hello.\n' });
    expect(JSON.stringify(asked()[1]!.body.messages.at(-1))).toContain('hello there');
  });
});

describe('json', SIDE_BY_SIDE, () => {
  it('is one line, and names a session that can be gone on with', async () => {
    const { agent, asked } = await serve(words('One.'), words('Two.'), words('Three.'));
    const first = linesOf((await agent.run(['-p', 'first', '--output-format', 'json'])).stdout);
    expect(first).toMatchObject([
      { type: 'result', subtype: 'success', is_error: false, result: 'One.', num_turns: 1, permission_denials: [] },
    ]);
    expect(first[0].usage.output_tokens).toBeGreaterThan(0);
    const resumed = linesOf((await agent.here(['-p', 'second', '--json', '--resume', first[0].session_id])).stdout);
    expect(resumed).toMatchObject([{ result: 'Two.', session_id: first[0].session_id }]);
    await agent.here(['-p', 'third', '--continue']);
    const conversations = asked().map(({ body }) => JSON.stringify(body.messages));
    for (const said of ['first', 'One.', 'second', 'Two.', 'third']) expect(conversations[2]).toContain(said);
    expect(conversations[1]).not.toContain('Two.');

    const listed = JSON.parse((await agent.run(['sessions', '--json'])).stdout);
    expect(listed).toMatchObject([{ id: first[0].session_id, title: 'first' }]);
    expect((await agent.here(['sessions'])).stdout).toContain(`--resume ${first[0].session_id}`);
  });

  it('names the session it was forked from, where that one is open elsewhere', async () => {
    const { agent, asked } = await serve(words('One.'), { hang: true }, words('Two.'));
    const [{ session_id }] = linesOf((await agent.here(['-p', 'first', '--json'])).stdout);
    const open = agent.start(['-p', 'second', '--resume', session_id]);
    while (asked().length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    const forked = await agent.run(['-p', 'third', '--resume', session_id, '--output-format', 'stream-json']);
    const [init] = linesOf(forked.stdout);
    expect(init).toMatchObject({ subtype: 'init', forked_from: session_id });
    expect(init.session_id).not.toBe(session_id);
    expect(JSON.stringify(asked()[2]!.body.messages)).toMatch(/first.*One\..*third/);
    open.child.kill('SIGKILL');
    await open.ended;
  });

  it('keeps nothing with --no-transcript', async () => {
    const { agent } = await serve(words('One.'));
    expect((await agent.here(['-p', 'x', '--no-transcript'])).code).toBe(0);
    expect(JSON.parse((await agent.here(['sessions', '--json'])).stdout)).toEqual([]);
  });
});

describe('stream-json', SIDE_BY_SIDE, () => {
  const flags = ['--output-format', 'stream-json', '--verbose'];

  it('has every message in its order', async () => {
    const { agent } = await serve(
      { status: 529, error: { type: 'overloaded_error', message: 'busy' }, headers: { 'retry-after': '0' } },
      uses('Read', { file_path: 'a.txt' }),
      words('Done.'),
    );
    writeFileSync(join(agent.project, 'a.txt'), 'hello there\n');
    const { code, stdout } = await agent.run(['-p', 'x', ...flags]);
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    expect(lines.map(({ type, subtype }) => subtype ?? type)).toEqual([
      ...['init', 'api_retry', 'assistant', 'user', 'assistant', 'success'],
    ]);
    const id = lines[0].session_id;
    for (const line of lines) expect(line).toMatchObject({ session_id: id, uuid: expect.any(String) });
    expect(lines[0]).toMatchObject({ cwd: agent.project, permissionMode: 'default' });
    expect(lines[0].tools).toContain('Read');
    expect(lines[2].message).toMatchObject({
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'Read' }],
    });
    expect(lines[3].message.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_1' }]);
    expect(lines[5]).toMatchObject({ result: 'Done.', num_turns: 2 });
  });

  it('comes as it happens', async () => {
    const { agent } = await serve(uses('Read', { file_path: 'a.txt' }), { hang: true });
    writeFileSync(join(agent.project, 'a.txt'), 'hello there\n');
    const running = agent.start(['-p', 'x', ...flags]);
    await running.until('"tool_result"');
    running.child.kill('SIGKILL');
    await running.ended;
  });
});

describe('tools', SIDE_BY_SIDE, () => {
  const write = (project: string) => uses('Write', { file_path: join(project, 'new.txt'), content: 'x' });

  it('that write are denied, to the model with the reason, unless the mode allows them', async () => {
    const { agent, asked } = await serve(write, words('I may not.'), write, words('I may.'));
    const file = join(agent.project, 'new.txt');
    const { code, stdout, stderr } = await agent.here(['-p', 'x', '--output-format', 'json']);
    expect(code).toBe(0);
    expect(linesOf(stdout)[0].permission_denials).toMatchObject([{ tool_name: 'Write', tool_use_id: 'toolu_1' }]);
    expect(stderr).toContain('Write was denied');
    const told = asked()[1]!.body.messages.at(-1).content[0];
    expect(told).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true });
    expect(existsSync(file)).toBe(false);
    const allowed = await agent.here(['-p', 'x', '--permission-mode', 'acceptEdits']);
    expect(allowed).toMatchObject({ code: 0, stdout: 'I may.\n' });
    expect(readFileSync(file, 'utf8')).toBe('x');
  });

  it('stop after --max-turns', async () => {
    const { agent, asked } = await serve(uses('Read', { file_path: 'a.txt' }));
    const { code, stdout, stderr } = await agent.run(['-p', 'x', '--max-turns', '2', '--output-format', 'json']);
    expect(code).toBe(1);
    expect(linesOf(stdout)).toMatchObject([{ subtype: 'error_max_turns', is_error: true, num_turns: 2 }]);
    expect(asked()).toHaveLength(2);
    expect(stderr).toContain('--resume');
  });
});

describe.runIf(isPosix)('an end that nobody planned', SIDE_BY_SIDE, () => {
  it('by Ctrl-C leaves a session that can be gone on with, and says how', async () => {
    const { agent, asked } = await serve(
      words('Hello.'),
      { ...words('A long answer that never ends.'), hangAfterEvents: 3 },
      words('Here I am.'),
    );
    await agent.here(['-p', 'first']);
    const running = agent.start(['-p', 'second', '--continue', '--output-format', 'stream-json']);
    await running.until('"init"');
    while (asked().length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: 'result', is_error: true });
    const [, id] = /reverie -p --resume (\S+)/.exec(stderr) ?? [];
    expect(await agent.here(['-p', 'third', '--resume', id!])).toMatchObject({ code: 0, stdout: 'Here I am.\n' });
    expect(JSON.stringify(asked()[2]!.body.messages)).toMatch(/first.*Hello\..*second.*third/);
  });

  it('by a reader that goes away is quiet', async () => {
    const { agent } = await serve(uses('Read', { file_path: 'a.txt' }));
    const running = agent.start(['-p', 'x', '--output-format', 'stream-json']);
    running.child.stdout!.once('data', () => running.child.stdout!.destroy());
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('what it cost', SIDE_BY_SIDE, () => {
  it('is in stats, by purpose and model', async () => {
    const { agent } = await serve(uses('Read', { file_path: 'a.txt' }), words('Done.'));
    const [{ session_id, usage }] = linesOf(
      (await agent.here(['-p', 'x', '--json', '--model', 'claude-opus-4-5'])).stdout,
    );
    const stats = JSON.parse((await agent.run(['stats', '--json'])).stdout);
    expect(stats).toMatchObject({ sessions: 1, rounds: 2 });
    expect(stats.byPurpose).toMatchObject([
      { name: 'main', calls: 2, failed: 0, usage: { outputTokens: usage.output_tokens } },
    ]);
    expect(stats.byModel).toMatchObject([{ name: 'claude-opus-4-5', calls: 2 }]);
    expect(JSON.parse((await agent.here(['stats', '--session', session_id, '--json'])).stdout)).toEqual({
      ...stats,
      memory: null,
    });
    expect((await agent.here(['stats', '--session', 'another'])).stdout).toContain(
      'No call of a model is recorded for session another.',
    );
    expect((await agent.here(['stats'])).stdout).toContain('by purpose');
    expect((await agent.here(['stats', 'cache'])).stdout).toContain('The prompt cache was not broken.');
  });

  it('is told by --debug, without the key', async () => {
    const { agent } = await serve(words('Done.'));
    const { stderr } = await agent.here(['-p', 'x', '--debug']);
    expect(stderr).toMatch(/request 1: .*in \d+, cache read \d+, cache written \d+, out \d+/);
    expect(stderr).not.toContain('test-key');
  });
});
