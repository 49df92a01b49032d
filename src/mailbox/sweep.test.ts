/** What is removed of mailboxes and teams, and what never is: anything unread, and the keys it needs. */

import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createFolder } from '../disk/folder.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { mailLeftovers, sweepMail } from './sweep.ts';
import type { Task } from './tasks/task.ts';
import { openTaskList } from './tasks/task-list.ts';
import { keptTasks, openTaskLog } from './tasks/task-log.ts';
import { joinTeam, teamMembers, teamNames } from './team-members.ts';

const later = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);
const mailOf = (home: string) => readdirSync(join(home, 'mail')).filter((name) => name !== '.swept');

async function visited(home: string, ...names: string[]): Promise<void> {
  for (const name of names) await (await openMailbox({ name, home })).close();
}

async function drain(mailbox: Mailbox): Promise<string[]> {
  const taken: string[] = [];
  for await (const { message } of mailbox.receive({ until: 'empty' })) taken.push(message);
  return taken;
}

describe('a sweep of mailboxes', () => {
  it('removes names that nobody had for long, and keeps what is unread and the key of its sender', async () => {
    const home = temporaryFolder('sweep');
    const [ann, bob] = [await openMailbox({ name: 'ann', home }), await openMailbox({ name: 'bob', home })];
    await ann.send({ to: 'bob', message: 'still unread' });
    await Promise.all([ann.close(), bob.close()]);
    await visited(home, 'carl');
    const eve = await openMailbox({ name: 'eve', home });
    expect(await sweepMail({ home, now: later(10) })).toEqual([]);
    await sweepMail({ home, now: later(40) });
    expect(mailOf(home)).toEqual(['.gone-carl', 'ann', 'bob', 'eve']);
    expect(await sweepMail({ home, now: later(41.5) })).toEqual([join(home, 'mail', 'carl')]);
    const back = await openMailbox({ name: 'bob', home });
    expect(await drain(back)).toEqual(['still unread']);
    await Promise.all([back.close(), eve.close()]);
  });

  it('brings back a mailbox that a message reached in the very moment', async () => {
    const home = temporaryFolder('sweep');
    const [ann, bob] = [await openMailbox({ name: 'ann', home }), await openMailbox({ name: 'bob', home })];
    await ann.send({ to: 'bob', message: 'just in time' });
    await bob.close();
    renameSync(join(home, 'mail', 'bob'), join(home, 'mail', '.gone-bob'));
    await sweepMail({ home, now: later(2) });
    const back = await openMailbox({ name: 'bob', home });
    expect(await drain(back)).toEqual(['just in time']);
    await Promise.all([ann.close(), back.close()]);
  });

  it('runs once a day, and removes long messages of old', async () => {
    const home = temporaryFolder('sweep');
    const ann = await openMailbox({ name: 'ann', home });
    const long = join(home, 'mail', 'ann', 'long');
    mkdirSync(long);
    for (const name of ['new.txt', 'old.txt']) writeFileSync(join(long, name), 'words');
    utimesSync(join(long, 'old.txt'), later(-40), later(-40));
    expect(await sweepMail({ home, now: new Date() })).toEqual([join(long, 'old.txt')]);
    utimesSync(join(long, 'new.txt'), later(-40), later(-40));
    expect(await sweepMail({ home, now: new Date() })).toEqual([]);
    await ann.close();
  });

  it('leaves the rest to be named: unread, refused, and what cannot be opened', async () => {
    const home = temporaryFolder('sweep');
    const [ann, bob] = [await openMailbox({ name: 'ann', home }), await openMailbox({ name: 'bob', home })];
    await ann.send({ to: 'bob', message: 'still unread' });
    expect(mailLeftovers(home, later(2).getTime())).toEqual([]);
    await Promise.all([ann.close(), bob.close()]);
    mkdirSync(join(home, 'mail', 'ann', 'refused'));
    writeFileSync(join(home, 'mail', 'ann', 'refused', '1-x.mail'), 'torn');
    symlinkSync('/etc', join(home, 'mail', 'evil'));
    const left = mailLeftovers(home, later(2).getTime()).map(({ name, kind, files }) => [name, kind, files]);
    expect(left.toSorted()).toEqual([
      ['ann', 'refused', 1],
      ['bob', 'unread', 1],
      ['evil', 'unreadable', 0],
    ]);
  });

  it('forgets members that are gone, and a team whose tasks are all done', async () => {
    const home = temporaryFolder('sweep');
    for (const [team, state] of [
      ['done', 'completed'],
      ['open', 'pending'],
    ] as const) {
      await joinTeam({ home, team }, 'ann');
      const list = openTaskList({ home, team, name: 'ann' });
      await list.create({ subject: 'a task' });
      if (state === 'completed') {
        await list.claim('1');
        await list.update({ id: '1', state });
      }
      list.close();
    }
    await sweepMail({ home, now: later(10) });
    expect(teamMembers({ home, team: 'done' })).toEqual(['ann']);
    await sweepMail({ home, now: later(40) });
    expect(teamNames(home)).toEqual(['open']);
    expect(teamMembers({ home, team: 'open' })).toEqual([]);
    expect(existsSync(join(home, 'teams', 'open', 'tasks', 'log.jsonl'))).toBe(true);
  });
});

describe('a log of tasks', () => {
  it('is written again when it is long, and other readers go on with it', async () => {
    const folder = createFolder(temporaryFolder('task-log'));
    const [one, other] = [openTaskLog(folder, 2_000), openTaskLog(folder, 2_000)];
    const blank = { subject: 'a task', description: '', owner: null, blockedBy: [] };
    for (let id = 1; id <= 5; id += 1) await one.append({ ...blank, id: String(id), state: 'pending' });
    other.catchUp();
    for (let count = 0; count < 100; count += 1) await one.append({ id: '3', state: 'completed' });
    await one.shorten(Date.now());
    expect(folder.stat('log.jsonl')!.size).toBeLessThan(1_000);
    await one.append({ id: '4', state: 'completed' });
    other.catchUp();
    expect([...other.tasks.values()].map(({ id, state }) => `${id} ${state}`)).toEqual([
      ...['1 pending', '2 pending', '3 completed', '4 completed', '5 pending'],
    ]);
    folder.close();
  });

  it('drops what was finished long ago, never what is open, and keeps the last number', () => {
    const task = (id: string, state: Task['state'], days: number): Task => ({
      ...{ id, state, subject: '', description: '', owner: null, blockedBy: [] },
      changedAt: later(-days).toISOString(),
    });
    const tasks = [
      ...[task('1', 'completed', 40), task('2', 'pending', 90), task('3', 'completed', 5)],
      ...[task('4', 'deleted', 60), task('5', 'completed', 50)],
    ];
    expect(keptTasks(tasks, Date.now()).map(({ id }) => id)).toEqual(['2', '3', '5']);
  });
});
