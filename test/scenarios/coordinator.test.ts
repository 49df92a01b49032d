/** Coordinator mode over the wire: a session that only directs, and agents that have the tools it lacks. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentCall, agentsStory, calls, isOf, lastOf, say, text, tool, wholeOf } from '../support/agents-story.ts';

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
  expect(lastOf(own[1]!)).toContain('is_error');
  expect(lastOf(own[1]!)).not.toContain('alpha');
  const child = server.requests.filter((request) => isOf(request, 'TASK-READ'));
  expect(toolsOf(child[0]!)).toContain('Read');
  expect(toolsOf(child[0]!)).not.toContain('StopAgent');
  expect(lastOf(child[1]!)).toContain('alpha');
  expect(JSON.stringify(agent.entries())).toContain('No agent called nobody runs here.');
});

it('uses only the tools that it was given, and so do its agents', async () => {
  const server = await story.serve((request) => {
    if (isOf(request, 'TASK-')) return text('Done.');
    return wholeOf(request).includes('toolu_agent')
      ? text('Done.')
      : calls(agentCall({ prompt: 'TASK-A' }, 'toolu_agent'));
  });
  const agent = await open({ onlyTools: ['Agent', 'Read', 'SendMessage'] });
  await say(agent, 'PARENT: go.');
  expect(agent.tools.toSorted()).toEqual(['Agent', 'Read', 'SendMessage']);
  for (const request of server.requests) expect(toolsOf(request)).not.toContain('Bash');
});
