/** `reverie team members`: which agents of a team run, what waits for each, and what each works on. */

import { listMailboxes } from '../../../mailbox/list.ts';
import { type ListedTask, openTaskList } from '../../../mailbox/tasks/task-list.ts';
import { teamMembers, teamNames } from '../../../mailbox/team-members.ts';
import { defineCommand } from '../../command.ts';
import { settingFacts } from '../../options/place-options.ts';
import { alignColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'TEAM', required: false, help: 'Only this one' }],
  options: {},
  about: 'Start a member in any terminal: reverie --teammate NAME --team TEAM',
  examples: ['reverie team members', 'reverie team members release --json'],
  async run({ arguments: [wanted], place, environment }) {
    const { home } = settingFacts(place, environment);
    const names = teamNames(home).filter((name) => wanted === undefined || name === wanted);
    const teams = await Promise.all(names.map((team) => teamFacts(team, home)));
    if (teams.length === 0) {
      const what =
        wanted === undefined ? 'There is no team of processes yet.' : `There is no team ${plainLine(wanted)}.`;
      return { data: [], text: `${what} To start one: reverie --teammate NAME --team TEAM` };
    }
    return { data: teams, text: teams.map(teamText).join('\n\n') };
  },
});

async function teamFacts(team: string, home: string | undefined) {
  const mailboxes = new Map(listMailboxes(home).map((each) => [each.name, each]));
  const tasks = await tasksOf(team, home);
  const members = teamMembers({ home, team }).map((name) => ({
    ...{ name, pid: mailboxes.get(name)?.pid ?? null, waiting: mailboxes.get(name)?.waitingFiles ?? 0 },
    tasks: tasks.filter(({ owner, state }) => owner === name && state === 'in_progress').map(({ subject }) => subject),
  }));
  return { team, members, tasks };
}

async function tasksOf(team: string, home: string | undefined): Promise<readonly ListedTask[]> {
  const list = openTaskList({ team, name: 'reader', ...(home === undefined ? {} : { home }) });
  try {
    return (await list.list()).filter(({ state }) => state !== 'deleted');
  } finally {
    list.close();
  }
}

function teamText({ team, members, tasks }: Awaited<ReturnType<typeof teamFacts>>): string {
  const rows = members.map(({ name, pid, waiting, tasks: own }) => [
    plainLine(name),
    pid === null ? 'gone' : `process ${pid}`,
    waiting === 0 ? 'nothing waits' : `${waiting} waiting`,
    own.map(plainLine).join('; '),
  ]);
  const done = tasks.filter(({ state }) => state === 'completed').length;
  const lines = alignColumns(rows.map((row) => row.map((text) => ({ text }))));
  return [
    `${plainLine(team)}: ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}, ${done} completed`,
    ...lines,
  ].join('\n');
}
