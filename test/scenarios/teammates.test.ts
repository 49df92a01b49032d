/** Sessions in a team: messages by mailbox join the next tool results or wake an idle one, and the list of tasks is shared. */

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMailbox } from '../../src/index.ts';
import type { BeginTurn } from '../../src/session/agent.ts';
import { agentsStory, hear, isOf, lastOf, pause, say, text, wholeOf } from '../support/agents-story.ts';
import type { ServerAnswer } from '../support/messages-server.ts';

const story = agentsStory();
const { open } = story;
beforeEach(story.begin);
afterEach(story.end);

const tool = (name: string, input: Record<string, unknown>, id: string): ServerAnswer => ({
  content: [{ type: 'tool_use', id, name, input }],
});
const send = (to: string, message: string, id: string) => tool('SendMessage', { to, message, summary: 's' }, id);
const home = () => join(story.root(), 'home');

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}

describe('sessions of one team', () => {
  it('write to each other, and an idle one wakes and answers', async () => {
    await story.serve((request) => {
      const whole = wholeOf(request);
      if (isOf(request, 'I-AM-ANA')) {
        if (!whole.includes('toolu_s')) return send('bob', 'PLEASE-LOOK', 'toolu_s');
        return text(whole.includes('I-LOOKED') ? 'ANA-KNOWS' : 'I wait.');
      }
      if (!whole.includes('toolu_b')) return send('ana', 'I-LOOKED', 'toolu_b');
      return text('BOB-DONE');
    });
    const woken: Promise<unknown>[] = [];
    const onWake = (begin: BeginTurn) => void woken.push(hear(begin()));
    const bob = await open({ name: 'bob', team: 'crew', onWake });
    const ana = await open({ name: 'ana', team: 'crew', onWake });
    await say(ana, 'I-AM-ANA: ask bob.');
    await until(() => JSON.stringify(ana.entries()).includes('ANA-KNOWS'));
    await Promise.all(woken);
    expect(JSON.stringify(ana.entries())).toContain('ANA-KNOWS');
    const first = bob.entries()[0]!;
    expect(first.injected?.map(({ source }) => source)).toContain('agent-message');
    expect(JSON.stringify(first)).toContain('PLEASE-LOOK');
    expect(bob.messages().map(({ from, to }) => `${from}>${to}`)).toEqual(['ana>bob', 'bob>ana']);
  });

  it('find what waited while nobody was there, once, also when they go on', async () => {
    await story.serve(() => text('Done.'));
    const first = await open({ name: 'ana', team: 'crew' });
    const letters = await openMailbox({ name: 'carl', home: home() });
    await letters.send({ to: 'ana', message: 'WAITING-1' });
    await until(() => first.messages().length === 1);
    const { sessionId } = first;
    await first.close();
    const again = await open({ name: 'ana', team: 'crew' });
    await until(() => again.messages().length === 1);
    await say(again, 'Hello.');
    expect(JSON.stringify(again.entries())).toContain('WAITING-1');
    expect(again.sessionId).not.toBe(sessionId);
    await again.close();
    const third = await open({ name: 'ana', team: 'crew', resume: again.sessionId });
    await pause(300);
    await say(third, 'Anything new?');
    expect(JSON.stringify(third.entries()).split('WAITING-1')).toHaveLength(2);
    await letters.close();
  });

  it('reach a socket by its address, all of the team with one message, and nobody else with that', async () => {
    const letters = await openMailbox({ name: 'carl', home: home(), socket: true });
    await story.serve((request) => {
      const whole = wholeOf(request);
      if (!isOf(request, 'I-AM-ANA')) return text('Done.');
      if (!whole.includes('toolu_u')) return send(letters.address!, 'BY-SOCKET', 'toolu_u');
      return whole.includes('toolu_all') ? text('Done.') : send('*', 'TO-ALL', 'toolu_all');
    });
    const bob = await open({ name: 'bob', team: 'crew' });
    const ana = await open({ name: 'ana', team: 'crew' });
    await say(ana, 'I-AM-ANA: write to all.');
    await until(() => bob.messages().length === 1);
    expect(JSON.stringify(ana.entries())).toContain('Queued for bob.');
    const got: string[] = [];
    for await (const { from, message } of letters.receive({ until: 'empty' })) got.push(`${from}: ${message}`);
    expect(got).toEqual(['ana: BY-SOCKET']);
    await letters.close();
  });

  it('share a list of tasks on which a task is claimed once', async () => {
    await story.serve((request) => {
      const whole = wholeOf(request);
      if (!whole.includes('toolu_1') && isOf(request, 'ANA'))
        return tool('TaskCreate', { subject: 'Write it' }, 'toolu_1');
      if (!whole.includes('toolu_2')) return tool('TaskUpdate', { taskId: '1', status: 'in_progress' }, 'toolu_2');
      return text('Done.');
    });
    const ana = await open({ name: 'ana', team: 'crew', permissionMode: 'ask' });
    const bob = await open({ name: 'bob', team: 'crew', permissionMode: 'ask' });
    await say(ana, 'ANA: make a task and take it.');
    await say(bob, 'BOB: take it.');
    expect(JSON.stringify(ana.entries())).toContain('[in_progress, ana] Write it');
    expect(JSON.stringify(bob.entries())).toContain('Task 1 cannot be claimed: ana works on it');
  });

  it('offer no list without a team, and refuse a name that another process has', async () => {
    await story.serve((request) => text(lastOf(request).slice(0, 4)));
    const plain = await open();
    expect(plain.tools).toContain('SendMessage');
    expect(plain.tools).not.toContain('TaskList');
    await open({ name: 'ana' });
    await expect(open({ name: 'ana' })).rejects.toThrow('The name ana belongs to process');
    await expect(open({ team: 'crew' })).rejects.toThrow('A team needs a name');
  });
});
