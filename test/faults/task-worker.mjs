/** Claims tasks of a shared list, works a moment and completes them, until all are done. */

import { setTimeout as sleep } from 'node:timers/promises';

const { dist, home, name } = JSON.parse(process.argv[2]);
const { openTaskList } = await import(new URL('mailbox/tasks/task-list.js', dist).href);
const list = openTaskList({ team: 'crew', name, home });
process.stdout.write('READY\n');
for (;;) {
  const task = await list.claim();
  if (task === null) {
    if ((await list.list()).every(({ state }) => state === 'completed')) break;
    await sleep(20);
    continue;
  }
  process.stdout.write(`CLAIMED ${task.id}\n`);
  await sleep(Math.random() * 5);
  await list.update({ id: task.id, state: 'completed' });
}
process.stdout.write('END\n');
process.exit(0);
