/** What an agent is given for itself: a work tree, and a memory. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentCall, agentsStory, calls, isOf, say, text, wholeOf } from '../support/agents-story.ts';
import type { ServerAnswer } from '../support/messages-server.ts';

const story = agentsStory();
const { open } = story;
beforeEach(story.begin);
afterEach(story.end);

const tool = (name: string, input: Record<string, unknown>, id: string): ServerAnswer => ({
  content: [{ type: 'tool_use', id, name, input }],
});

const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words], {
    cwd: join(story.root(), 'project'),
    env: { HOME: story.root(), PATH: process.env.PATH },
    encoding: 'utf8',
  });

function commitAll(): void {
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
}

describe('an agent with a work tree of its own', () => {
  it('changes files there alone, and its result names the tree', async () => {
    commitAll();
    await story.serve((request) => {
      if (isOf(request, 'TASK-EDIT')) {
        if (wholeOf(request).includes('toolu_write')) return text('CHANGED');
        return tool('Write', { file_path: 'new.txt', content: 'of the agent\n' }, 'toolu_write');
      }
      if (wholeOf(request).includes('CHANGED')) return text('Done.');
      return calls(agentCall({ prompt: 'TASK-EDIT', isolation: 'worktree', name: 'editor' }));
    });
    const agent = await open({ permissionMode: 'accept-edits' });
    await say(agent, 'PARENT: change it.');
    const [kept] = /\/\S+\/worktrees\/editor-\w+/.exec(JSON.stringify(agent.entries())) ?? [];
    expect(readFileSync(join(kept!, 'new.txt'), 'utf8')).toBe('of the agent\n');
    expect(existsSync(join(story.root(), 'project', 'new.txt'))).toBe(false);
  });

  it('leaves nothing behind where it changed nothing', async () => {
    commitAll();
    const seen: string[] = [];
    await story.serve((request) => {
      if (isOf(request, 'TASK-READ')) {
        seen.push(...readdirSync(join(story.root(), 'home', 'worktrees')));
        return text('SEEN');
      }
      if (wholeOf(request).includes('SEEN')) return text('Done.');
      return calls(agentCall({ prompt: 'TASK-READ', isolation: 'worktree', name: 'reader' }));
    });
    const agent = await open();
    await say(agent, 'PARENT: look at it.');
    expect(seen.some((name) => name.startsWith('reader-'))).toBe(true);
    expect(readdirSync(join(story.root(), 'home', 'worktrees')).filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('is refused with a sentence where there is no commit to begin at', async () => {
    await story.serve((request) =>
      wholeOf(request).includes('No work tree can be made')
        ? text('Done.')
        : calls(agentCall({ prompt: 'TASK-READ', isolation: 'worktree' })),
    );
    const agent = await open();
    await say(agent, 'PARENT: look at it.');
    expect(JSON.stringify(agent.entries().at(-1))).toContain('Done.');
  });
});

describe('an agent with a memory of its own', () => {
  const fact = 'The build needs Node 20.';
  const memory = `---\nname: Node 20\ndescription: ${fact}\ntype: project\n---\n${fact}\n`;

  it('writes it through the gate and the journal, and finds its index the next time', async () => {
    writeFileSync(join(story.root(), 'project', 'README.md'), `${fact}\n`);
    const folder = join(story.root(), 'home', 'agent-memory', 'keeper');
    const server = await story.serve((request) => {
      const whole = wholeOf(request);
      if (isOf(request, 'TASK-KEEP')) {
        if (!whole.includes('toolu_read')) return tool('Read', { file_path: 'README.md' }, 'toolu_read');
        if (!whole.includes('toolu_keep'))
          return tool('Write', { file_path: join(folder, 'project_node.md'), content: memory }, 'toolu_keep');
        return text('KEPT');
      }
      if (isOf(request, 'TASK-AGAIN')) return text('AGAIN');
      if (whole.includes('AGAIN')) return text('Done.');
      const prompt = whole.includes('KEPT') ? 'TASK-AGAIN' : 'TASK-KEEP';
      return calls(agentCall({ prompt, subagent_type: 'keeper' }, `toolu_${prompt}`));
    });
    const agents = { keeper: { description: 'keeps things', prompt: 'You keep things.', memory: 'user' } };
    const agent = await open({ agents, permissionMode: 'ask' });
    await say(agent, 'PARENT: keep it.');
    expect(readFileSync(join(folder, 'project_node.md'), 'utf8')).toContain(fact);
    expect(existsSync(join(folder, '.reverie'))).toBe(true);
    const again = server.requests.find((request) => isOf(request, 'TASK-AGAIN'))!;
    expect(wholeOf(again)).toContain('project_node.md');
    expect(JSON.stringify(again.body.system)).toContain(folder);
  });

  it('gets neither the tool that ends plan mode nor one that asks the user', async () => {
    mkdirSync(join(story.root(), 'home'), { recursive: true });
    const server = await story.serve((request) => {
      if (isOf(request, 'TASK-PLAIN')) return text('PLAIN');
      return wholeOf(request).includes('PLAIN') ? text('Done.') : calls(agentCall({ prompt: 'TASK-PLAIN' }));
    });
    const agent = await open();
    await say(agent, 'PARENT: go.');
    const namesOf = (word: string) =>
      server.requests.find((request) => isOf(request, word))!.body.tools.map(({ name }: { name: string }) => name);
    expect(namesOf('PARENT')).toContain('ExitPlanMode');
    for (const name of ['ExitPlanMode', 'AskUser', 'Forget']) expect(namesOf('TASK-PLAIN')).not.toContain(name);
  });
});
