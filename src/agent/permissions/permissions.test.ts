/** Questions in a session: asked one at a time, answered for once or for good, counted when the answer was no. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import type { Tool } from '../tool.ts';
import {
  createPermissions,
  type PermissionAnswer,
  type PermissionPorts,
  type PermissionQuestion,
} from './permissions.ts';
import { realPathOf } from './real-path.ts';
import { NO_RULES } from './rule.ts';

const base = temporaryFolder('permissions');
const project = join(base, 'project');
mkdirSync(project);

const tool = { name: 'Bash' } as Tool;
let calls = 0;
const bash = (command: string): ToolUseBlock => {
  calls += 1;
  return { type: 'tool_use', id: `toolu_${calls}`, name: 'Bash', input: { command } };
};

function session(ports: Partial<PermissionPorts> & { readonly answers?: readonly PermissionAnswer[] } = {}) {
  const questions: PermissionQuestion[] = [];
  const answers = [...(ports.answers ?? [])];
  const permissions = createPermissions({
    mode: 'ask',
    rules: NO_RULES,
    place: {
      roots: [project],
      userHome: join(base, 'home'),
      home: join(base, 'home', '.reverie'),
      settingsFiles: [],
      memoryFolders: [],
      readableFolders: [],
      additionalDirectories: [],
    },
    cwd: () => project,
    checkReadOnly: null,
    async ask(question) {
      questions.push(question);
      return answers.shift() ?? { kind: 'no' };
    },
    ...ports,
  });
  const decide = (call: ToolUseBlock, signal = new AbortController().signal) =>
    permissions.decide(call, { tool, isReadOnly: false, signal });
  return { permissions, questions, decide };
}

describe('an answer', () => {
  it('for once is asked for again', async () => {
    const { decide, questions } = session({ answers: [{ kind: 'once' }, { kind: 'once' }] });
    expect(await decide(bash('npm test'))).toEqual({ verdict: 'allow' });
    expect(await decide(bash('npm test'))).toEqual({ verdict: 'allow' });
    expect(questions.map(({ suggestedRules }) => suggestedRules)).toEqual([['Bash(npm test:*)'], ['Bash(npm test:*)']]);
  });

  it('for good settles the questions that wait behind it', async () => {
    const { decide, questions } = session({ answers: [{ kind: 'always', rules: ['Bash(npm test:*)'] }] });
    const decisions = await Promise.all([
      decide(bash('npm test a')),
      decide(bash('npm test b')),
      decide(bash('npm test')),
    ]);
    expect(decisions).toEqual([{ verdict: 'allow' }, { verdict: 'allow' }, { verdict: 'allow' }]);
    expect(questions).toHaveLength(1);
  });

  it('of no reaches the model with the user’s words, and is counted', async () => {
    const { decide, permissions } = session({ answers: [{ kind: 'no', feedback: 'use pnpm' }] });
    const call = bash('npm install');
    expect(await decide(call)).toEqual({
      verdict: 'deny',
      reason: expect.stringContaining('use pnpm'),
      said: ['use pnpm'],
    });
    expect(permissions.denials()).toEqual({
      count: 1,
      listed: [{ call, reason: expect.stringContaining('use pnpm') }],
    });
  });

  it('that never comes ends with the interruption', async () => {
    const stop = new AbortController();
    const { decide, permissions } = session({ ask: () => new Promise(() => {}) });
    const [first, second] = [decide(bash('a'), stop.signal), decide(bash('b'), stop.signal)];
    setImmediate(() => stop.abort());
    expect([await first, await second]).toMatchObject([{ verdict: 'deny' }, { verdict: 'deny' }]);
    expect(permissions.denials().count).toBe(0);
  });

  it('that cannot be had is a no, and the next question is asked all the same', async () => {
    let asked = 0;
    const { decide } = session({
      async ask() {
        asked += 1;
        if (asked === 1) throw new Error('the terminal is gone');
        return { kind: 'once' };
      },
    });
    expect(await decide(bash('a'))).toEqual({
      verdict: 'deny',
      reason: expect.stringContaining('the terminal is gone'),
    });
    expect(await decide(bash('b'))).toEqual({ verdict: 'allow' });
  });
});

describe('suggested rules', () => {
  it.each<readonly [string, string[]]>([
    ['git commit -m x && npm run lint -- --fix', ['Bash(git commit:*)', 'Bash(npm run lint:*)']],
    ['eslint src', ['Bash(eslint src)']],
    ['eslint *.ts', ['Bash(=eslint *.ts)']],
    ['npm test > out.txt', ['Bash(=npm test > out.txt)']],
    ['npm exec x', []],
    ['uv run python x.py', []],
    ['sudo npm test', []],
    ['find . -name x', []],
    ['X=1 npm test', ['Bash(=X=1 npm test)']],
    ['CI=1 npm test', ['Bash(npm test:*)']],
    ['npm test $x', ['Bash(=npm test $x)']],
    ['git -C x push', ['Bash(git -C x push)']],
    ['rm -rf build', ['Bash(rm -rf build)']],
    ['bash -c "x y"', []],
    ['python3 $x', []],
    ['python3 - <<X\nprint(1)\nX', []],
    ['echo hi | sh', []],
    ['echo hi; cat /etc/hosts', ['Bash(cat /etc/hosts)']],
    ['npm test && python3 $x', []],
    ['$x', []],
    ['for f in *; do python3 "$f"; done', []],
  ])('for %s', async (command, suggested) => {
    const { decide, questions } = session();
    await decide(bash(command));
    expect(questions[0]?.suggestedRules).toEqual(suggested);
  });

  it('spare the question they were made for', async () => {
    const outside = join(base, 'out[1]');
    mkdirSync(outside);
    for (const call of [
      bash('git log --oneline | tac'),
      bash('for f in a b; do touch "$f" > log; done'),
      bash('X=1 npm test | tee out.txt'),
      { ...bash(''), name: 'Edit', input: { file_path: 'src/deep/a.ts' } },
      { ...bash(''), name: 'Read', input: { file_path: join(outside, 'a.ts') } },
      { ...bash(''), name: 'WebFetch', input: { url: 'https://example.com/x' } },
      { ...bash(''), name: 'mcp__x__y', input: {} },
    ]) {
      const first = session();
      await first.decide(call);
      const rules = first.questions[0]!.suggestedRules;
      const second = session({ answers: [{ kind: 'always', rules }] });
      await second.decide(call);
      expect(await second.decide(call)).toEqual({ verdict: 'allow' });
      expect(second.questions).toHaveLength(1);
    }
  });

  it('are none where no rule could help', async () => {
    const { decide, questions } = session();
    await decide({ ...bash(''), name: 'Edit', input: { file_path: '.git/config' } });
    expect(questions[0]?.suggestedRules).toEqual([]);
  });
});

it('a mode that is changed counts from then on', async () => {
  const { decide, permissions, questions } = session();
  permissions.setMode('bypass');
  expect(await decide(bash('npm test'))).toEqual({ verdict: 'allow' });
  expect([permissions.mode(), questions.length]).toEqual(['bypass', 0]);
});

it('hooks are heard before anybody is asked', async () => {
  const { decide, questions } = session({ advise: async () => ({ verdict: 'allow', reason: 'known' }) });
  expect(await decide(bash('npm test'))).toEqual({ verdict: 'allow' });
  expect(questions).toEqual([]);
});

it('without a terminal nothing is asked and the reason says so', async () => {
  const { decide, permissions } = session({ ask: undefined });
  expect(await decide(bash('npm test'))).toMatchObject({
    verdict: 'deny',
    reason: expect.stringContaining('Nobody can be asked'),
  });
  expect(permissions.denials().count).toBe(1);
});

describe('a real path', () => {
  it('follows links, also to what does not exist, and through folders that do not', () => {
    writeFileSync(join(base, 'file'), '');
    symlinkSync(join(base, 'file'), join(project, 'link'));
    symlinkSync('../nowhere/deep', join(project, 'dangling'));
    symlinkSync(base, join(project, 'up'));
    symlinkSync('loop', join(project, 'loop'));
    expect(realPathOf(join(project, 'link'))).toBe(join(base, 'file'));
    expect(realPathOf(join(project, 'dangling'))).toBe(join(base, 'nowhere', 'deep'));
    expect(realPathOf(join(project, 'dangling', 'x'))).toBe(join(base, 'nowhere', 'deep', 'x'));
    const deep = Array.from({ length: 200 }, () => 'd').join('/');
    expect(realPathOf(join(project, 'up', deep, 'x'))).toBe(join(base, deep, 'x'));
    expect(realPathOf(join(project, 'loop'))).toContain('loop');
  });
});
