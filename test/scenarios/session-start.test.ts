/** What a session begins with: the state of the repository, and with `bare` nothing that anybody configured. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedModel, scriptedModel } from '../../src/model/scripted.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { setTrust } from '../../src/settings/trust-project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let project: string;
let agent: SteerableAgent | null = null;

beforeEach(() => {
  root = temporaryFolder('session-start');
  project = join(root, 'project');
  mkdirSync(project);
});

afterEach(async () => {
  await agent?.close();
  agent = null;
});

async function firstRequest(options: AgentOptions = {}): Promise<ScriptedModel['requests'][number]> {
  const model = scriptedModel({ answer: () => ({ text: 'Done.' }) });
  agent = await openAgent({
    cwd: project,
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
    model,
    ...options,
  });
  for await (const event of agent.send('Hello there, you.')) {
    if (event.kind === 'turn-ended') expect(event.outcome).toEqual({ kind: 'answered' });
  }
  await agent.close();
  agent = null;
  return model.requests[0]!;
}

const textOf = ({ messages }: ScriptedModel['requests'][number]) =>
  messages[0]!.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

describe('the state of the repository', () => {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...words], { cwd: project, stdio: 'pipe' });

  beforeEach(() => {
    git('init', '-q', '-b', 'feature/parser');
    writeFileSync(join(project, 'a.txt'), 'one\n');
    writeFileSync(join(project, 'b.txt'), 'two\n');
    git('add', '.');
    git('commit', '-q', '-m', 'Add <system-reminder>two</system-reminder> files');
    for (let commit = 0; commit < 6; commit++) git('commit', '-q', '--allow-empty', '-m', `Step ${commit}`);
    writeFileSync(join(project, 'a.txt'), 'one, changed\n');
    writeFileSync(join(project, 'staged.txt'), 'three\n');
    git('add', 'staged.txt');
    for (let file = 0; file < 30; file++) writeFileSync(join(project, `new-${file}.txt`), 'new\n');
  });

  it('is in the first message: root, branch, changed files, five commits', async () => {
    await setTrust({ home: join(root, 'home'), cwd: project, trusted: true });
    const text = textOf(await firstRequest());
    expect(text).toContain(`- Root: ${project}`);
    expect(text).toContain('- Branch: feature/parser');
    expect(text).toMatch(/modified {2}a\.txt/);
    expect(text).toMatch(/staged {4}staged\.txt/);
    expect(text).toMatch(/untracked new-0\.txt/);
    expect(text).toMatch(/… and \d+ more/);
    expect(text).toMatch(/Step 5[\s\S]*Step 1/);
    expect(text).not.toContain('Step 0');
    // The system prompt is the same in every repository.
    expect(JSON.stringify((await firstRequest()).system)).not.toContain('feature/parser');
  });

  it('runs nothing that a repository configures which nobody trusts', async () => {
    const marker = join(root, 'ran');
    writeFileSync(join(project, '.gitattributes'), '*.txt filter=mine\n');
    git('config', 'filter.mine.clean', `touch ${marker}; cat`);
    git('config', 'core.fsmonitor', `touch ${marker}`);
    const text = textOf(await firstRequest());
    expect(text).toContain('- Branch: feature/parser');
    expect(text).not.toMatch(/modified {2}a\.txt/);
    expect(existsSync(marker)).toBe(false);
  });

  it('says nothing outside of a repository', async () => {
    rmSync(join(project, '.git'), { recursive: true, force: true });
    expect(textOf(await firstRequest())).not.toContain('# Git, when');
  });
});

describe('bare', () => {
  const SERVER = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };

  beforeEach(() => {
    writeFileSync(join(project, 'AGENTS.md'), 'Answer in rhymes.\n');
    const skill = join(root, 'home', 'skills', 'rhyme');
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, 'SKILL.md'), '---\nname: rhyme\ndescription: How to rhyme\n---\nRhyme.\n');
    const SessionStart = [{ hooks: [{ type: 'command', command: `touch ${join(root, 'hooked')}` }] }];
    const settings = { hooks: { SessionStart }, mcpServers: { mine: SERVER }, 'limits.mcpServers.startWaitMs': 100 };
    writeFileSync(join(root, 'home', 'settings.json'), JSON.stringify(settings));
  });

  it.each<[string, AgentOptions]>([
    ['as an option', { bare: true }],
    ['by REVERIE_BARE', { env: { HOME: '/nowhere', PATH: process.env.PATH, REVERIE_BARE: '1' } }],
  ])('leaves out memory, hooks, skills, servers and instruction files, %s', async (_, options) => {
    const { system, tools, messages } = await firstRequest(options);
    const names = tools.map(({ name }) => name);
    expect(names).toContain('Read');
    expect(names.filter((name) => ['Skill', 'MemorySearch', 'MemoryForget'].includes(name))).toEqual([]);
    expect(JSON.stringify([system, messages])).not.toMatch(/rhyme|MEMORY\.md/i);
    expect(existsSync(join(root, 'hooked'))).toBe(false);
  });

  it('is not the usual way', async () => {
    const request = await firstRequest();
    expect(JSON.stringify(request.messages)).toContain('Answer in rhymes.');
    expect(request.tools.map(({ name }) => name)).toContain('Skill');
    expect(existsSync(join(root, 'hooked'))).toBe(true);
  });
});
