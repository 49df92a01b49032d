/** Hooks as real processes: what they are told, what they may say, and what a bad one costs. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import type { HookEventName, HookSettings } from '../../settings/settings.ts';
import type { HookInput } from './event.ts';
import { adviceOf, runHooks } from './run-hooks.ts';

const base = temporaryFolder('user-hooks');
const projectRoot = join(base, 'project');
mkdirSync(projectRoot);

const input: HookInput = {
  session_id: 's1',
  transcript_path: '/t/s1.jsonl',
  cwd: projectRoot,
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};

function run(
  event: HookEventName,
  commands: readonly (string | { readonly command: string; readonly timeout?: number; readonly matcher?: string })[],
  facts: {
    readonly input?: Partial<HookInput>;
    readonly limits?: Partial<Limits['userHooks']>;
    readonly signal?: AbortSignal;
  } = {},
) {
  const groups = commands.map((each) => {
    const { matcher = '', ...hook } = typeof each === 'string' ? { command: each } : each;
    return { matcher, hooks: [hook] };
  });
  const hooks: HookSettings = { [event]: groups };
  return runHooks({
    event,
    input: { ...input, ...facts.input },
    hooks: [hooks],
    projectRoot,
    environment: { PATH: process.env.PATH, MARK: 'given' },
    signal: facts.signal ?? new AbortController().signal,
    limits: { ...LIMITS.userHooks, timeoutMs: 20_000, ...facts.limits },
  });
}

const say = (answer: unknown) => `printf '%s' '${JSON.stringify(answer)}'`;
const nothing = { blocked: null, stop: null, context: [], warnings: [] };

async function isGone(pidFile: string): Promise<boolean> {
  const pid = Number(readFileSync(pidFile, 'utf8'));
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    // Killed, but not yet taken from the list by whoever has to.
    if (/^\d+ \(.*\) Z/.test(readStat(pid))) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

describe('a hook', () => {
  it('is run in the project with the event as JSON on its input', async () => {
    const outcome = await run('PreToolUse', [
      'cat > told.json; printf "%s %s %s" "$PWD" "$REVERIE_PROJECT_DIR" "$MARK" > env.txt',
    ]);
    expect(outcome).toEqual(nothing);
    expect(JSON.parse(readFileSync(join(projectRoot, 'told.json'), 'utf8'))).toEqual({
      ...input,
      hook_event_name: 'PreToolUse',
    });
    expect(readFileSync(join(projectRoot, 'env.txt'), 'utf8')).toBe(`${projectRoot} ${projectRoot} given`);
  });

  it('that says nothing changes nothing', async () => {
    expect(await run('Stop', ['true'])).toEqual(nothing);
    expect(await run('PreToolUse', ['echo some text'])).toEqual(nothing);
  });

  it('blocks by exit code 2, with what it wrote to standard error', async () => {
    const outcome = await run('PreToolUse', ['echo "use pnpm" >&2; exit 2']);
    expect(outcome).toEqual({ ...nothing, blocked: 'use pnpm' });
    expect(adviceOf(outcome)).toEqual({ verdict: 'deny', reason: 'use pnpm' });
  });

  it.each<readonly [HookEventName]>([['SessionStart'], ['SessionEnd'], ['PostCompact']])(
    'cannot block %s',
    async (event) => {
      const outcome = await run(event, ['echo oh >&2; exit 2']);
      expect(outcome).toEqual({ ...nothing, warnings: [expect.stringMatching(/oh/)] });
    },
  );

  it('adds plain text where text is meant for the model', async () => {
    expect(await run('SessionStart', ['echo "branch: main"'])).toEqual({ ...nothing, context: ['branch: main'] });
    expect(await run('UserPromptSubmit', ['echo x'])).toEqual({ ...nothing, context: ['x'] });
  });

  it.each<readonly [HookEventName, object, object]>([
    ['Stop', { decision: 'block', reason: 'tests fail' }, { blocked: 'tests fail' }],
    ['PostToolUse', { decision: 'block', reason: 'format it' }, { blocked: 'format it' }],
    ['Stop', { continue: false, stopReason: 'enough' }, { stop: 'enough' }],
    ['SessionStart', { hookSpecificOutput: { additionalContext: 'note' } }, { context: ['note'] }],
    ['Stop', { systemMessage: 'be\nseen' }, { warnings: ['be seen'] }],
    [
      'PreToolUse',
      { hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'look' } },
      { permission: { verdict: 'ask', reason: 'look' } },
    ],
    ['PreToolUse', { decision: 'approve', reason: 'known' }, { permission: { verdict: 'allow', reason: 'known' } }],
    ['Stop', { hookSpecificOutput: { permissionDecision: 'allow' } }, {}],
    ['Stop', {}, {}],
  ])('answers %s with %j', async (event, answer, expected) => {
    expect(await run(event, [say(answer)])).toEqual({ ...nothing, ...expected });
  });
});

describe('several hooks', () => {
  it('run at once, and the strictest of them counts', async () => {
    // Each waits for the other's file: one after the other they would wait for ever.
    const wait = (mine: string, other: string) => `touch ${mine}; while [ ! -e ${other} ]; do sleep 0.02; done; `;
    const decision = (verdict: string) =>
      say({ hookSpecificOutput: { permissionDecision: verdict, permissionDecisionReason: verdict } });
    const outcome = await run('PreToolUse', [
      wait('one', 'two') + decision('allow'),
      wait('two', 'one') + decision('deny'),
    ]);
    expect(outcome).toEqual({ ...nothing, permission: { verdict: 'deny', reason: 'deny' } });
  });

  it('keep the order of the settings in what they add', async () => {
    expect((await run('SessionStart', ['sleep 0.2; echo first', 'echo second'])).context).toEqual(['first', 'second']);
  });

  it('are chosen by their matchers, each command once', async () => {
    const hooks = [
      { command: 'echo a >> ran.txt', matcher: 'Edit|Write' },
      { command: 'echo b >> ran.txt', matcher: 'Ba.*' },
      { command: 'echo b >> ran.txt', matcher: '*' },
      { command: 'echo c >> ran.txt', matcher: 'Bas' },
      { command: 'echo d >> ran.txt', matcher: '(' },
    ];
    const outcome = await run('PreToolUse', hooks);
    expect(readFileSync(join(projectRoot, 'ran.txt'), 'utf8')).toBe('b\n');
    expect(outcome).toEqual({ ...nothing, warnings: [expect.stringContaining('"("')] });
  });
});

describe('a hook costs its time and one line when it', () => {
  const oneWarning = (text: RegExp) => ({ ...nothing, warnings: [expect.stringMatching(text)] });

  it('hangs, with all its children', async () => {
    const pidFile = join(projectRoot, 'sleeper.pid');
    const command = `trap '' TERM; sh -c 'echo $$ > ${pidFile}; sleep 600' & wait; sleep 600`;
    expect(await run('PreToolUse', [{ command, timeout: 0.4 }])).toEqual(oneWarning(/within 0\.4 s/));
    expect(await isGone(pidFile)).toBe(true);
  });

  it('keeps its output open from the background', async () => {
    const outcome = await run('SessionStart', ['sleep 600 & echo $! > background.pid; echo done']);
    process.kill(Number(readFileSync(join(projectRoot, 'background.pid'), 'utf8')), 'SIGKILL');
    expect(outcome).toEqual({ ...nothing, context: ['done'] });
  });

  it('floods', async () => {
    const limits = { floodBytes: 1_000_000 };
    expect(await run('SessionStart', ['yes'], { limits })).toEqual(oneWarning(/without end/));
    expect(await run('Stop', ['yes >&2'], { limits })).toEqual(oneWarning(/without end/));
  });

  it('says more than is read', async () => {
    const limits = { outputBytes: 1_000, textCharacters: 100 };
    const { context } = await run('SessionStart', ['yes x | head -c 200000'], { limits });
    expect(context).toHaveLength(1);
    expect(context[0]!.length).toBeLessThan(200);
    const json = `printf '{"a":"'; yes x | head -c 5000; printf '"}'`;
    expect(await run('Stop', [json], { limits })).toEqual(oneWarning(/too much/));
  });

  it.each([
    ['crashes', 'kill -9 $$', /signal/],
    ['fails', 'echo "no such thing" >&2; exit 1', /exit code 1: no such thing/],
    ['does not exist', '/no/such/program', /exit code 127/],
    ['answers half an object', `echo '{"decision":'`, /no JSON/],
    ['answers with what cannot be', `echo '{"decision":"maybe"}'`, /`decision`/],
    ['gives a number for a reason', `echo '{"decision":"block","reason":3}'`, /`reason`/],
    ['gives a list for its output', `echo '{"hookSpecificOutput":"x"}'`, /`hookSpecificOutput`/],
  ])('%s', async (_, command, text) => {
    expect(await run('PreToolUse', [command])).toEqual(oneWarning(text));
  });

  it('has no folder to run in', async () => {
    const outcome = await runHooks({
      event: 'Stop',
      input,
      hooks: [{ Stop: [{ matcher: '', hooks: [{ command: 'true' }] }] }],
      projectRoot: join(base, 'nowhere'),
      environment: {},
      signal: new AbortController().signal,
      limits: LIMITS.userHooks,
    });
    expect(outcome).toEqual(oneWarning(/could not be started/));
  });

  it('does not read its input, however long', async () => {
    const tool_response = 'x'.repeat(4_000_000);
    expect(await run('PostToolUse', ['exit 0'], { input: { tool_response } })).toEqual(nothing);
  });
});

it('an interruption ends them at once, without a word', async () => {
  const stop = new AbortController();
  const pidFile = join(projectRoot, 'stopped.pid');
  writeFileSync(pidFile, '');
  const running = run('Stop', [`echo $$ > ${pidFile}; sleep 600`], { signal: stop.signal });
  while (readFileSync(pidFile, 'utf8') === '') await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort();
  expect(await running).toEqual(nothing);
  expect(await isGone(pidFile)).toBe(true);
});
