/** `reverie team status`: what the team's memory holds, and what waits for this user. */

import { listMailboxes } from '../../../mailbox/list.ts';
import { teamMembers, teamNames } from '../../../mailbox/team-members.ts';
import { isTrusted } from '../../../settings/trust.ts';
import { teamNews } from '../../../team/news.ts';
import { halfDeleted } from '../../../team/repair.ts';
import { readTeamState } from '../../../team/state.ts';
import { suggestedForTeam } from '../../../team/suggestions.ts';
import { defineCommand } from '../../command.ts';
import { counted } from '../../paint-view/amounts.ts';
import { alignColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { openTeam } from './open-team.ts';

export const command = defineCommand({
  arguments: [],
  options: {},
  examples: ['reverie team status'],
  async run(invocation) {
    const { place, workTree, team } = await openTeam(invocation);
    const { memories, hidden } = team.view();
    const state = readTeamState(place);
    const count = (reason: string) => hidden.filter((each) => each.reason === reason).length;
    const suggested = suggestedForTeam(await (await invocation.openMemory()).list(), state);
    const conflicted = memories.filter(({ sources }) => sources.some(({ isConflicted }) => isConflicted));
    const data = {
      folder: workTree,
      isTrusted: isTrusted(place.home, place.projectRoot),
      memories: memories.length,
      superseded: memories.filter(({ supersededBy }) => supersededBy !== null).length,
      sharedByYou: count('own'),
      removed: count('removed'),
      waitingForTrust: count('untrusted'),
      privateAndSkipped: count('private'),
      skipped: team.skipped(),
      inConflict: [...conflicted.map(({ file }) => file), ...halfDeleted(workTree)],
      isNew: teamNews(team, { place, state }).length,
      suggested: suggested.map(({ scope, file }) => ({ scope, file })),
    };
    const rows = [
      [
        'from colleagues',
        `${counted(data.memories, 'memory', 'memories')}${data.superseded === 0 ? '' : `, ${data.superseded} superseded`}`,
      ],
      ['shared by you', String(data.sharedByYou)],
      ['removed', String(data.removed)],
      ...(data.waitingForTrust === 0
        ? []
        : [['rules without effect', `${data.waitingForTrust}, until you trust this project: reverie trust`]]),
      ...(data.privateAndSkipped + data.skipped.length === 0
        ? []
        : [['skipped', `${data.privateAndSkipped + data.skipped.length}; which and why: reverie team check`]]),
      ...(data.inConflict.length === 0
        ? []
        : [['in conflict', `${data.inConflict.map(plainLine).join(', ')}; to settle it: reverie team repair`]]),
      ...runningTeams(place.home).map((line) => ['agents that run', line]),
      ['new to you', data.isNew === 0 ? 'nothing' : `${data.isNew}; to read them: reverie team diff`],
      ...(suggested.length === 0
        ? []
        : [['suggested', `${suggested.length} of yours for the team; to decide: reverie team review`]]),
    ];
    return {
      data: { ...data, agents: runningTeams(place.home) },
      text: alignColumns(rows.map((row) => row.map((text) => ({ text })))).join('\n'),
    };
  },
});

/** Teams of processes are another kind of team, and have a command of their own. */
function runningTeams(home: string): readonly string[] {
  const teams = teamNames(home);
  if (teams.length === 0) return [];
  const living = new Set(listMailboxes(home).flatMap(({ name, pid }) => (pid === null ? [] : [name])));
  return teams.flatMap((team) => {
    const names = teamMembers({ home, team }).filter((name) => living.has(name));
    return names.length === 0 ? [] : [`${plainLine(team)}: ${names.map(plainLine).join(', ')}; reverie team members`];
  });
}
