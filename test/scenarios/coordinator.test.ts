/** Coordinator mode over the wire: a session that only directs, and agents that have the tools it lacks. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentCall, agentsStory, calls, isOf, lastOf, say, text, tool, wholeOf } from '../support/agents-story.ts';
import { quietAgent } from '../support/quiet-agent.ts';

const story = agentsStory();
const { open } = story;
beforeEach(story.begin);
afterEach(story.end);

const toolsOf = ({ body }: { body: { tools?: readonly { name: string }[] } }) =>
  (body.tools ?? []).map(({ name }) => name).toSorted();

it('has only tools to direct, and its agents have the others', async () => {
  const server = await story.serve((request) => {
    const whole = wholeOf(request);
    if (isOf(request, 'TASK-READ'))
      return whole.includes('toolu_read') ? text('READ-IT') : tool('Read', { file_path: 'a.txt' }, 'toolu_read');
    if (!whole.includes('toolu_own')) return tool('Read', { file_path: 'a.txt' }, 'toolu_own');
    if (!whole.includes('toolu_agent')) return calls(agentCall({ prompt: 'TASK-READ' }, 'toolu_agent'));
    if (!whole.includes('toolu_stop')) return tool('StopAgent', { name: 'nobody' }, 'toolu_stop');
    return text('All is in.');
  });
  const agent = await open({ coordinator: true, name: 'lead', team: 'crew' });
  await say(agent, 'PARENT: direct them.');
  const own = server.requests.filter((request) => isOf(request, 'PARENT'));
  expect(toolsOf(own[0]!)).toEqual(['Agent', 'SendMessage', 'StopAgent', 'TaskCreate', 'TaskList', 'TaskUpdate']);
  expect(wholeOf(own[0]!)).toContain('You coordinate');
  expect(wholeOf(own[0]!)).toContain('put them on the list (TaskCreate)');
  expect(lastOf(own[1]!)).toContain('is_error');
  expect(lastOf(own[1]!)).not.toContain('alpha');
  const child = server.requests.filter((request) => isOf(request, 'TASK-READ'));
  expect(toolsOf(child[0]!)).toContain('Read');
  expect(toolsOf(child[0]!)).not.toContain('StopAgent');
  expect(lastOf(child[1]!)).toContain('alpha');
  expect(JSON.stringify(agent.entries())).toContain('No agent called nobody runs here.');
});

it('works as a kind of agent, with its prompt and tools, and so do its agents', async () => {
  const server = await story.serve((request) => {
    if (isOf(request, 'TASK-')) return text('Done.');
    return wholeOf(request).includes('toolu_agent')
      ? text('Done.')
      : calls(agentCall({ prompt: 'TASK-A' }, 'toolu_agent'));
  });
  const kind = { description: 'reads', prompt: 'YOU-READ-ONLY', tools: ['Agent', 'Read'] };
  const agent = await open({ agents: { reader: kind }, agentType: 'reader' });
  await say(agent, 'PARENT: go.');
  expect(agent.tools.toSorted()).toEqual(['Agent', 'Read', 'SendMessage']);
  for (const request of server.requests) expect(toolsOf(request)).not.toContain('Bash');
  expect(wholeOf(server.requests[0]!)).toContain('YOU-READ-ONLY');
  await expect(open({ agentType: 'nosuch' })).rejects.toThrow('There is no agent type nosuch. Known: general');
});

it('is not told to present a plan where its kind has no tool for it', async () => {
  const server = await story.serve(() => text('Found.'));
  const agent = await open({ agentType: 'explore', permissionMode: 'plan' });
  await say(agent, 'Where is it?');
  expect(wholeOf(server.requests[0]!)).toContain('Tools that only read run here');
  expect(wholeOf(server.requests[0]!)).not.toContain('ExitPlanMode');
});

it('shows a claim to a look at the list in the same answer', async () => {
  const server = await story.serve((request) => {
    if (wholeOf(request).includes('toolu_list')) return text('Done.');
    const call = (name: string, input: Record<string, unknown>, id: string) => ({
      ...{ type: 'tool_use' as const, id, name, input },
    });
    const content = [
      call('TaskCreate', { subject: 'Check it' }, 'toolu_create'),
      call('TaskUpdate', { taskId: '1', status: 'in_progress' }, 'toolu_claim'),
      call('TaskList', {}, 'toolu_list'),
    ];
    return { content, stopReason: 'tool_use' };
  });
  const agent = await open({ name: 'ana', team: 'crew' });
  await say(agent, 'Go.');
  expect(lastOf(server.requests[1]!)).toContain('1 task, 0 completed:\\n#1 [in_progress, ana] Check it');
});

it('directs agents alone where there is no team, and is told of no list', async () => {
  const server = await story.serve(() => text('Done.'));
  const agent = await open({ coordinator: true });
  await say(agent, 'Go.');
  expect(agent.tools.toSorted()).toEqual(['Agent', 'SendMessage', 'StopAgent']);
  expect(wholeOf(server.requests[0]!)).toContain('You coordinate');
  expect(JSON.stringify(server.requests[0]!.body.messages)).not.toMatch(/TaskCreate|teammates/);
});

it('has what was said kept, though it cannot write itself', async () => {
  const body =
    '---\nname: Ship date\ndescription: The book ships on 2031-05-08\ntype: project\nquote: "We ship on 2031-05-08"\n---\n\nWe ship on 2031-05-08.\n';
  const server = await story.serve((request) => {
    if (!wholeOf(request).includes('<fork-directive>')) return text('Noted.');
    const folder = /This project's: ([^\\]+)/.exec(JSON.stringify(request.body.system))![1];
    return tool('Write', { file_path: `${folder}/project_ship-date.md`, content: body }, 'toolu_save');
  });
  const { REVERIE_DISABLE_EXTRACTION: _off, ...env } = quietAgent(story.root(), server).env;
  const agent = await open({ coordinator: true, env });
  await say(agent, 'We ship on 2031-05-08, says the printer.');
  await agent.close();
  const fork = server.requests.find((request) => wholeOf(request).includes('<fork-directive>'))!;
  expect(toolsOf(fork)).toContain('Write');
  expect(readdirSync(join(story.root(), 'home'), { recursive: true }).join()).toContain('project_ship-date.md');
});
