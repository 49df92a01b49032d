/** Messages between processes, by the real commands. */

import { beforeEach, describe, expect, it } from 'vitest';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';

let agent: AgentHome;

beforeEach(() => {
  agent = createAgentHome(null);
});

/** `reverie messages read NAME --follow --json`, which is there once the name is taken. */
async function follow(name: string) {
  const { child, ended } = agent.start(['messages', 'read', name, '--follow', '--json']);
  let output = '';
  child.stdout!.on('data', (text: string) => {
    output += text;
  });
  const messages = () =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  await until(async () => (await living()).includes(name));
  return {
    messages,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await ended;
    },
  };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const run = (...words: string[]) => agent.run(['messages', ...words]);

async function living(): Promise<string[]> {
  const mailboxes: { name: string; pid: number | null }[] = JSON.parse((await run('--json')).stdout);
  return mailboxes.filter(({ pid }) => pid !== null).map(({ name }) => name);
}

describe('reverie messages', () => {
  it('goes from one process to another that runs, once', { timeout: 60_000 }, async () => {
    const bob = await follow('bob');
    const sent = await run('send', '--from', 'ann', '--to', 'bob', 'Hello', 'from', 'ann', '--json');
    expect(JSON.parse(sent.stdout)).toMatchObject({ to: 'bob', state: 'queued' });
    await until(() => bob.messages().length > 0);
    expect(bob.messages()).toMatchObject([{ from: 'ann', message: 'Hello from ann', id: JSON.parse(sent.stdout).id }]);
    await bob.end('SIGINT');
    expect((await run('read', 'bob')).stdout).toBe('No message waits for bob.\n');
  });

  it('keeps what waits for one that was killed, and says who is gone and who is here', {
    timeout: 60_000,
  }, async () => {
    const [bob, eve] = [await follow('bob'), await follow('eve')];
    await bob.end('SIGKILL');
    const gone = await run('send', '--from', 'ann', '--to', 'bob', 'Hello?');
    expect(gone.code).toBe(1);
    expect(gone.stderr).toMatch(/bob is gone.*Here are: eve/);
    const unknown = await run('send', '--from', 'ann', '--to', 'carl', 'Hello?');
    expect(unknown.stderr).toMatch(/Nobody is called carl.*Here are: eve/);
    const forged = await run('send', '--from', 'eve', '--to', 'eve', 'I am you');
    expect(forged.code).toBe(1);
    expect(forged.stderr).toMatch(/The name eve belongs to process \d+/);
    expect((await run()).stdout).toMatch(/eve {2}process \d+ {2}nothing waits[\s\S]*bob {2}gone/);
    await eve.end('SIGINT');
  });
});
