/** Sessions with a name among others: who is there, how many messages each has not read, and the list of tasks that a team shares. */

import type { Member, Task, TeamsAnswer } from '../agents.ts';
import { type Column, Table } from '../parts/table.tsx';
import { ago, count, counted, visible } from '../words.ts';

const MEMBERS: readonly Column<Member>[] = [
  { name: 'Name', cell: ({ name }) => visible(name) },
  { name: 'Process', cell: ({ isLiving }) => (isLiving ? 'running' : 'gone') },
  { name: 'Waiting', look: 'number', cell: ({ waiting }) => count(waiting) },
  { name: 'Newest', cell: ({ newest }) => (newest === null ? '–' : ago(newest)) },
];

const TASKS: readonly Column<Task>[] = [
  { name: 'Task', cell: ({ id, subject }) => `${id} ${visible(subject)}` },
  { name: 'State', cell: ({ state }) => state.replace('_', ' ') },
  { name: 'Owner', cell: ({ owner }) => (owner === null ? '–' : visible(owner)) },
  { name: 'Waits for', cell: ({ blockedBy }) => (blockedBy.length === 0 ? '–' : blockedBy.join(', ')) },
];

export function Teams({ teams: { teams, others } }: { teams: TeamsAnswer }) {
  return (
    <>
      {teams.map(({ team, members, tasks }) => (
        <section key={team}>
          <h2>Team {visible(team)}</h2>
          <Table label={`Members of ${team}`} columns={MEMBERS} rows={members} keyOf={({ name }) => name} />
          <h3>{counted(tasks.length, 'task')}</h3>
          {tasks.length > 0 && <Table label={`Tasks of ${team}`} columns={TASKS} rows={tasks} keyOf={({ id }) => id} />}
        </section>
      ))}
      {others.length > 0 && (
        <section>
          <h2>Other sessions with a name</h2>
          <Table label="Other sessions with a name" columns={MEMBERS} rows={others} keyOf={({ name }) => name} />
        </section>
      )}
    </>
  );
}
