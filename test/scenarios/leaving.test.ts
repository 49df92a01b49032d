/** Leaving while memory is being written, as real processes: by signals, by keys, by a closed window, and for another session. */

import { existsSync, readdirSync } from 'node:fs';
import { afterAll, describe, type ExpectStatic, it } from 'vitest';
import { createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../support/messages-server.ts';
import { hasTmux, openTerminal, type TmuxTerminal } from '../support/tmux.ts';

const isPosix = process.platform !== 'win32';
const WISH = 'From now on, write every commit message in the imperative mood.';
const HANG = { timeout: 30_000 };
/** Processes beside one another take longer, each by itself; less than the chat would wait for a model at its end. */
const SIDE_BY_SIDE = { concurrent: true, timeout: 50_000 };

const servers: MessagesServer[] = [];
const terminals: TmuxTerminal[] = [];

const isExtraction = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const isPrompt = ({ body }: RecordedRequest) => body.stream === true;

/** Files of what is remembered, in whatever folder. */
function remembered(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /memory\/[a-z]+_[^/]*\.md$/.test(name));
}

afterAll(async () => {
  for (const terminal of terminals) terminal.close();
  await Promise.all(servers.map((server) => server.close()));
});

/** A server that answers no extraction, and a home of its own for each test. */
async function serve(expect: ExpectStatic) {
  const server = await startMessagesServer((request) =>
    isExtraction(request) ? { hang: true } : { content: [{ type: 'text', text: 'I will.' }] },
  );
  servers.push(server);
  return {
    server,
    home: createAgentHome(server.url),
    prompts: () => server.requests.filter((request) => isPrompt(request) && !isExtraction(request)),
    /** An extraction is running, and will not answer. */
    hanging: () => expect.poll(() => server.requests.some(isExtraction), HANG).toBe(true),
  };
}

describe.runIf(isPosix)('a signal in the wait', SIDE_BY_SIDE, () => {
  it('ends print mode with its code, after what was asked for outright is kept and told', async ({ expect }) => {
    const { home, hanging } = await serve(expect);
    const running = home.start(['-p', '--output-format', 'json', WISH]);
    await running.until('"result"');
    await hanging();
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ is_error: false, result: 'I will.' });
    expect(stderr).toContain('the answer is whole. Saved to memory: “Write every commit message');
    expect(remembered(home.home)).toHaveLength(1);
    expect((await home.here(['status'])).stdout).toMatch(/extraction: .*stopped, 1 saved/);
  });

  it.for([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends the chat likewise', async ([signal, expected], { expect }) => {
    const { home, hanging } = await serve(expect);
    const running = home.start(['chat'], { leaveInputOpen: true });
    running.child.stdin!.write(`${WISH}\n`);
    await running.until('I will.');
    await hanging();
    running.child.kill(signal);
    const { code, stdout } = await running.ended;
    expect(code).toBe(expected);
    expect(stdout).toContain('Saved to memory');
    expect(remembered(home.home)).toHaveLength(1);
  });
});

describe('a new session', SIDE_BY_SIDE, () => {
  it('does not wait for the one before it, takes what is sent right behind /clear, and tells at the end what that one saved', async ({
    expect,
  }) => {
    const { home, prompts, hanging } = await serve(expect);
    const running = home.start(['chat'], { leaveInputOpen: true });
    const input = running.child.stdin!;
    input.write(`${WISH}\n`);
    await hanging();
    input.write('/clear\nWho are you?\n');
    await expect.poll(() => prompts().length, HANG).toBe(2);
    expect(prompts()[1]!.bytes).toContain('Who are you?');
    expect(prompts()[1]!.bytes).not.toContain('imperative mood');
    running.child.kill('SIGTERM');
    const { stdout } = await running.ended;
    expect(stdout.split('Saved to memory')).toHaveLength(2);
    expect(remembered(home.home)).toHaveLength(1);
  });

  it('may be the one before it again', async ({ expect }) => {
    const { home, prompts, hanging } = await serve(expect);
    const running = home.start(['chat'], { leaveInputOpen: true });
    const input = running.child.stdin!;
    input.write(`${WISH}\n`);
    await hanging();
    input.write('/clear\n');
    await running.until('The one before: /resume ');
    const id = (await home.run(['sessions', '--json'])).stdout.match(/"id":\s*"([^"]+)"/)![1]!;
    input.write(`/resume ${id}\nAnd now?\n`);
    await expect.poll(() => prompts().length, HANG).toBe(2);
    expect(prompts()[1]!.bytes).toContain('imperative mood');
    running.child.kill('SIGTERM');
    await running.ended;
    expect((await home.here(['sessions', '--json'])).stdout.match(/"id":/g)).toHaveLength(1);
  });
});

describe.runIf(hasTmux)('at a terminal', SIDE_BY_SIDE, () => {
  async function wished(expect: ExpectStatic): Promise<TmuxTerminal> {
    const { server, hanging } = await serve(expect);
    const environment = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key' };
    const opened = openTerminal({ environment, columns: 100 });
    terminals.push(opened);
    await opened.reverie();
    await opened.until('>');
    opened.type(WISH);
    opened.press('Enter');
    await opened.until('I will.');
    await hanging();
    return opened;
  }

  it('Ctrl-C twice waits for no model', async ({ expect }) => {
    const opened = await wished(expect);
    opened.press('C-c', 'C-c');
    expect(await opened.until('To go on:')).toContain('Saved to memory');
    expect(remembered(opened.home)).toHaveLength(1);
  });

  it('a window that is closed loses nothing', async ({ expect }) => {
    const opened = await wished(expect);
    opened.hangUp();
    await expect.poll(() => remembered(opened.home), HANG).toHaveLength(1);
  });
});
