/** The user's hooks in a whole conversation: what they add, what they keep from happening, and what a bad one costs. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import { openAgent } from '../../src/session/open-agent.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'reverie-hooks-'));
  mkdirSync(join(root, 'project'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

async function converse(hooks: Record<string, string>, steps: readonly ScriptStep[]) {
  const model = scriptedModel({ steps });
  const settings = {
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command, timeout: 1 }] }]]),
    ),
  };
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
    model,
    settings,
    permissionMode: 'bypass',
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.send('Do it.')) events.push(event);
  await agent.close();
  const last = events.at(-1);
  return { model, events, warnings: agent.warnings, outcome: last?.kind === 'turn-ended' ? last.outcome : null };
}

const write = { tools: [{ name: 'Write', input: { file_path: 'a.txt', content: 'a' } }] };

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
