/** `reverie team start FILE`: starts the agents of a team, each in a window of tmux or in the background. */

import { readFileSync } from 'node:fs';
import { ReverieError } from '../../../errors.ts';
import { findDefinitions } from '../../../layers/7-agents/index.ts';
import { type StartedMember, startTeam } from '../../../session/team/start/start-team.ts';
import { parseTeamFile } from '../../../session/team/start/team-file.ts';
import { findPlace } from '../../../settings/place.ts';
import { isTrusted } from '../../../settings/settings.ts';
import { type Command, defineCommand } from '../../command.ts';
import { fromPlace, placeOptions } from '../../options/place-options.ts';
import { alignColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';

const MOST_BYTES = 1_000_000;

export function startCommand(ports: { program(): readonly [string, string] }): Command {
  return defineCommand({
    arguments: [{ name: 'FILE', required: true, help: 'YAML: team, leader, members and tasks' }],
    options: {
      tmux: { kind: 'flag', help: 'In windows of tmux, also outside of it (inside it that is the default)' },
      background: { kind: 'flag', help: 'In the background with a log each, also inside tmux' },
    },
    about: 'A member that runs already is left alone, and a task that is on the list is not added again.',
    examples: ['reverie team start crew.yaml', 'reverie team start crew.yaml --tmux'],
    // What it starts works with rights of its own.
    isForPeople: () => true,
    async run({ arguments: [path], options, place, environment }) {
      const file = await parseTeamFile(readTeamFile(fromPlace(place, path!)));
      const found = findPlace(placeOptions(place, environment));
      const { home, userHome, projectRoot, isBare } = found;
      const { definitions } = findDefinitions({
        ...{ home, userHome, projectRoot, isBare, isTrusted: isTrusted(home, projectRoot) },
      });
      const inTmux = !options.background && (options.tmux || Boolean(environment.TMUX));
      const members = await startTeam(file, {
        ...{ home, cwd: fromPlace(place, '.'), environment, program: ports.program(), inTmux, definitions },
        flags: flagsOf(place),
      });
      const data = { team: file.team, leader: file.leader, tasks: file.tasks.length, members };
      return { data, text: textOf(data, { inTmux, isInside: Boolean(environment.TMUX) }) };
    },
  });
}

/** What was given to this command holds for the members too. */
function flagsOf(place: { readonly home?: string; readonly settings?: string; readonly bare: boolean }): string[] {
  return [
    ...(place.home === undefined ? [] : ['--home', place.home]),
    ...(place.settings === undefined ? [] : ['--settings', place.settings]),
    ...(place.bare ? ['--bare'] : []),
  ];
}

function readTeamFile(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length <= MOST_BYTES) return bytes.toString('utf8');
  } catch {
    throw new ReverieError({
      code: 'not-found',
      message: `There is no file ${path} to read the team from`,
      fix: 'Check the path. What such a file says: docs/how-to/teams.md',
    });
  }
  throw new ReverieError({ code: 'usage', message: `${path} is too large to describe a team` });
}

function textOf(
  {
    team,
    leader,
    members,
  }: { readonly team: string; readonly leader: string; readonly members: readonly StartedMember[] },
  { inTmux, isInside }: { readonly inTmux: boolean; readonly isInside: boolean },
): string {
  const rows = members.map(({ name, state, log }) => [
    plainLine(name) + (name === leader ? ' (leads)' : ''),
    state,
    log === null ? '' : plainLine(log),
  ]);
  const look = !inTmux ? '' : isInside ? '' : `\nTo look at them: tmux attach -t ${plainLine(team)}`;
  return [
    ...alignColumns(rows.map((row) => row.map((text) => ({ text })))),
    `Who does what: reverie team members ${plainLine(team)}. To end them: reverie team stop ${plainLine(team)}${look}`,
  ].join('\n');
}
