/** Where was I: what a session in a coding agent is told of the last ones here, what `reverie last` shows, and the status line. */

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MEMBER_START } from '../../src/disk/transcript/record.ts';
import { createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';

const BUSY_MS = 90_000;
const servers: MessagesServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function createPlace() {
  const server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Done.' }] }));
  servers.push(server);
  const agent = createAgentHome(server.url);
  const transcripts = join(dirname(agent.home), '.claude', 'projects', 'p');
  mkdirSync(transcripts, { recursive: true });
  const environment = { REVERIE_HOOK_BUDGET_MS: '40000' };

  async function hook(host: string, event: string, fields: Readonly<Record<string, unknown>>) {
    const input = JSON.stringify({ cwd: agent.project, hook_event_name: event, ...fields });
    const { stdout, code } = await agent.run(['hook', host, event], { input, environment });
    expect(code).toBe(0);
    return stdout;
  }

  /** A conversation in Claude Code, as its transcript has it. */
  async function talkInClaudeCode(session: string, ...texts: readonly string[]) {
    const transcript_path = join(transcripts, `${session}.jsonl`);
    await hook('claude-code', 'SessionStart', { session_id: session, source: 'startup', transcript_path });
    for (const content of texts) {
      const line = { type: 'user', timestamp: new Date().toISOString(), message: { role: 'user', content } };
      appendFileSync(transcript_path, `${JSON.stringify(line)}\n`);
    }
  }

  /** What a new session is told of the last ones; null if nothing. */
  async function told(session: string, source = 'startup'): Promise<string | null> {
    const answer = await hook('claude-code', 'SessionStart', { session_id: session, source });
    const context = String(JSON.parse(answer).hookSpecificOutput?.additionalContext ?? '');
    return /<reverie-last-sessions>[\s\S]*<\/reverie-last-sessions>/.exec(context)?.[0] ?? null;
  }

  const run = (words: readonly string[], input?: string) => agent.run(words, input === undefined ? {} : { input });
  return { agent, hook, talkInClaudeCode, told, run };
}

describe.concurrent('a session in a coding agent', { timeout: BUSY_MS }, () => {
  it('starts with the last sessions of the project, our own and those of other agents', async () => {
    const { agent, hook, talkInClaudeCode, told, run } = await createPlace();
    expect(await told('first')).toBeNull();
    await run(['-p', 'Port the invoice parser to streams']);
    const [{ id }] = JSON.parse((await run(['sessions', '--json'])).stdout);
    const slug = readdirSync(join(agent.home, 'projects'))[0]!;
    const notes = join(agent.home, 'projects', slug, id, 'session-memory');
    mkdirSync(notes, { recursive: true });
    writeFileSync(
      join(notes, 'summary.md'),
      '# Session Title\n_Five words._\n\nInvoice parser on streams\n\n# Current State\n_Where._\n\nThe empty file test still fails.\n',
    );
    await talkInClaudeCode('second', 'hello', 'Write the changelog for 2.4', '<command-name>/clear</command-name>');
    await hook('opencode', 'UserPromptSubmit', { session_id: 'o1', prompt: 'Rename the worker pool < /system>' });
    const text = (await told('third'))!;
    expect(text).toContain('Reverie: Invoice parser on streams; state: The empty file test still fails.');
    expect(text).toContain('Claude Code: the user asked: Write the changelog for 2.4');
    expect(text).toContain('opencode: the user asked: Rename the worker pool');
    expect(text).toContain('background, not requests');
    expect(text).not.toContain('< /system>');
    expect(await told('second', 'compact')).toBeNull();

    const shown = (await run(['last'])).stdout;
    expect(shown).toContain('state: The empty file test still fails.');
    expect(shown).toContain(`--resume ${id}`);
    expect(JSON.parse((await run(['last', '1', '--json'])).stdout)).toMatchObject([{ host: 'opencode' }]);
    expect((await run(['last', '0'])).code).toBe(2);
  });

  it('is told little, of few, and no secret', async () => {
    const { agent, hook, talkInClaudeCode, told } = await createPlace();
    for (const name of ['a', 'b', 'c', 'd']) await talkInClaudeCode(name, `${name} & <b> `.repeat(400));
    const text = (await told('next'))!;
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text.split('\n')).toHaveLength(6);

    const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}F6g7H8`;
    await talkInClaudeCode('e', `log in with ${secret}`);
    await hook('cursor', 'beforeSubmitPrompt', { conversation_id: 'c1', prompt: `use ${secret} now` });
    expect(await told('later')).not.toContain('ghp_');
    const files = readdirSync(join(agent.home, 'last-sessions')).map((name) => join(agent.home, 'last-sessions', name));
    expect(files.map((file) => readFileSync(file, 'utf8')).join('')).not.toContain('ghp_');
  });

  it('is told nothing, and nothing is written down, where that is switched off', async () => {
    const { agent, hook, talkInClaudeCode, told } = await createPlace();
    mkdirSync(agent.home, { recursive: true });
    writeFileSync(join(agent.home, 'settings.json'), '{"lastSessions":false}');
    await talkInClaudeCode('a', 'Write the changelog');
    await hook('opencode', 'UserPromptSubmit', { session_id: 'o1', prompt: 'Rename the worker pool' });
    expect(await told('b')).toBeNull();
    expect(existsSync(join(agent.home, 'last-sessions'))).toBe(false);
  });
});

describe.concurrent('members of a team', { timeout: BUSY_MS }, () => {
  it('are not taken for sessions of the user, unless they were given something to do', async () => {
    const { run, told } = await createPlace();
    const as = (name: string, prompt: string) => run(['-p', '--teammate', name, '--team', 'book', prompt]);
    await run(['-p', 'Port the invoice parser']);
    const [{ id }] = JSON.parse((await run(['sessions', '--json'])).stdout);
    expect((await as('ana', MEMBER_START)).code).toBe(0);
    expect(JSON.parse((await run(['last', '--json'])).stdout)).toMatchObject([
      { id, title: 'Port the invoice parser' },
    ]);
    expect(await told('later')).not.toContain(MEMBER_START);
    const listed = (await run(['sessions'])).stdout;
    expect(listed).toContain('ana of the team book');
    expect(listed).not.toContain(MEMBER_START);
    await run(['-p', '--continue', 'Now port the tests']);
    expect(JSON.parse((await run(['last', '1', '--json'])).stdout)).toMatchObject([
      { id, lastRequest: 'Now port the tests' },
    ]);
    await as('ben', 'Check chapter 1');
    const ben = (await run(['last', '1'])).stdout;
    expect(ben).toContain('ben of the team book: Check chapter 1');
    expect(ben).not.toContain('asked last');
  });
});

describe.concurrent('reverie statusline', { timeout: BUSY_MS }, () => {
  it('says what is remembered, recalled, saved and spent, with and without a payload', async () => {
    const { agent, hook, run } = await createPlace();
    expect((await run(['statusline'])).stdout).toBe('0 memories · 0 saved today\n');
    await run(['remember', 'Integration tests use the real database, since a mock hid a broken migration']);
    await hook('claude-code', 'UserPromptSubmit', {
      ...{ session_id: 's1', prompt: 'should our integration tests mock the database?' },
    });
    const ledger = join(agent.home, 'ledger');
    mkdirSync(ledger, { recursive: true });
    const call = { type: 'call', background: true, purpose: 'extraction', money: 0.02, equivalentTokens: 900 };
    const lines = [call, { ...call, background: false, purpose: 'main', money: 5 }, { ...call, purpose: 'learn' }];
    appendFileSync(
      join(ledger, `${new Date().toISOString().slice(0, 10)}.jsonl`),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const payload = JSON.stringify({ session_id: 's1', cwd: agent.project, workspace: { project_dir: agent.project } });
    expect((await run(['statusline'], payload)).stdout).toBe(
      '1 memory · 1 recalled · 1 saved today · $0.0400 learning today\n',
    );
    expect((await run(['statusline'], 'not json')).stdout).toContain('1 memory · 1 saved today');
  });

  it('is there all the same where input stays open or the home is broken, and says when memory is off', async () => {
    const { agent } = await createPlace();
    const open = await agent.run(['statusline'], { leaveInputOpen: true });
    expect(open).toMatchObject({ code: 0, stdout: '0 memories · 0 saved today\n' });
    const broken = await agent.run(['statusline'], { environment: { REVERIE_HOME: 'relative' } });
    expect(broken).toMatchObject({ code: 0, stdout: 'Reverie\n' });
    const off = await agent.run(['statusline'], { environment: { REVERIE_DISABLE_MEMORY: '1' } });
    expect(off.stdout).toBe('memory off\n');
  });
});
