/** What a person types first: a text to remember, a key, a setting, a prompt; in the real program. */

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';

let agent: AgentHome;

beforeEach(() => {
  agent = createAgentHome(null);
});

async function run(...words: string[]) {
  const ended = await agent.run(words);
  return { ...ended, all: ended.stdout + ended.stderr };
}

const data = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout);

describe('a text alone is a memory', () => {
  it.each([
    [['remember', 'We never mock the database in tests'], 'feedback', 'We never mock the database in tests'],
    [['remember', 'deploys', 'happen', 'on', 'Tuesdays'], 'project', 'Deploys happen on Tuesdays'],
    [['memory', 'add', 'I use fish as my shell'], 'user', 'I use fish as my shell'],
    [['memory', 'save', 'Please remember that Anna owns billing.'], 'project', 'Anna owns billing'],
  ])('%j', async (words, type, name) => {
    const { code, stdout } = await run(...words);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^type +${type}\nname +${name}\ndescription +.+\nSaved `));
    expect(await data('memory', 'list')).toMatchObject([{ type, name, source: 'said' }]);
  });

  it('is found and removed by the words people try', async () => {
    await run('remember', 'Deploys happen on Tuesdays');
    expect((await run('memory', 'search', 'when do we deploy')).stdout).toContain('deploys-happen');
    expect((await run('memory', 'rm', 'project_deploys-happen-on-tuesdays')).code).toBe(0);
    expect(await data('memory', 'list')).toEqual([]);
  });

  it('takes what is said of it, and is not given twice', async () => {
    await run('remember', '--type', 'reference', '--name', 'Board', 'Bugs are in Linear');
    expect(await data('memory', 'list')).toMatchObject([{ type: 'reference', name: 'Board' }]);
    expect(await run('remember', 'a text', '--body', 'another')).toMatchObject({ code: 2 });
  });
});
