/** The shared list: claims, blockers, what a dead owner leaves, and what the tools say. */

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openTaskList } from './task-list.ts';
import { taskCreate, taskList, taskUpdate } from './task-tools.ts';

function team() {
  const home = temporaryFolder('tasks');
  const open = (name: string) => openTaskList({ team: 'crew', name, home });
  return { home, open, log: join(home, 'teams', 'crew', 'tasks', 'log.jsonl') };
}

describe('a task list', () => {
  it('gives a task to one, however many claim it', async () => {
    const { open } = team();
    const lists = Array.from({ length: 8 }, (_, at) => open(`agent-${at}`));
    for (let count = 0; count < 5; count += 1) await lists[0]!.create({ subject: `task ${count}` });
    const claimed = await Promise.all(lists.map((list) => list.claim()));
    const ids = claimed.flatMap((task) => (task === null ? [] : [task.id]));
    expect(ids.toSorted()).toEqual(['1', '2', '3', '4', '5']);
    await expect(lists[0]!.claim('1')).rejects.toThrow(/cannot be claimed: agent-\d works on it/);
  });

  it('holds back what waits for another, and refuses a circle', async () => {
    const { open } = team();
    const list = open('ann');
    await list.create({ subject: 'build' });
    await list.create({ subject: 'test', blockedBy: ['1'] });
    await expect(list.claim('2')).rejects.toThrow(/it waits for 1/);
    await expect(list.update({ id: '1', addBlockedBy: ['2'] })).rejects.toThrow(/wait for itself/);
    await expect(list.create({ subject: 'more', blockedBy: ['9'] })).rejects.toThrow(/no task 9/);
    expect((await list.claim())?.id).toBe('1');
    expect(await list.claim()).toBeNull();
    await list.update({ id: '1', state: 'completed' });
    expect((await list.claim())?.id).toBe('2');
  });

  it('completes only what was claimed, by whoever claimed it', async () => {
    const { open } = team();
    const [ann, bob] = [open('ann'), open('bob')];
    await ann.create({ subject: 'build' });
    await expect(bob.update({ id: '1', state: 'completed' })).rejects.toThrow(/nobody has claimed it/);
    await ann.claim('1');
    await expect(bob.update({ id: '1', state: 'completed' })).rejects.toThrow(/ann works on it/);
    await expect(bob.update({ id: '1', state: 'pending' })).rejects.toThrow(/ann works on it/);
    await ann.update({ id: '1', state: 'pending' });
    expect((await bob.claim())?.owner).toBe('bob');
  });

  it('takes back the claim of a process that is gone', async () => {
    const { open, log } = team();
    const ann = open('ann');
    await ann.create({ subject: 'build' });
    await ann.claim('1');
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll(`"pid":${process.pid}`, '"pid":99999999'));
    const bob = open('bob');
    expect(await bob.list()).toMatchObject([{ state: 'pending', owner: null }]);
    expect((await bob.claim())?.owner).toBe('bob');
  });

  it('loses nothing to a line that a kill cut short', async () => {
    const { open, log } = team();
    const ann = open('ann');
    await ann.create({ subject: 'build' });
    appendFileSync(log, '{"id":"1","state":"comp');
    await ann.create({ subject: 'test' });
    expect((await open('bob').list()).map(({ subject, state }) => [subject, state])).toEqual([
      ['build', 'pending'],
      ['test', 'pending'],
    ]);
  });

  it('keeps no secret', async () => {
    const list = team().open('ann');
    const key = `ghp_${'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4'}`;
    await expect(list.create({ subject: 'deploy', description: `with ${key}` })).rejects.toThrow(/holds a secret/);
    expect(await list.list()).toEqual([]);
  });
});

describe('the tools', () => {
  it('say what became of each call', async () => {
    const list = team().open('ann');
    expect(await taskList.run({}, list)).toBe('The list is empty.');
    expect(await taskCreate.run({ subject: 'Build it' }, list)).toBe('Created #1 [pending] Build it');
    await taskCreate.run({ subject: 'Test it', description: 'npm test passes', blockedBy: ['1'] }, list);
    expect(await taskUpdate.run({ taskId: '1', status: 'in_progress' }, list)).toBe(
      'Now #1 [in_progress, ann] Build it',
    );
    await expect(taskUpdate.run({ taskId: '2', status: 'in_progress' }, list)).rejects.toThrow(/waits for 1/);
    await taskUpdate.run({ taskId: '1', status: 'completed' }, list);
    expect(await taskList.run({}, list)).toBe(
      '2 tasks, 1 completed:\n#1 [completed, ann] Build it\n#2 [pending] Test it',
    );
    expect(await taskUpdate.run({ taskId: '2', status: 'deleted' }, list)).toBe('Deleted task 2.');
  });
});
