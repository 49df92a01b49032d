/** The real program as a teammate: it has a name among other processes while it runs, and a command shows the team. */

import { afterEach, expect, it } from 'vitest';
import { openMailbox } from '../../src/index.ts';
import { createAgentHome } from '../support/agent-process.ts';
import { text, wholeOf } from '../support/agents-story.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';

let server: MessagesServer;
afterEach(() => server.close());

const environment = { REVERIE_DISABLE_RECALL: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_NOTES: '1' };

it('writes to another process, reads its answer at the next tool results, and shares tasks', async () => {
  const call = (name: string, input: Record<string, unknown>, id: string) => ({
    content: [{ type: 'tool_use' as const, id, name, input }],
  });
  server = await startMessagesServer((request) => {
    const whole = wholeOf(request);
    if (!whole.includes('toolu_task')) return call('TaskCreate', { subject: 'Check the tests' }, 'toolu_task');
    if (!whole.includes('toolu_send'))
      return call('SendMessage', { to: 'bob', message: 'HELLO-BOB', summary: 'a greeting' }, 'toolu_send');
    if (whole.includes('HELLO-ANA')) return text('BOTH-HEARD');
    const count = whole.split('toolu_list').length;
    return count > 200 ? text('GAVE-UP') : call('TaskList', {}, `toolu_list_${count}`);
  });
  const home = createAgentHome(server.url);
  const bob = await openMailbox({ name: 'bob', home: home.home });
  const running = home.start(['-p', '--output-format', 'stream-json', '--teammate', 'ana', '--team', 'crew', 'Go.'], {
    environment,
  });
  for await (const { from, message } of bob.receive()) {
    expect([from, message]).toEqual(['ana', 'HELLO-BOB']);
    break;
  }
  const shown = await home.run(['team', 'members', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject([
    { team: 'crew', members: [{ name: 'ana', pid: running.child.pid }], tasks: [{ subject: 'Check the tests' }] },
  ]);
  await bob.send({ to: 'ana', message: 'HELLO-ANA' });
  const ended = await running.ended;
  expect(ended.stdout).toContain('BOTH-HEARD');
  expect(ended.stdout).toContain('ana to bob: a greeting');
  await bob.close();
  expect((await home.run(['team', 'members'])).stdout).toMatch(/crew: 1 task, 0 completed\nana \(leads\)\s+gone/);
  const wrong = await home.run(['-p', '--team', 'crew', 'Go.']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--team needs a name')]);
}, 60_000);
