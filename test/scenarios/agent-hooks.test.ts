/** The user's hooks in a whole conversation: what they add, what they keep from happening, and what a bad one costs. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;

beforeEach(() => {
  root = temporaryFolder('hooks');
  mkdirSync(join(root, 'project'));
});

const options = (steps: readonly ScriptStep[] = []) => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH },
  model: scriptedModel({ steps }),
  permissionMode: 'bypass' as const,
});

interface Converse {
  readonly prompt?: string;
  readonly signal?: AbortSignal;
  /** Of each hook, in seconds. */
  readonly timeout?: number;
}

async function converse(
  hooks: Record<string, string>,
  steps: readonly ScriptStep[],
  { prompt = 'Do it.', signal, timeout = 1 }: Converse = {},
) {
  const settings = {
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command, timeout }] }]]),
    ),
  };
  const given = options(steps);
  const agent = await openAgent({ ...given, settings });
  const events: AgentEvent[] = [];
  for await (const event of agent.send(prompt, signal === undefined ? {} : { signal })) events.push(event);
  await agent.close();
  const last = events.at(-1);
  const outcome = last?.kind === 'turn-ended' ? last.outcome : null;
  return { model: given.model, events, warnings: agent.warnings, outcome };
}

const write = { tools: [{ name: 'Write', input: { file_path: 'a.txt', content: 'a' } }] };

/** A hook that keeps what it is told, a line each, and answers with the rest of the command. */
function keeping(answer = 'true'): { readonly command: string; told(): readonly Record<string, unknown>[] } {
  const file = join(root, 'told.jsonl');
  return {
    command: `cat >> ${file}; ${answer}`,
    told: () =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

describe('what hooks of the user are told and may do', () => {
  it('names the call, the mode, and whether the turn goes on because of a hook', async () => {
    const kept = keeping();
    const { model } = await converse({ PreToolUse: kept.command, PostToolUse: kept.command }, [
      write,
      { text: 'Done.' },
    ]);
    const id = JSON.stringify(model.requests[1]!.messages).match(/"tool_use","id":"([^"]+)"/)![1];
    expect(kept.told()).toMatchObject([
      { hook_event_name: 'PreToolUse', tool_use_id: id, permission_mode: 'bypassPermissions' },
      { hook_event_name: 'PostToolUse', tool_use_id: id, permission_mode: 'bypassPermissions' },
    ]);
  });

  it('sends an answer back eight times, then ends with a line, and memory still looks at the turn', async () => {
    const kept = keeping('echo not yet >&2; exit 2');
    const said = 'Remember that the staging database listens on port 6543.';
    const steps = [...Array.from({ length: 9 }, () => ({ text: 'Done.' })), { text: 'Nothing to save.' }];
    const { events, outcome, model } = await converse({ Stop: kept.command }, steps, { prompt: said });
    expect(outcome).toEqual({ kind: 'answered' });
    expect(kept.told().map(({ stop_hook_active }) => stop_hook_active)).toEqual([false, ...Array(8).fill(true)]);
    expect(events).toContainEqual({ kind: 'note', text: expect.stringContaining('still objects after 8') });
    expect(model.requests.length).toBeGreaterThan(9);
    const memories = join(root, 'home', 'projects');
    expect(readTree(memories)).toContain('port 6543');
  });

  it.each(['PostToolUse', 'PreToolUse'])('ends the turn where %s says `continue: false`', async (event) => {
    const stop = `echo '{"continue":false,"stopReason":"the budget is spent"}'`;
    const { model, outcome } = await converse({ [event]: stop }, [write, { text: 'Never asked for.' }]);
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { message: 'A hook ended the turn: the budget is spent' },
    });
    expect(model.requests).toHaveLength(1);
  });

  it('lets a Stop hook end the turn that another one would prolong', async () => {
    const stop = `echo '{"continue":false,"decision":"block","reason":"x","stopReason":"enough"}'`;
    const { events, outcome, model } = await converse({ Stop: stop }, [{ text: 'Done.' }]);
    expect(outcome).toEqual({ kind: 'answered' });
    expect(events).toContainEqual({ kind: 'note', text: 'A Stop hook ended the turn: enough' });
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    ['PostToolUse', { kind: 'interrupted' }],
    ['Stop', { kind: 'answered' }],
  ])(
    'a %s hook ends with the interruption',
    async (event, expected) => {
      const begun = join(root, 'begun');
      const waiting = { [event]: `touch ${begun}; sleep 20; touch ${join(root, 'outlived')}` };
      const leaving = new AbortController();
      const poll = setInterval(() => existsSync(begun) && leaving.abort(), 10);
      const { outcome } = await converse(waiting, [write, { text: 'Done.' }], { signal: leaving.signal, timeout: 30 });
      clearInterval(poll);
      expect(outcome).toEqual(expected);
      expect(existsSync(join(root, 'outlived'))).toBe(false);
    },
    15_000,
  );

  it('is told how the session began and why it ends, and matchers choose by that', async () => {
    const kept = keeping();
    const only = (matcher: string) => [{ matcher, hooks: [{ type: 'command', command: kept.command }] }];
    const hooks = { SessionStart: only('clear'), SessionEnd: only('prompt_input_exit') };
    for (const [startedBy, reason] of [['startup', 'clear'] as const, ['clear', 'prompt_input_exit'] as const]) {
      const agent = await openAgent({ ...options(), settings: { hooks }, startedBy });
      await agent.close({ reason });
    }
    expect(kept.told()).toMatchObject([
      { hook_event_name: 'SessionStart', source: 'clear' },
      { hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' },
    ]);
  });

  it('is told `manual` of a compaction by hand', async () => {
    const kept = keeping('echo not now >&2; exit 2');
    const hooks = { PreCompact: [{ matcher: 'manual', hooks: [{ type: 'command', command: kept.command }] }] };
    const agent = await openAgent({ ...options([{ text: 'Hello.' }]), settings: { hooks } });
    for await (const _ of agent.send('Hello.'));
    await agent.compact!('');
    await agent.close();
    expect(kept.told()).toMatchObject([{ trigger: 'manual' }]);
  });
});

function readTree(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe('hooks of the user', () => {
  it('add to the start, the prompt and a tool’s result', async () => {
    const { model, outcome } = await converse(
      {
        SessionStart: 'echo the build is broken',
        UserPromptSubmit: 'echo "asked: $(cat | grep -o "Do it")"',
        PostToolUse: `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"was formatted"}}'`,
      },
      [write, { text: 'Done.' }],
    );
    expect(outcome).toEqual({ kind: 'answered' });
    const first = JSON.stringify(model.requests[0]!.messages);
    expect(first).toContain('the build is broken');
    expect(first).toContain('asked: Do it');
    expect(JSON.stringify(model.requests[1]!.messages)).toContain('was formatted');
  });

  it('keep a prompt from being sent, a tool from running, a turn from ending', async () => {
    const blocked = await converse({ UserPromptSubmit: 'echo not today >&2; exit 2' }, []);
    expect(blocked.outcome).toMatchObject({ kind: 'failed', error: { message: expect.stringContaining('not today') } });
    expect(blocked.model.requests).toEqual([]);

    const denied = await converse({ PreToolUse: 'echo no writing >&2; exit 2' }, [write, { text: 'I may not.' }]);
    expect(denied.events.find(({ kind }) => kind === 'denied')).toMatchObject({
      reason: expect.stringContaining('no writing'),
    });
    expect(() => readFileSync(join(root, 'project', 'a.txt'))).toThrow();

    const flag = join(root, 'flag');
    const sentBack = await converse({ Stop: `test -e ${flag} || { touch ${flag}; echo run the tests >&2; exit 2; }` }, [
      { text: 'Done.' },
      { text: 'They pass.' },
    ]);
    expect(sentBack.outcome).toEqual({ kind: 'answered' });
    expect(JSON.stringify(sentBack.model.requests[1]!.messages)).toContain('run the tests');
  });

  it.each([
    ['hangs', 'sleep 30'],
    ['floods', 'yes'],
    ['crashes', 'kill -9 $$'],
    ['answers nonsense', 'echo "{not json"; exit 0'],
    ['is not there', 'no-such-program-anywhere'],
  ])('that %s costs its time limit and at most a line', async (_what, command) => {
    const { outcome, events } = await converse({ PreToolUse: command }, [write, { text: 'Done.' }]);
    expect(outcome).toEqual({ kind: 'answered' });
    expect(events.filter(({ kind }) => kind === 'note').length).toBeLessThanOrEqual(1);
    expect(readFileSync(join(root, 'project', 'a.txt'), 'utf8')).toBe('a');
  });

  it('of a project that is not trusted do nothing', async () => {
    mkdirSync(join(root, 'project', '.reverie'));
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${join(root, 'owned')}` }] }] };
    writeFileSync(join(root, 'project', '.reverie', 'settings.json'), JSON.stringify({ hooks }));
    const { outcome, warnings } = await converse({}, [{ text: 'Hello.' }]);
    expect(outcome).toEqual({ kind: 'answered' });
    expect(warnings.join('\n')).toMatch(/trust/);
    expect(() => readFileSync(join(root, 'owned'))).toThrow();
  });
});
