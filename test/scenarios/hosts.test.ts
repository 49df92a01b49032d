/** What coding agents really send and show, replayed through the built hook: their limits, sub-agents, compactions and starts. */

import { appendFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readHookProblems } from '../../src/hooks/run/status.ts';
import { type Memory, openMemory } from '../../src/index.ts';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';
import { runBuiltHook } from '../support/built-hook.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BUSY_MS = 90_000;

type Fields = Readonly<Record<string, unknown>>;

function createPlace() {
  const root = temporaryFolder('hosts');
  for (const folder of ['user', 'project']) mkdirSync(join(root, folder));
  const [home, cwd] = [join(root, 'home'), join(root, 'project')];
  const environment = { PATH: process.env.PATH, HOME: join(root, 'user'), REVERIE_HOME: home };
  const transcripts = {
    claude: join(root, 'user/.claude/projects/s1.jsonl'),
    codex: join(root, 'user/.codex/sessions/s1.jsonl'),
  };
  for (const path of Object.values(transcripts)) mkdirSync(dirname(path), { recursive: true });

  async function hook(host: string, event: string, fields: Fields = {}): Promise<string> {
    const common = {
      session_id: 's1',
      cwd,
      transcript_path: transcripts[host === 'codex' ? 'codex' : 'claude'],
      hook_event_name: event,
    };
    const input = JSON.stringify({ ...common, ...fields });
    const { code, stdout } = await runBuiltHook(['hook', host, event], { input, environment });
    expect(code).toBe(0);
    const { hookSpecificOutput, context } = JSON.parse(stdout || '{}') as {
      hookSpecificOutput?: { additionalContext?: string };
      context?: string;
    };
    return hookSpecificOutput?.additionalContext ?? context ?? '';
  }

  async function withMemory<T>(use: (memory: Memory) => Promise<T>): Promise<T> {
    const memory = await openMemory({ cwd, home, env: environment });
    const result = await use(memory);
    await memory.close();
    return result;
  }
  return { root, home, cwd, environment, transcripts, hook, withMemory };
}

const NO_MOCKS = {
  type: 'feedback',
  name: 'No mocks',
  description: 'Integration tests use the real database',
  body: 'Use the real database in integration tests: a mocked one hid a broken migration.',
} as const;
const TASK = 'Should our integration tests mock the database? Answer in a word.';
const ASKS = { prompt: 'should our integration tests mock the database?' };

describe('an index that is longer than a host shows', { timeout: BUSY_MS }, () => {
  async function fill(memory: Memory) {
    const { file } = await memory.save({ type: 'reference', name: 'Board', description: 'The board', body: 'Room 4.' });
    await memory.pin(file);
    await memory.save(NO_MOCKS);
    for (let at = 0; at < 150; at++) {
      const [type, scope] = at % 3 === 0 ? (['user', 'global'] as const) : (['project', 'project'] as const);
      const description = `Team ${at} keeps what it decided about service ${at} in mind for the next quarter`;
      await memory.save({ type, scope, name: `Fact ${at}`, description, body: `Fact ${at} holds.` });
    }
  }

  /** Made once: so many saves take longer than all the rest. */
  const place = createPlace();
  beforeAll(() => place.withMemory(fill), BUSY_MS);

  it('comes with the most useful lines whole, and says how to see the others', async () => {
    const { hook } = place;
    for (const host of ['claude-code', 'codex']) {
      const start = await hook(host, 'SessionStart', { source: 'startup' });
      expect(Buffer.byteLength(start)).toBeLessThan(10_000);
      expect(Buffer.byteLength(start)).toBeGreaterThan(8_000);
      for (const line of [
        '(reference_board.md)',
        '(feedback_no-mocks.md)',
        '(project_fact-149.md)',
        '(user_fact-147.md)',
      ])
        expect(start).toContain(line);
      expect(start).not.toContain('(project_fact-1.md)');
      expect(start).toMatch(/\(\d+ of 102 memories\. To see the others: memory_list\. To find one: memory_search\.\)/);
      expect(start).toContain('memory_get');
      expect(start.endsWith('</reverie-memory>')).toBe(true);
    }
    const whole = await hook('gemini', 'BeforeAgent', ASKS);
    expect(whole).not.toContain('reverie-memory');
    await hook('gemini', 'SessionStart', { source: 'startup', session_id: 's2' });
    expect(await hook('gemini', 'BeforeAgent', { ...ASKS, session_id: 's2' })).toContain('(project_fact-1.md)');
  });

  it('is kept while nothing changes, and made again when something does or was purged', async () => {
    const { home, hook, withMemory } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    const start = (session_id: string) => hook('claude-code', 'SessionStart', { source: 'startup', session_id });
    // A recall brings the index up to date; from then on it is known when something changes.
    await hook('claude-code', 'UserPromptSubmit', ASKS);
    const first = await start('a');
    expect(await start('b')).toBe(first);
    const board = { type: 'reference', name: 'Board', description: 'The board', body: 'Room 4.' } as const;
    await withMemory((memory) => memory.save(board));
    expect(await start('c')).toContain('(reference_board.md)');
    await hook('claude-code', 'UserPromptSubmit', ASKS);
    await start('d');
    await withMemory((memory) => memory.purge('reference_board.md'));
    const left = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.startsWith('start-'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(left.join('\n')).not.toContain('reference_board.md');
    expect(await start('e')).toBe(first);
  });

  it('leaves room for what a message calls for when it comes back with one', async () => {
    const { hook, transcripts } = place;
    const session = { session_id: 's3' };
    await hook('codex', 'SessionStart', { source: 'startup', ...session });
    appendFileSync(
      transcripts.codex,
      `${JSON.stringify({ timestamp: '2100-01-01T00:00:00.000Z', type: 'compacted' })}\n`,
    );
    const both = await hook('codex', 'UserPromptSubmit', { ...ASKS, ...session });
    expect(both).toContain('<reverie-memory>');
    expect(both).toContain('a mocked one hid a broken migration');
    expect(Buffer.byteLength(both)).toBeLessThan(10_000);
  });

  it('that is far too long is read in part, by a process that may be ended', async () => {
    const agent: AgentHome = createAgentHome(null);
    const home = join(agent.project, '..', 'home');
    const environment = { REVERIE_HOME: home, REVERIE_HOOK_BUDGET_MS: '60000' };
    const memory = await openMemory({ cwd: agent.project, home, env: { HOME: home } });
    await memory.save(NO_MOCKS);
    truncateSync(join(memory.folders.project!, 'MEMORY.md'), 300_000_000);
    await memory.close();
    const input = JSON.stringify({ session_id: 's', cwd: agent.project, hook_event_name: 'SessionStart' });
    const ran = await agent.run(['hook', 'claude-code', 'SessionStart'], { environment, input });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('(feedback_no-mocks.md)');
    agent.remove();
  });
});

describe('a sub-agent of Claude Code', { timeout: BUSY_MS }, () => {
  /** As Claude Code 2.1 writes it before the sub-agent starts. */
  const callLine = (id: string, subagent_type: string, prompt: string) => {
    const call = { type: 'tool_use', id, name: 'Agent', input: { description: 'check tests', prompt, subagent_type } };
    return `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [call] } })}\n`;
  };
  const started = { agent_id: 'af631e3740c8d2d41', agent_type: 'general-purpose', prompt_id: 'p' };

  it('is given the feedback and references that bear on its task, and no other', async () => {
    const { hook, withMemory, transcripts } = createPlace();
    await withMemory(async (memory) => {
      await memory.save(NO_MOCKS);
      const about = 'Integration tests that mock the database were decided on by Ada';
      await memory.save({ type: 'project', name: 'Decided', description: about, body: `${about}.` });
    });
    writeFileSync(transcripts.claude, callLine('toolu_1', 'general-purpose', TASK));
    const given = await hook('claude-code', 'SubagentStart', started);
    expect(given).toContain('a mocked one hid a broken migration');
    expect(given).not.toContain('decided on by Ada');
    expect(given).not.toContain('<reverie-memory>');
    // Claude Code escapes the tags of its own that a hook answers with.
    expect(given).toMatch(/^<reverie-recall>\n[^<]*\n<\/reverie-recall>$/);
    // Its parent has not seen it by that.
    expect(await hook('claude-code', 'UserPromptSubmit', ASKS)).toContain('a mocked one hid');
    expect(await hook('claude-code', 'PostToolUse', { ...started, tool_name: 'Read' })).toBe('');
  });

  it('is given nothing for a task that was answered, or is another’s', async () => {
    const { hook, withMemory, transcripts } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    writeFileSync(transcripts.claude, callLine('toolu_1', 'Explore', TASK));
    expect(await hook('claude-code', 'SubagentStart', started)).toBe('');
    const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'no' }] };
    appendFileSync(transcripts.claude, `${JSON.stringify({ type: 'user', message: answer })}\n`);
    expect(await hook('claude-code', 'SubagentStart', { ...started, agent_type: 'Explore' })).toBe('');
  });

  it('that starts in the background is given it too: its call has a result by then', async () => {
    const { hook, withMemory, transcripts } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    // As Claude Code 2.1.326 writes it, before it says that the sub-agent starts.
    const launched = (id: string, agentId: string, prompt: string) => {
      const content = [{ type: 'text', text: `Async agent launched successfully.\nagentId: ${agentId}` }];
      return `${JSON.stringify({
        type: 'user',
        message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content }] },
        toolUseResult: { isAsync: true, status: 'async_launched', agentId, description: 'check tests', prompt },
      })}\n`;
    };
    const other = 'Draw the logo of the portal in a warmer colour';
    writeFileSync(transcripts.claude, callLine('toolu_1', 'general-purpose', TASK));
    appendFileSync(transcripts.claude, launched('toolu_1', started.agent_id, TASK));
    appendFileSync(transcripts.claude, callLine('toolu_2', 'general-purpose', other));
    appendFileSync(transcripts.claude, launched('toolu_2', 'another', other));
    expect(await hook('claude-code', 'SubagentStart', { ...started, agent_id: 'another' })).toBe('');
    expect(await hook('claude-code', 'SubagentStart', started)).toContain('a mocked one hid a broken migration');
  });
});

describe('opencode', { timeout: BUSY_MS }, () => {
  interface Message {
    readonly info: { readonly id: string; readonly role: string; readonly sessionID: string };
    readonly parts: { type: string; text: string }[];
  }
  interface Hooks {
    'chat.message'(
      input: object,
      output: { message: { id: string }; parts: { type: string; text: string }[] },
    ): Promise<void>;
    'experimental.session.compacting'(input: { sessionID: string }): Promise<void>;
    'experimental.chat.messages.transform'(input: object, output: { messages: Message[] }): Promise<void>;
    event(input: { event: { type: string; properties: object } }): Promise<void>;
  }

  /** A process of opencode: it loads the plugin again. */
  async function start({ cwd, home, root }: ReturnType<typeof createPlace>, process: number): Promise<Hooks> {
    const { pluginText } = await import('../../src/hooks/hosts/opencode-plugin.ts');
    const copy = join(root, `plugin-${process}.mjs`);
    const binary = join(import.meta.dirname, '../../dist/main.js');
    writeFileSync(copy, pluginText([globalThis.process.execPath, binary], ['--home', home]));
    const { Reverie } = (await import(copy)) as { Reverie(input: object): Promise<Hooks> };
    return Reverie({ directory: cwd, client: { session: { get: async () => ({ data: {} }) } } });
  }

  it('is told of the last sessions where one begins, and not where one goes on', async () => {
    vi.stubEnv('REVERIE_HOOK_BUDGET_MS', '40000');
    const place = createPlace();
    await place.withMemory((memory) => memory.save(NO_MOCKS));
    const hooks = await start(place, 5);
    const toldIn = async (sessionID: string, text: string) => {
      const parts = [{ type: 'text', text }];
      await hooks['chat.message']({ sessionID }, { message: { id: 'm' }, parts });
      return parts.slice(1).map((part) => part.text);
    };
    await toldIn('one', 'Move the login page of the portal.');
    await hooks.event({ event: { type: 'session.created', properties: { info: { id: 'two' } } } });
    expect(await toldIn('two', 'What is next?')).toEqual([
      expect.stringMatching(/<reverie-memory>.*<reverie-last-sessions>.*login page/s),
    ]);
    expect(await toldIn('two', 'And then?')).toEqual([]);
    expect(await toldIn('three', 'Where were we?')).toEqual([expect.not.stringContaining('<reverie-last-sessions>')]);
    vi.unstubAllEnvs();
  });

  it('is told once in a session that several processes go on with, and again after a compaction', async () => {
    vi.stubEnv('REVERIE_HOOK_BUDGET_MS', '40000');
    const place = createPlace();
    await place.withMemory((memory) => memory.save(NO_MOCKS));
    const said = (text: string): Message => ({
      info: { id: 'm', role: 'user', sessionID: 's' },
      parts: [{ type: 'text', text }],
    });
    const holds = (messages: readonly Message[]) => JSON.stringify(messages).includes('<reverie-memory>');
    /** What the model would be sent, as opencode keeps it. */
    let context: Message[] = [];
    const isTold = async (hooks: Hooks) => {
      const message = said('where were we then?');
      await hooks['chat.message']({ sessionID: 's' }, { message: { id: 'm' }, parts: message.parts });
      context.push(message);
      return holds([message]);
    };
    /** How often a request of it holds the index: what is added for one is not kept. */
    const request = async (hooks: Hooks) => {
      const messages = structuredClone(context);
      await hooks['experimental.chat.messages.transform']({}, { messages });
      return messages.flatMap(({ parts }) => parts).filter((part) => part.text?.includes('<reverie-memory>')).length;
    };
    const compact = async (hooks: Hooks, left: Message[]) => {
      await hooks['experimental.session.compacting']({ sessionID: 's' });
      context = [...left, said('Continue if you have next steps')];
      await hooks.event({ event: { type: 'session.compacted', properties: { sessionID: 's' } } });
    };
    const first = await start(place, 1);
    expect([await isTold(first), await request(first), await isTold(first), await request(first)]).toEqual([
      ...[true, 1, false, 1],
    ]);
    const second = await start(place, 2);
    expect([await isTold(second), await request(second)]).toEqual([false, 1]);
    // The request for a summary failed: nothing is lost.
    await second['experimental.session.compacting']({ sessionID: 's' });
    expect([await isTold(second), await request(second)]).toEqual([false, 1]);
    // A short conversation keeps its beginning, with the index.
    await compact(second, context);
    expect([await request(second), await isTold(second), await request(second)]).toEqual([1, false, 1]);
    await compact(second, []);
    expect([await request(second), await request(second)]).toEqual([1, 1]);
    const third = await start(place, 3);
    expect([await isTold(third), await request(third)]).toEqual([true, 1]);
    // A compaction that the user asked for: the next thing is a message.
    await compact(third, []);
    expect([await isTold(third), await request(third)]).toEqual([false, 1]);
    expect([await isTold(third), await request(third), await isTold(third), await request(third)]).toEqual([
      ...[true, 1, false, 1],
    ]);
    // Another process goes on after it.
    await compact(third, []);
    const fourth = await start(place, 4);
    expect([await isTold(fourth), await request(fourth), await isTold(fourth)]).toEqual([false, 1, true]);
    vi.unstubAllEnvs();
  });
});

describe('a home', { timeout: BUSY_MS }, () => {
  it('that cannot be written to still recalls', async () => {
    const { home, hook, withMemory } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    writeFileSync(join(home, 'hook-sessions'), 'in the way');
    expect(await hook('claude-code', 'SessionStart', { source: 'startup' })).toContain('(feedback_no-mocks.md)');
    expect(await hook('claude-code', 'UserPromptSubmit', ASKS)).toContain('a mocked one hid');
    const asksToKeep = { prompt: `From now on always use pnpm. ${ASKS.prompt}` };
    expect(await hook('claude-code', 'UserPromptSubmit', asksToKeep)).toContain('a mocked one hid');
    // The words are lost, which has to be told.
    expect(readHookProblems(home)).toMatchObject([{ host: 'claude-code', event: 'UserPromptSubmit' }]);
  });

  it('says when the hooks of each host ran last, and when one failed', async () => {
    const agent: AgentHome = createAgentHome(null);
    const home = join(agent.project, '..', 'home');
    const environment = { REVERIE_HOME: home, REVERIE_HOOK_BUDGET_MS: '60000' };
    const payload = { session_id: 's', cwd: agent.project, hook_event_name: 'SessionStart' };
    const run = (host: string, input: string) => agent.run(['hook', host, 'SessionStart'], { environment, input });
    await run('claude-code', JSON.stringify(payload));
    await run('codex', JSON.stringify(payload));
    await run('codex', 'no json');
    const { stdout } = await agent.here(['status'], { environment });
    expect(stdout).toMatch(/hooks of claude-code: last run .* \(SessionStart\), no failure/);
    expect(stdout).toMatch(/hooks of codex: last run .* \(SessionStart\), last failure /);
    agent.remove();
  });
});

it('the tools that the index names are those of the server', async () => {
  const start = readFileSync(join(import.meta.dirname, '../../src/hooks/run/start.ts'), 'utf8');
  const server = readFileSync(join(import.meta.dirname, '../../src/mcp/tools/register.ts'), 'utf8');
  for (const [, tool] of start.matchAll(/memory_(\w+)/g)) expect(server).toContain(`offer(${tool}Tool)`);
});
