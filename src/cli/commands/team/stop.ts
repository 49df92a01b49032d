/** `reverie team stop TEAM`: ends every agent of a team of processes. */

import { stopTeam } from '../../../session/team/start/start-team.ts';
import { defineCommand } from '../../command.ts';
import { settingFacts } from '../../options/place-options.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'TEAM', required: true, help: 'Its name' }],
  options: {},
  about:
    'Each closes its session as if its terminal had been closed; the list of tasks stays, and what was claimed is free again.',
  examples: ['reverie team stop release'],
  isForPeople: () => true,
  async run({ arguments: [team], place, environment }) {
    const { home } = settingFacts(place, environment);
    const stopped = await stopTeam({ home, team: team! });
    if (stopped.length === 0) return { data: [], text: `Nobody of ${plainLine(team!)} runs.` };
    const left = stopped.filter(({ isGone }) => !isGone);
    const lines = [
      ...stopped.filter(({ isGone }) => isGone).map(({ name }) => `${plainLine(name)} has ended.`),
      ...left.map(
        ({ name, pid }) => `${plainLine(name)} still runs as process ${pid}; to end it at once: kill -9 ${pid}`,
      ),
    ];
    return { data: stopped, text: lines.join('\n'), exitCode: left.length === 0 ? 0 : 1 };
  },
});
