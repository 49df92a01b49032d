/** The built binary as coding agents call it: one process for each hook, JSON in, JSON out, and never a failure. */

import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFolder } from '../../src/disk/folder.ts';
import { takeLock } from '../../src/disk/lock.ts';
import { openHookSession } from '../../src/hooks/run/session.ts';
import { type Memory, openMemory } from '../../src/index.ts';
import { runBuiltHook } from '../support/built-hook.ts';
import { runCommandHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { unicodeText } from '../support/unicode-text.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** For tests that run side by side, on a machine that does much else. */
const BUSY_MS = 180_000;
/** Far above what a hook takes, also on a busy machine; it only guards against one that hangs. */
const HANG_MS = 45_000;
/** More than that: several hooks at once may take long on a busy machine, and one that hangs is not excused. */
const BUDGET_MS = String(2 * HANG_MS);

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Where hosts keep their transcripts, below the user's folder. */
const TRANSCRIPTS: Readonly<Record<string, string>> = {
  'claude-code': '.claude/projects/project',
  codex: '.codex/sessions',
  gemini: '.gemini/tmp',
};

/**
 * A home, a user and a project of a test's own: tests run side by side. Hooks run as the built hook without a process for each;
 * as processes where that is what a test is about.
 */
function createPlace({ hasProcesses = false } = {}) {
  const root = temporaryFolder('hooks');
  for (const folder of ['user', 'project', 'project/src']) mkdirSync(join(root, folder));
  const home = join(root, 'home');
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: join(root, 'user'),
    REVERIE_HOME: home,
    REVERIE_HOOK_BUDGET_MS: BUDGET_MS,
  };

  function run(
    words: readonly string[],
    call: { input?: string; keepOpen?: boolean; env?: NodeJS.ProcessEnv } = {},
  ): Promise<Ran> {
    const child = spawn(process.execPath, [BINARY, ...words], {
      cwd: join(root, 'project'),
      env: { ...environment, ...call.env },
    });
    const ran = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      ran.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      ran.stderr += text;
    });
    child.stdin.on('error', () => undefined);
    if (call.keepOpen) child.stdin.write(call.input ?? '');
    else child.stdin.end(call.input ?? '');
    const guard = setTimeout(() => child.kill('SIGKILL'), HANG_MS);
    return new Promise((resolve) => {
      child.on('close', (code) => {
        clearTimeout(guard);
        resolve({ code, ...ran });
      });
    });
  }

  const runHere = (words: readonly string[], input: string, env: NodeJS.ProcessEnv = {}) =>
    runBuiltHook(words, { input, environment: { ...environment, ...env } });
  /** Another command, without a process for it. */
  const command = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runCommandHere(words, { cwd: join(root, 'project'), environment: { ...environment, ...env } });

  for (const folder of Object.values(TRANSCRIPTS)) mkdirSync(join(root, 'user', folder), { recursive: true });
  /** A session's name may be anything, and the file is the host's to name. */
  const transcriptOf = (session: string, host = 'claude-code') =>
    join(root, 'user', TRANSCRIPTS[host] ?? '.none', `${session.replace(/[^a-z0-9]/g, '_')}.jsonl`);

  async function hook(event: string, fields: Fields = {}, call: { host?: string; env?: NodeJS.ProcessEnv } = {}) {
    const transcript_path = transcriptOf(String(fields.session_id ?? 's1'), call.host);
    const payload = {
      ...{ session_id: 's1', cwd: join(root, 'project'), hook_event_name: event, transcript_path },
      ...fields,
    };
    const words = ['hook', call.host ?? 'claude-code', event];
    const input = JSON.stringify(payload);
    const { code, stdout } = await (hasProcesses ? run(words, { input, ...call }) : runHere(words, input, call.env));
    expect(code).toBe(0);
    // As the host does, which asks its hooks first.
    if (event === 'UserPromptSubmit' && fields.transcript_path === undefined && existsSync(dirname(transcript_path)))
      appendFileSync(transcript_path, userLine(String(fields.prompt)));
    // Claude Code would put it into the request for its summary.
    if (event === 'PreCompact') expect(stdout).toBe('');
    return (event === 'PreCompact' ? {} : JSON.parse(stdout)) as Fields;
  }

  /** What the model would read. */
  async function context(event: string, fields: Fields = {}): Promise<string> {
    const { hookSpecificOutput } = (await hook(event, fields)) as {
      hookSpecificOutput?: { additionalContext?: string };
    };
    return hookSpecificOutput?.additionalContext ?? '';
  }

  async function withMemory<T>(use: (memory: Memory) => Promise<T>): Promise<T> {
    const memory = await openMemory({ cwd: join(root, 'project'), home, env: environment });
    const result = await use(memory);
    await memory.close();
    return result;
  }

  const list = () => withMemory((memory) => memory.list());
  return { root, home, run, runHere, command, hook, context, withMemory, list, transcriptOf };
}

function userLine(text: string, more: object = {}): string {
  const message = { role: 'user', content: text };
  return `${JSON.stringify({ type: 'user', timestamp: new Date().toISOString(), message, ...more })}\n`;
}

const NO_MOCKS = {
  type: 'feedback',
  name: 'No mocks',
  description: 'Integration tests use the real database',
  body: 'Use the real database in integration tests: a mocked one hid a broken migration.',
} as const;
const ASKS = { prompt: 'should our integration tests mock the database?' };

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${readFileSync(path, 'utf8')}`)
    .toSorted();
}

describe.concurrent('a conversation', { timeout: BUSY_MS }, () => {
  it('is told of its memory at the start, recalls what is certain once, and again after it was compacted', async () => {
    const { hook, context, withMemory } = createPlace({ hasProcesses: true });
    await withMemory((memory) => memory.save(NO_MOCKS));
    const start = await context('SessionStart', { source: 'startup' });
    expect(start).toContain('[No mocks](feedback_no-mocks.md)');
    expect(start).toMatch(/^<reverie-memory>\n[\s\S]*\n<\/reverie-memory>$/);
    expect(await context('UserPromptSubmit', ASKS)).toContain('a mocked one hid a broken migration');
    expect(await context('UserPromptSubmit', ASKS)).toBe('');
    expect(await hook('PreCompact', { trigger: 'auto' })).toEqual({});
    expect(await context('SessionStart', { source: 'compact' })).toContain('No mocks');
    expect(await context('UserPromptSubmit', ASKS)).toContain('a mocked one hid');
    expect(await context('UserPromptSubmit', { prompt: 'what is for lunch today, any ideas?' })).toBe('');
  });

  it('is told once, however often the host says that it may compact, and again after it did', async () => {
    const { hook, withMemory, transcriptOf } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    const call = { host: 'gemini' };
    const isTold = async (event: string, fields: Fields) =>
      JSON.stringify(await hook(event, fields, call)).includes('reverie-memory');
    const answer = (input: number) => {
      const record = { type: 'gemini', timestamp: new Date().toISOString(), tokens: { input, output: 10 } };
      appendFileSync(transcriptOf('s1', 'gemini'), `${JSON.stringify(record)}\n`);
    };
    const prompt = { prompt: 'where were we then?' };
    expect(await isTold('SessionStart', { source: 'startup' })).toBe(false);
    expect(await isTold('BeforeAgent', prompt)).toBe(true);
    expect(await isTold('SessionStart', { source: 'resume' })).toBe(false);
    for (const tokens of [9_000, 12_000, 15_000]) {
      answer(tokens);
      await hook('PreCompress', { trigger: 'auto' }, call);
      expect(await isTold('BeforeAgent', prompt)).toBe(false);
    }
    answer(6_000);
    expect(await isTold('BeforeAgent', prompt)).toBe(true);
    answer(8_000);
    expect(await isTold('BeforeAgent', prompt)).toBe(false);
  });

  it.each([
    ['a short rest', 1],
    ['a rest of a megabyte', 10_000],
  ])('is told with the next message after Gemini wrote down what it left of it: %s', async (_, repeated) => {
    const { hook, withMemory, transcriptOf } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    const isTold = async () =>
      JSON.stringify(await hook('BeforeAgent', { prompt: 'where were we then?' }, { host: 'gemini' })).includes(
        'reverie-memory',
      );
    const write = (record: object) => appendFileSync(transcriptOf('s1', 'gemini'), `${JSON.stringify(record)}\n`);
    const answer = (input: number) =>
      write({ type: 'gemini', timestamp: new Date().toISOString(), tokens: { input, output: 10 } });
    const compress = (kept: string) => {
      const rest = ['<state_snapshot>', 'of a long tool result, '.repeat(5 * repeated), kept];
      const messages = rest.map((text) => ({ timestamp: new Date().toISOString(), type: 'user', content: [{ text }] }));
      write({ $set: { messages } });
      write({ $set: { lastUpdated: new Date().toISOString() } });
    };
    await hook('SessionStart', { source: 'startup' }, { host: 'gemini' });
    expect(await isTold()).toBe(true);
    answer(15_000);
    compress('<hook_context>&lt;reverie-memory&gt; the index &lt;/reverie-memory&gt;</hook_context>');
    expect(await isTold()).toBe(false);
    answer(14_000);
    compress('what is the next step?');
    expect(await isTold()).toBe(true);
    // The drop in tokens is of the same compression.
    answer(6_000);
    expect(await isTold()).toBe(false);
  });

  it('is told again with the next message when Gemini took back the one that brought it', async () => {
    const { hook, withMemory, transcriptOf } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    const isTold = async (prompt: string) =>
      JSON.stringify(await hook('BeforeAgent', { prompt }, { host: 'gemini' })).includes('reverie-memory');
    const write = (record: object) => appendFileSync(transcriptOf('s1', 'gemini'), `${JSON.stringify(record)}\n`);
    const message = (type: string, text: string) => ({
      timestamp: new Date().toISOString(),
      type,
      content: [{ text }],
    });
    const around = message('user', '<session_context>');
    write({ $set: { messages: [around] } });
    await hook('SessionStart', { source: 'startup' }, { host: 'gemini' });
    expect(await isTold('where were we then?')).toBe(true);
    write(message('user', 'where were we then? <hook_context>&lt;reverie-memory&gt;'));
    write(message('info', 'Request cancelled.'));
    write({ $set: { messages: [around] } });
    expect(await isTold('hello there, once more')).toBe(true);
    write(message('user', 'hello there, once more <hook_context>&lt;reverie-memory&gt;'));
    expect(await isTold('and on we go')).toBe(false);
  });

  it('is told again where only the transcript of Codex shows the compaction', async () => {
    const { hook, transcriptOf } = createPlace();
    const call = { host: 'codex' };
    const prompt = { prompt: 'where were we then?' };
    await hook('SessionStart', { source: 'startup' }, call);
    expect(await hook('UserPromptSubmit', prompt, call)).toEqual({});
    appendFileSync(
      transcriptOf('s1', 'codex'),
      `${JSON.stringify({ timestamp: new Date().toISOString(), type: 'compacted' })}\n`,
    );
    expect(JSON.stringify(await hook('UserPromptSubmit', prompt, call))).toContain('reverie-memory');
    expect(await hook('UserPromptSubmit', prompt, call)).toEqual({});
  });

  it('is told again after a compaction by a host that only says before', async () => {
    const { hook, withMemory } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    const call = { host: 'cursor' };
    const read = { tool_name: 'Read', tool_input: { file_path: 'a.ts' } };
    expect(JSON.stringify(await hook('sessionStart', {}, call))).toContain('reverie-memory');
    expect(await hook('postToolUse', read, call)).toEqual({});
    await hook('preCompact', {}, call);
    expect(JSON.stringify(await hook('postToolUse', read, call))).toContain('reverie-memory');
    expect(await hook('postToolUse', read, call)).toEqual({});
  });

  it('that is resumed still holds what it was told', async () => {
    const { context } = createPlace();
    expect(await context('SessionStart', { source: 'startup' })).not.toBe('');
    expect(await context('SessionStart', { source: 'resume' })).toBe('');
    expect(await context('SessionStart', { source: 'resume', session_id: 'from-before-the-hooks' })).not.toBe('');
  });

  it('that is forked holds what the other was told, and learns only from what is said in it', async () => {
    const { context, home } = createPlace();
    const fork = { source: 'fork', session_id: 'fork' };
    expect(await context('SessionStart', { ...fork, session_id: 'of-one-from-before-the-hooks' })).not.toBe('');
    expect(await context('SessionStart', { source: 'startup' })).not.toBe('');
    const before = new Date().toISOString();
    expect(await context('SessionStart', fork)).toBe('');
    const { learntUntil } = openHookSession(home, { host: 'claude-code', sessionId: 'fork' }).read();
    expect(learntUntil >= before).toBe(true);
    expect(await context('SessionStart', { ...fork, source: 'compact' })).not.toBe('');
  });

  it('spends no more than its budget on recalled memories', async () => {
    const { home, context, withMemory } = createPlace();
    mkdirSync(home);
    writeFileSync(join(home, 'settings.json'), '{"limits":{"recall":{"sessionBytes":100}}}');
    await withMemory((memory) => memory.save(NO_MOCKS));
    expect(await context('UserPromptSubmit', ASKS)).toBe('');
  });

  it('meets a file or an error that a memory speaks of', async () => {
    const { root, context, withMemory } = createPlace();
    await withMemory(async (memory) => {
      await memory.save({
        type: 'project',
        name: 'Replicas',
        description: 'Why two replicas',
        body: 'src/deploy.yaml keeps two replicas until the licence is renewed.',
      });
      await memory.save({
        type: 'reference',
        name: 'Pool',
        description: 'What PGBOUNCER_REFUSED means',
        body: 'PGBOUNCER_REFUSED: the pool is full at night.',
      });
    });
    const read = (file: string) => ({ tool_name: 'Read', tool_input: { file_path: join(root, 'project', file) } });
    expect(await context('PostToolUse', read('src/deploy.yaml'))).toContain('until the licence is renewed');
    expect(await context('PostToolUse', read('src/deploy.yaml'))).toBe('');
    expect(await context('PostToolUse', read('src/other.yaml'))).toBe('');
    const failure = { tool_name: 'Bash', error: 'Exit code 1\nError: PGBOUNCER_REFUSED on port 6432' };
    expect(await context('PostToolUseFailure', failure)).toContain('the pool is full at night');
    const fine = { tool_name: 'Bash', tool_response: { stdout: 'PGBOUNCER_REFUSED', stderr: '' } };
    expect(await context('PostToolUse', { ...fine, session_id: 's2' })).toBe('');
  });

  it('is not shown a memory that its agent has read itself', async () => {
    const { hook, context, withMemory } = createPlace();
    const { file, path } = await withMemory(async (memory) => memory.get((await memory.save(NO_MOCKS)).file));
    expect(file).toBe('feedback_no-mocks.md');
    await hook('PostToolUse', { tool_name: 'Read', tool_input: { file_path: path } });
    expect(await context('UserPromptSubmit', ASKS)).toBe('');
  });
});

describe.concurrent('what the user asks to keep', { timeout: BUSY_MS }, () => {
  const SAID = 'From now on always use pnpm in this repository, because npm breaks the lock file.';

  it('is kept once, as said by the user, with the session it was said in', async () => {
    const { hook, withMemory, list } = createPlace({ hasProcesses: true });
    await hook('UserPromptSubmit', { prompt: SAID });
    expect(await list()).toHaveLength(0);
    await Promise.all([hook('Stop'), hook('SessionEnd', { reason: 'exit' })]);
    await hook('Stop');
    const [kept, ...others] = await list();
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ type: 'feedback', source: 'said', origin: { session: 's1', host: 'claude-code' } });
    const [change] = await withMemory((memory) => memory.log());
    expect(change).toMatchObject({ kind: 'save', who: 'extraction' });
  });

  it('is recalled in other conversations, and in its own once that was compacted', async () => {
    const { hook, context, list } = createPlace();
    const asks = { prompt: 'do we use pnpm or npm in this repository?' };
    await hook('SessionStart', { source: 'startup' });
    await hook('UserPromptSubmit', { prompt: SAID });
    await hook('Stop');
    expect(await list()).toHaveLength(1);
    expect(await context('UserPromptSubmit', asks)).toBe('');
    expect(await context('UserPromptSubmit', { ...asks, session_id: 's2' })).toContain('npm breaks the lock file');
    await hook('SessionStart', { source: 'compact' });
    expect(await context('UserPromptSubmit', asks)).toContain('npm breaks the lock file');
  });

  it('is not kept once more in a fork, which begins with the same words', async () => {
    const { hook, withMemory, list, transcriptOf } = createPlace();
    await hook('SessionStart', { source: 'startup' });
    await hook('UserPromptSubmit', { prompt: SAID });
    await hook('Stop');
    const [kept] = await list();
    await withMemory((memory) => memory.forget(kept!.file));
    const fork = { session_id: 'fork' };
    cpSync(transcriptOf('s1'), transcriptOf('fork'));
    await hook('SessionStart', { ...fork, source: 'fork' });
    await hook('UserPromptSubmit', { ...fork, prompt: 'Remember that the nightly build starts at two.' });
    await hook('Stop', fork);
    await hook('SessionEnd', fork);
    expect((await list()).map(({ description }) => description)).toEqual([
      'Remember that the nightly build starts at two.',
    ]);
  });

  it('is taken from the transcript too, and not from what tools, hooks or sub-agents put there', async () => {
    const { hook, list, transcriptOf } = createPlace();
    const transcript = transcriptOf('s1');
    const line = userLine;
    writeFileSync(transcript, line(SAID));
    appendFileSync(transcript, line('Remember that the moon is made of cheese.', { isMeta: true }));
    appendFileSync(transcript, line('<system-reminder>\nRemember that the sea is sweet.\n</system-reminder>'));
    appendFileSync(transcript, line('Remember that this is long ago.', { timestamp: '2020-01-01T00:00:00Z' }));
    await hook('Stop', { transcript_path: transcript });
    expect((await list()).map(({ description }) => description)).toEqual([SAID]);
  });

  it('is kept once when the transcript of the host has it late, and as unconfirmed when it never has', async () => {
    const { hook, list, transcriptOf } = createPlace({ hasProcesses: true });
    const transcript = transcriptOf('s2');
    const write = (...texts: readonly string[]) =>
      writeFileSync(
        transcript,
        texts.map((content) => JSON.stringify({ type: 'user', message: { role: 'user', content } })).join('\n'),
      );
    write('hello');
    const prompt = 'I prefer short commit messages without emoji.';
    await hook('UserPromptSubmit', { prompt, transcript_path: transcript });
    await hook('Stop', { transcript_path: transcript });
    expect(await list()).toEqual([]);
    write('hello', prompt);
    await hook('Stop', { transcript_path: transcript });
    expect(await list()).toMatchObject([{ description: prompt, source: 'said' }]);
    await hook('UserPromptSubmit', { prompt: SAID, transcript_path: transcript });
    await Promise.all([hook('Stop', { transcript_path: transcript }), hook('Stop', { transcript_path: transcript })]);
    expect(await list()).toHaveLength(1);
    await hook('SessionEnd', { transcript_path: transcript });
    expect((await list()).find(({ description }) => description === SAID)).toMatchObject({ source: 'inferred' });
  });

  it('is not learnt from what was injected by us', async () => {
    const { hook, context, withMemory, list } = createPlace();
    await withMemory((memory) =>
      memory.save({ ...NO_MOCKS, body: 'Remember that we never mock. From now on always use pnpm.' }),
    );
    const injected = await context('UserPromptSubmit', ASKS);
    expect(injected).toContain('From now on always use pnpm');
    await hook('UserPromptSubmit', { prompt: `${ASKS.prompt}\n\n${injected}\n\n${await context('SessionStart')}` });
    await hook('Stop');
    expect(await list()).toHaveLength(1);
  });

  it('is not kept when the agent did so itself, or when it holds a secret', async () => {
    const { home, hook, withMemory, list } = createPlace();
    await hook('UserPromptSubmit', { prompt: SAID });
    const quote = [{ text: SAID, at: new Date().toISOString() }];
    await withMemory((memory) => memory.save({ ...NO_MOCKS, name: 'pnpm', quote }, { who: 'agent' }));
    await hook('Stop');
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await hook('UserPromptSubmit', { prompt: `Remember that the token is ${secret}` });
    await hook('Stop');
    expect((await list()).map(({ name }) => name)).toEqual(['pnpm']);
    expect(filesBelow(home).join('\n')).not.toContain(secret);
  });

  it('is kept when the agent saved something else meanwhile', async () => {
    const { hook, withMemory, list } = createPlace();
    await hook('UserPromptSubmit', { prompt: SAID });
    await withMemory((memory) => memory.save(NO_MOCKS, { who: 'agent' }));
    await hook('Stop');
    const kept = await list();
    expect(kept).toHaveLength(2);
    expect(kept.map(({ description }) => description)).toContain(SAID);
  });

  it('is not kept twice when it is said twice, nor when extraction is off', async () => {
    const { hook, list } = createPlace();
    for (const session_id of ['a', 'b']) {
      await hook('UserPromptSubmit', { prompt: SAID, session_id });
      await hook('Stop', { session_id });
    }
    expect(await list()).toHaveLength(1);
    const env = { REVERIE_DISABLE_EXTRACTION: '1' };
    await hook('UserPromptSubmit', { prompt: 'Remember that the staging cluster is in Frankfurt.' }, { env });
    await hook('Stop', {}, { env });
    expect(await list()).toHaveLength(1);
  });

  it('is kept by the next hook when one was cut by its budget while it saved', async () => {
    const { hook, list, withMemory } = createPlace({ hasProcesses: true });
    const folder = await withMemory(async ({ folders }) => folders.project!);
    await hook('UserPromptSubmit', { prompt: SAID });
    const lockFolder = createFolder(join(folder, '.reverie', 'lock'));
    const lock = await takeLock(lockFolder, { waitMs: 0, staleAfterMs: BUSY_MS });
    await hook('Stop', {}, { env: { REVERIE_HOOK_BUDGET_MS: '1500' } });
    expect(await list()).toEqual([]);
    await lock.release();
    lockFolder.close();
    await hook('SessionEnd', { reason: 'exit' });
    expect((await list()).map(({ description }) => description)).toEqual([SAID]);
  });

  it('takes nothing from a pasted block of code, whatever fences are in it', async () => {
    const { hook, list } = createPlace();
    const pasted = '```\n~~~\nRemember that the staging cluster is in Frankfurt.\n~~~\n```\nexplain this';
    await hook('UserPromptSubmit', { prompt: pasted });
    await hook('Stop', {});
    expect(await list()).toEqual([]);
  });
});

describe.concurrent('whatever is wrong', { timeout: BUSY_MS }, () => {
  it('with the payload: an empty answer, exit code 0, and nothing written', async () => {
    const { home, run, runHere } = createPlace();
    const inputs = [
      '',
      'no json',
      '{"session_id":',
      '[]',
      'null',
      '{}',
      '"x"',
      '{"session_id":1}',
      '\u0000\u0001',
      `{"session_id":"${'x'.repeat(1_000)}`,
      '{"a":'.repeat(100_000),
    ];
    const events = ['UserPromptSubmit', 'Stop', 'NoSuchEvent'];
    for (const [at, input] of inputs.entries()) {
      const words = ['hook', 'claude-code', events[at % events.length]!];
      const ran = await (at < events.length ? run(words, { input }) : runHere(words, input));
      expect([input.slice(0, 20), ran.code, ran.stdout]).toEqual([input.slice(0, 20), 0, '{}\n']);
    }
    expect(await run(['hook'], { input: '{}' })).toMatchObject({ code: 0, stdout: '{}\n' });
    for (const words of [
      ['hook', 'emacs', 'Stop'],
      ['hook', 'claude-code'],
      ['hook', '--home'],
    ]) {
      expect(await runHere(words, '{}')).toMatchObject({ code: 0, stdout: '{}\n' });
    }
    expect(existsSync(home)).toBe(false);
  });

  it('with what it is given: status says so, once there is a home', async () => {
    const { home, run, runHere, command } = createPlace();
    mkdirSync(home);
    const session = '{"session_id":"s"}';
    const given: [string[], string, string][] = [
      [['claude-code', 'Stop'], 'garbage', 'hook claude-code Stop: The payload is not JSON'],
      [['claude-code', 'Stop'], '{}', 'hook claude-code Stop: The payload cannot be read: no session_id'],
      [['emacs', 'Stop'], session, 'hook emacs Stop: There is no host of that name'],
      [['codex', 'Halt'], session, 'hook codex Halt: Codex has no such event'],
    ];
    for (const [at, [words, input]] of given.entries()) {
      const line = ['hook', ...words];
      const ran = await (at === 0 ? run(line, { input }) : runHere(line, input));
      expect(ran).toMatchObject({ code: 0, stdout: '{}\n' });
    }
    const { stdout } = await command(['status']);
    for (const [, , problem] of given) expect(stdout).toContain(problem);
    expect(stdout).not.toContain('no problems');
  });

  it('with a payload without end, or one that never ends: the same', async () => {
    const { home, run, command } = createPlace();
    const huge = await run(['hook', 'claude-code', 'Stop'], {
      input: `{"session_id":"s","x":"${'y'.repeat(20_000_000)}"}`,
    });
    expect(huge).toMatchObject({ code: 0, stdout: '{}\n' });
    expect(existsSync(home)).toBe(false);
    const endless = await run(['hook', 'claude-code', 'Stop'], {
      input: '{"session',
      keepOpen: true,
      env: { REVERIE_HOOK_BUDGET_MS: '600' },
    });
    expect(endless).toMatchObject({ code: 0, stdout: '{}\n' });
    expect((await command(['status'])).stdout).toContain('hook claude-code Stop: It took longer than 600 ms');
  });

  it('with hostile fields: no file is made outside, and no device is waited for', async () => {
    const { root, hook } = createPlace();
    symlinkSync('/dev/zero', join(root, 'endless'));
    const hostile: Fields[] = [
      { session_id: '../../../escape', cwd: '/no/such/folder', transcript_path: join(root, 'endless') },
      { session_id: 'a\u0000b', cwd: 'relative', transcript_path: '/dev/stdin' },
      { session_id: '$(touch x)', cwd: '\u0000', transcript_path: join(root, 'project') },
    ];
    const before = filesBelow(join(root, 'project'));
    for (const fields of hostile) {
      expect(await hook('Stop', fields)).toEqual({});
      const prompt = 'Remember that\u0000 \ud800 it is fine.';
      expect(await hook('UserPromptSubmit', { ...fields, prompt })).toEqual({});
      const read = { tool_name: 'Read', tool_input: { file_path: '../../../../etc/passwd\u0000' } };
      await hook('PostToolUse', { ...fields, ...read });
    }
    expect(filesBelow(join(root, 'project'))).toEqual(before);
    expect(readdirSync(root).toSorted()).toEqual(['endless', 'home', 'project', 'user']);
  });

  it('by chance: any payload is answered with an object', async () => {
    const { run, runHere } = createPlace();
    const payloads = fc.sample(
      fc.record({
        session_id: fc.string(),
        prompt: unicodeText(),
        cwd: fc.string(),
        transcript_path: fc.string(),
        tool_name: fc.constantFrom('Read', 'Bash'),
        tool_input: fc.jsonValue(),
        tool_response: fc.jsonValue(),
      }),
      12,
    );
    const events = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop'];
    for (const [at, payload] of payloads.entries()) {
      const words = ['hook', at % 2 === 0 ? 'codex' : 'claude-code', events[at % 4]!];
      const input = JSON.stringify(payload);
      const ran = await (at < events.length ? run(words, { input }) : runHere(words, input));
      expect(ran.code).toBe(0);
      expect(typeof JSON.parse(ran.stdout)).toBe('object');
    }
  });

  it.skipIf(process.getuid?.() === 0)('with the disk: the host goes on, and status says what broke', async () => {
    const { root, command, hook, withMemory } = createPlace({ hasProcesses: true });
    await withMemory((memory) => memory.save(NO_MOCKS));
    chmodSync(join(root, 'home', 'projects'), 0o000);
    expect(await hook('UserPromptSubmit', ASKS)).toEqual({});
    chmodSync(join(root, 'home', 'projects'), 0o700);
    expect((await command(['status', '--json'])).stdout).toContain('hookProblems');
  });

  it('with a folder where a file should be: the host goes on, and status says what broke', async () => {
    const { root, command, hook } = createPlace({ hasProcesses: true });
    mkdirSync(join(root, 'home'));
    writeFileSync(join(root, 'home', 'hook-sessions'), 'in the way');
    expect(await hook('UserPromptSubmit', { prompt: 'Remember that the cluster is in Frankfurt.' })).toEqual({});
    const { stdout } = await command(['status', '--json']);
    const { hookProblems } = JSON.parse(stdout) as { hookProblems: { host: string; event: string }[] };
    expect(hookProblems).toMatchObject([{ host: 'claude-code', event: 'UserPromptSubmit' }]);
  });

  it('with memory switched off: silence', async () => {
    const { command, hook, withMemory } = createPlace();
    await withMemory((memory) => memory.save(NO_MOCKS));
    const env = { REVERIE_DISABLE_MEMORY: '1' };
    expect(await hook('SessionStart', {}, { env })).toEqual({});
    expect(await hook('UserPromptSubmit', ASKS, { env })).toEqual({});
    expect((await command(['status'], env)).stdout).toContain('Memory is off: REVERIE_DISABLE_MEMORY');
  });
});

describe('the plugin for opencode', () => {
  interface Hooks {
    'chat.message'(input: object, output: { message: { id: string }; parts: Record<string, unknown>[] }): Promise<void>;
    'tool.execute.after'(input: object, output: { title: string; output: string; metadata: object }): Promise<void>;
    event(input: { event: { type: string; properties: object } }): Promise<void>;
  }

  // Its hooks run with the environment of this process; it gives each five seconds, so these tests run alone.
  beforeAll(() => void vi.stubEnv('REVERIE_HOOK_BUDGET_MS', BUDGET_MS));
  afterAll(() => void vi.unstubAllEnvs());

  /** Loaded as opencode loads it, with the home given by a flag. */
  async function load({ root, run }: ReturnType<typeof createPlace>): Promise<Hooks> {
    await run(['install', 'opencode', '--yes', '--home', join(root, 'home')]);
    const copy = join(root, 'plugin.mjs');
    writeFileSync(copy, readFileSync(join(root, 'user', '.config', 'opencode', 'plugins', 'reverie.js')));
    const { Reverie } = (await import(copy)) as { Reverie(input: object): Promise<Hooks> };
    const session = {
      get: async ({ path }: { path: { id: string } }) => ({
        data: { parentID: path.id === 'child' ? 's' : undefined },
      }),
    };
    return Reverie({ directory: join(root, 'project'), client: { session } });
  }

  it('puts the index and what is recalled into the message, and keeps what was asked for when the session rests', async () => {
    const place = createPlace();
    const { withMemory } = place;
    await withMemory((memory) => memory.save(NO_MOCKS));
    const hooks = await load(place);
    const ask = async (text: string, sessionID = 's') => {
      const output = { message: { id: 'm' }, parts: [{ type: 'text', text }] as Record<string, unknown>[] };
      await hooks['chat.message']({ sessionID }, output);
      return output.parts.slice(1);
    };
    const [index, recalled] = await ask(ASKS.prompt);
    expect(index).toMatchObject({
      type: 'text',
      synthetic: true,
      messageID: 'm',
      text: expect.stringContaining('<reverie-memory>'),
    });
    expect(recalled?.text).toContain('a mocked one hid');
    expect(await ask('"Remember that the nightly build starts at two."')).toEqual([]);
    expect(await ask(ASKS.prompt, 'child')).toEqual([]);
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
    const kept = await withMemory((memory) => memory.list());
    expect(kept.map(({ description }) => description)).toContain('Remember that the nightly build starts at two.');
  });

  it('adds to the output of a tool what a memory says of it', async () => {
    const place = createPlace();
    const { withMemory } = place;
    await withMemory((memory) => memory.save({ ...NO_MOCKS, body: 'PGBOUNCER_REFUSED: the pool is full at night.' }));
    const hooks = await load(place);
    const output = { title: 'x', output: 'Error: PGBOUNCER_REFUSED', metadata: { exit: 1 } };
    await hooks['tool.execute.after']({ sessionID: 's', tool: 'bash', args: {} }, output);
    expect(output.output).toMatch(/^Error: PGBOUNCER_REFUSED\n\n<reverie-recall>[\s\S]*full at night/);
  });
});
