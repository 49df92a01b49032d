/** Teams of real sessions that are killed and started again: each task is done, none twice, and the list survives. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openMailbox } from '../../src/mailbox/mailbox.ts';
import { parseChange } from '../../src/mailbox/tasks/task.ts';
import { openTaskList } from '../../src/mailbox/tasks/task-list.ts';
import { createAgentHome, type Running } from '../support/agent-process.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { playTeam } from '../support/team-player.mjs';
import { inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';

const NAMES = ['ana', 'ben', 'cleo'];
const TASKS = inThisRun({ short: 12, long: 30 });
const KILLS = inThisRun({ short: 4, long: 12 });
const QUIET = { REVERIE_DISABLE_RECALL: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_NOTES: '1' };

it(`has each of ${TASKS} tasks done once by sessions that are killed ${KILLS} times`, async () => {
  const random = seededRandom(3);
  let calls = 0;
  const server = await startMessagesServer(async ({ body }) => {
    const answer = playTeam(body.messages);
    await sleep(random() * 150);
    calls += 1;
    if ('text' in answer) return { content: [{ type: 'text', text: answer.text }] };
    return { content: [{ type: 'tool_use', id: `toolu_${calls}`, name: answer.tool, input: answer.input }] };
  });
  const home = createAgentHome(server.url);
  const lead = await openMailbox({ name: 'lead', home: home.home });
  const list = openTaskList({ team: 'book', name: 'lead', home: home.home });
  for (let at = 1; at <= TASKS; at += 1) {
    await list.create({ subject: `Check chapter ${at}` });
    writeFileSync(join(home.project, `chapter-${at}.md`), `This is chapter ${at} of the book.\n`);
  }
  const start = (name: string): Running =>
    home.start(['-p', '--stay', '--teammate', name, '--team', 'book', `You are ${name} in the team.`], {
      environment: QUIET,
    });
  const running = new Map(NAMES.map((name) => [name, start(name)]));
  const isDone = async () => (await list.list()).every(({ state }) => state === 'completed');
  let kills = 0;
  while (kills < KILLS && !(await isDone())) {
    const name = NAMES[Math.floor(random() * NAMES.length)]!;
    const claimed = (await list.list()).some(({ owner, state }) => owner === name && state === 'in_progress');
    if (!claimed) {
      await sleep(20);
      continue;
    }
    const killed = running.get(name)!;
    killed.child.kill('SIGKILL');
    await killed.ended;
    kills += 1;
    running.set(name, start(name));
  }
  for (let at = 0; at < 1_200 && !(await isDone()); at += 1) {
    // Whoever found nothing left while another still had a claim is woken, as a leader would do.
    if (at % 100 === 99)
      for (const name of NAMES) await lead.send({ to: name, message: 'Look again.' }).catch(() => {});
    await sleep(100);
  }
  expect(await isDone()).toBe(true);
  const log = readFileSync(join(home.home, 'teams', 'book', 'tasks', 'log.jsonl'), 'utf8').split('\n');
  const completed = log.flatMap((line) => parseChange(line) ?? []).filter(({ state }) => state === 'completed');
  expect(completed.map(({ id }) => id).toSorted()).toEqual(
    Array.from({ length: TASKS }, (_, at) => String(at + 1)).toSorted(),
  );
  say(`teams: ${NAMES.length} sessions, ${TASKS} tasks, ${kills} kills; each done once`);
  expect(kills).toBeGreaterThan(0);
  for (const { child, ended } of running.values()) {
    child.kill('SIGTERM');
    await ended;
  }
  list.close();
  await lead.close();
  await server.close();
}, 600_000);
