/** `reverie team members`: which agents of a team run, what each does, its unread messages, and which tasks are open. */

import { listMailboxes } from '../../../mailbox/list.ts';
import { type ListedTask, openTaskList } from '../../../mailbox/tasks/task-list.ts';
import { doingOf, teamLeader, teamMembers, teamNames } from '../../../mailbox/team-members.ts';
import { defineCommand } from '../../command.ts';
import { settingFacts } from '../../options/place-options.ts';
import { alignColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';

/** Open tasks that are listed for people. */
const MOST_TASKS = 20;

export const command = defineCommand({
  arguments: [{ name: 'TEAM', required: false, help: 'Only this one' }],
  options: {},
  about:
    'Start a member in any terminal: reverie --teammate NAME --team TEAM; several at once: reverie team start FILE',
  examples: ['reverie team members', 'reverie team members release --json'],
  async run({ arguments: [wanted], place, environment }) {
    const { home } = settingFacts(place, environment);
    const names = teamNames(home).filter((name) => wanted === undefined || name === wanted);
    const teams = await Promise.all(names.map((team) => teamFacts(team, home)));
    if (teams.length === 0) {
      const what =
        wanted === undefined ? 'No team of processes has been started yet.' : `There is no team ${plainLine(wanted)}.`;
      return { data: [], text: `${what} To start one: reverie --teammate NAME --team TEAM` };
    }
    return { data: teams, text: teams.map(teamText).join('\n\n') };
  },
});

async function teamFacts(team: string, home: string) {
  const mailboxes = new Map(listMailboxes(home).map((each) => [each.name, each]));
  const tasks = await tasksOf(team, home);
  const members = teamMembers({ home, team }).map((name) => {
    const { pid = null, waitingFiles: waiting = 0 } = mailboxes.get(name) ?? {};
    const own = tasks.filter(({ owner, state }) => owner === name && state === 'in_progress');
    const doing = pid === null ? null : doingOf({ home, team }, name);
    return { name, pid, doing, waiting, tasks: own.map(({ subject }) => subject) };
  });
  return { team, leader: teamLeader({ home, team }), members, tasks };
}

async function tasksOf(team: string, home: string): Promise<readonly ListedTask[]> {
  const list = openTaskList({ team, name: 'reader', home });
  try {
    return (await list.list()).filter(({ state }) => state !== 'deleted');
  } finally {
    list.close();
  }
}

function teamText({ team, leader, members, tasks }: Awaited<ReturnType<typeof teamFacts>>): string {
  const rows = members.map(({ name, pid, doing, waiting, tasks: own }) => [
    plainLine(name) + (name === leader ? ' (leads)' : ''),
    pid === null ? 'gone' : `process ${pid}`,
    doing === null ? '' : plainLine(doing),
    waiting === 0 ? 'nothing waits' : `${waiting} waiting`,
    own.map(plainLine).join('; '),
  ]);
  const done = tasks.filter(({ state }) => state === 'completed').length;
  const open = tasks.filter(({ state }) => state !== 'completed');
  return [
    `${plainLine(team)}: ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}, ${done} completed`,
    ...alignColumns(rows.map((row) => row.map((text) => ({ text })))),
    ...open.slice(0, MOST_TASKS).map(taskLine),
    ...(open.length > MOST_TASKS ? [`  and ${open.length - MOST_TASKS} more`] : []),
  ].join('\n');
}

function taskLine({ id, subject, owner, blockedBy }: ListedTask): string {
  const who = owner ?? (blockedBy.length === 0 ? 'free' : `waits for ${blockedBy.join(', ')}`);
  return `  #${id} ${plainLine(subject)} (${plainLine(who)})`;
}
