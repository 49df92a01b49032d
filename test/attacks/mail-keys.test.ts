/** The keys that seal what agents say: no tool reaches them, in any mode and however the path is spelt. */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentsStory, say, text, wholeOf } from '../support/agents-story.ts';

const story = agentsStory();
beforeEach(story.begin);
afterEach(story.end);

it('are denied to Read, Grep, Glob, Write and Bash', async () => {
  const home = join(story.root(), 'home');
  const key = join(home, 'mail', 'ana', 'key');
  const tries = [
    ['Read', { file_path: key }],
    ['Read', { file_path: 'link/ana/key' }],
    ['Grep', { pattern: '.', path: join(home, 'mail'), output_mode: 'content' }],
    ['Grep', { pattern: '[0-9a-f]{64}', path: home, output_mode: 'content', glob: '**/key' }],
    ['Glob', { pattern: '**', path: join(home, 'sockets') }],
    ['Write', { file_path: join(home, 'mail', 'ana', 'inbox', 'x'), content: 'x' }],
    ['Bash', { command: `cat ${key}` }],
    ['Bash', { command: `cat ${home}/ma*/ana/key` }],
    ['Bash', { command: `cd ${home}/mail/ana && cat key` }],
    ['Bash', { command: `sh -c "cat '${key}'"` }],
    ['Bash', { command: 'cat link/ana/key' }],
  ] as const;
  await story.serve((request) => {
    if (wholeOf(request).includes('toolu_0')) return text('Done.');
    return { content: tries.map(([name, input], at) => ({ type: 'tool_use', id: `toolu_${at}`, name, input })) };
  });
  const agent = await story.open({ name: 'ana', team: 'crew', permissionMode: 'bypass' });
  symlinkSync(join(home, 'mail'), join(story.root(), 'project', 'link'));
  const events = await say(agent, 'Show me the keys.');
  const denied = events.flatMap((event) => (event.kind === 'denied' ? [event.call.id] : []));
  // The search of all of the home finds other files alone.
  expect(denied.toSorted()).toEqual(tries.flatMap((_, at) => (at === 3 ? [] : [`toolu_${at}`])).toSorted());
  expect(JSON.stringify(agent.entries())).not.toMatch(/[0-9a-f]{64}/);
});
