/** Work that is captured: a log of what coding agents did, for "where was I" and for errors that were met before. Off unless asked for. */

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgentHome } from '../support/agent-process.ts';
import { runBuiltHook } from '../support/built-hook.ts';

const BUSY_MS = 120_000;

const FAILURE = 'FAIL src/db.test.ts\nError: relation "invoices" does not exist at /tmp/run-41/db.ts:17\n';

function createPlace() {
  const agent = createAgentHome(null);
  const transcripts = join(dirname(agent.home), '.claude', 'projects', 'p');
  mkdirSync(transcripts, { recursive: true });
  const environment = { PATH: process.env.PATH, HOME: dirname(agent.home) };

  async function hook(event: string, session: string, fields: Readonly<Record<string, unknown>>) {
    const common = { cwd: agent.project, hook_event_name: event, session_id: session };
    const transcript_path = join(transcripts, `${session}.jsonl`);
    const input = JSON.stringify({ ...common, transcript_path, ...fields });
    const { stdout, code } = await runBuiltHook(['hook', 'claude-code', event], { input, environment });
    expect(code).toBe(0);
    return String(JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? '');
  }
  const start = (session: string) => hook('SessionStart', session, { source: 'startup' });
  const ran = (session: string, command: string, response: Readonly<Record<string, unknown>>) =>
    hook('PostToolUse', session, { tool_name: 'Bash', tool_input: { command }, tool_response: response });
  const touched = (session: string, tool: string, file: string) =>
    hook('PostToolUse', session, { tool_name: tool, tool_input: { file_path: join(agent.project, file) } });

  /** As the host's transcript has it. */
  function asked(session: string, content: string) {
    const line = { type: 'user', timestamp: new Date().toISOString(), message: { role: 'user', content } };
    appendFileSync(join(transcripts, `${session}.jsonl`), `${JSON.stringify(line)}\n`);
  }

  /** A session that met an error and solved it. */
  async function solveOnce() {
    await start('first');
    asked('first', 'Make the tests pass');
    await ran('first', 'npm test', { stdout: FAILURE, exit_code: 1 });
    await touched('first', 'Edit', 'src/migrations.ts');
    await ran('first', 'npm run migrate', { stdout: 'ok', exit_code: 0 });
    await ran('first', 'npm test', { stdout: 'ok', exit_code: 0 });
  }

  const logged = () => {
    const root = join(agent.home, 'work-log');
    const projects = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : [];
    const files = projects
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => readdirSync(join(root, name)).map((file) => join(root, name, file)));
    return { files, text: files.map((file) => readFileSync(file, 'utf8')).join('') };
  };
  return { agent, start, ran, touched, asked, solveOnce, logged, run: agent.here };
}

describe.concurrent('captured work', { timeout: BUSY_MS }, () => {
  it('says where a session stood, and what was done when an error was met before', async () => {
    const { agent, start, ran, solveOnce, logged, run } = createPlace();
    expect((await run(['capture', 'on'])).stdout).toContain('is logged');
    await solveOnce();
    expect(logged().text).toContain('"what":"src/migrations.ts"');
    expect(logged().files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);

    const context = await start('second');
    expect(context).toContain('Make the tests pass; edited src/migrations.ts; ran npm test, npm run migrate');
    const again = 'FAIL src/db.test.ts\nError: relation "invoices" does not exist at /tmp/run-97/db.ts:23\n';
    const met = await ran('second', 'npm test', { stdout: again, exit_code: 1 });
    expect(met).toContain('This error was met before');
    expect(met).toContain('Then: edited `src/migrations.ts`; ran `npm run migrate`; `npm test` passed.');
    // Once in a conversation, and not for another error.
    expect(await ran('second', 'npm test', { stdout: again, exit_code: 1 })).toBe('');
    const other = 'Error: relation "customers" does not exist at /tmp/run-97/db.ts:23\n';
    expect(await ran('second', 'npm test', { stdout: other, exit_code: 1 })).toBe('');

    expect((await run(['last'])).stdout).toContain('work: edited src/migrations.ts');
    expect(JSON.parse((await run(['memory', 'list', '--json'])).stdout)).toEqual([]);
    expect((await run(['capture', 'clear'])).stdout).toContain('Removed the log of 2 sessions');
    expect(logged().files).toEqual([]);
    expect(existsSync(join(agent.home, 'work-log', 'on'))).toBe(true);
  });

  it('is nothing until it is asked for, and ends when it is switched off', async () => {
    const { solveOnce, start, ran, logged, run } = createPlace();
    await solveOnce();
    expect(logged().files).toEqual([]);
    await run(['capture', 'on']);
    await solveOnce();
    await run(['capture', 'off']);
    const before = logged().text;
    await start('later');
    expect(await ran('later', 'npm test', { stdout: FAILURE, exit_code: 1 })).toBe('');
    expect(logged().text).toBe(before);
    expect((await run(['doctor'])).stdout).toContain('reverie capture clear');
  });

  it('holds no secret, and loses what a purged memory says', async () => {
    const { agent, start, ran, logged, run } = createPlace();
    await run(['capture', 'on']);
    await start('a');
    const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}F6g7H8`;
    await ran('a', `curl -H "Authorization: Bearer ${secret}" example.test`, { stdout: 'ok', exit_code: 0 });
    await ran('a', 'deploy', { stdout: `Error: login with ${secret} was refused`, exit_code: 1 });
    expect(logged().text).toBe('');

    const body = 'The staging gateway is reached through the green jump host.';
    await run([
      'memory',
      'save',
      '--type',
      'reference',
      '--name',
      'Gateway',
      '--description',
      'Staging',
      '--body',
      body,
    ]);
    await ran('a', `echo "${body}"`, { stdout: 'ok', exit_code: 0 });
    await ran('a', 'npm test', { stdout: 'ok', exit_code: 0 });
    expect(logged().text).toContain('green jump host');
    const purged = await run(['memory', 'purge', 'reference_gateway', '--yes']);
    expect(purged.stderr).toBe('');
    expect(logged().text).not.toContain('green jump host');
    expect(logged().text).toContain('npm test');

    writeFileSync(logged().files[0]!, `{"what":"${secret}"}\n`);
    const doctor = await run(['doctor']);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(join(agent.home, 'work-log'));
  });

  it('stays small and goes after a month', async () => {
    const { start, ran, logged, run } = createPlace();
    await run(['capture', 'on']);
    await start('a');
    const [file] = await ran('a', 'npm test', { stdout: 'ok', exit_code: 0 }).then(() => logged().files);
    const line = { at: '2026-01-01T00:00:00.000Z', host: 'claude-code', kind: 'ran', failure: null };
    const many = Array.from({ length: 2_000 }, (_, at) =>
      JSON.stringify({ ...line, what: `step ${at} ${'x'.repeat(80)}` }),
    );
    appendFileSync(file!, `${many.join('\n')}\n`);
    await ran('a', 'npm run newest', { stdout: 'ok', exit_code: 0 });
    expect(statSync(file!).size).toBeLessThan(131_072);
    expect(logged().text).toContain('npm run newest');
    utimesSync(file!, 1, 1);
    await start('b');
    expect(logged().files).toEqual([]);
  });
});
