/** `--teammate`, `--team`, `--coordinator` and `--tools`: the name of this session among others, whose tasks it shares, and what it may do. */

import type { AgentOptions } from '../../session/agent.ts';
import { usageError } from './usage.ts';

export function givenTeam(
  given: {
    readonly teammate: string | undefined;
    readonly team: string | undefined;
    readonly coordinator: boolean;
    readonly tools: string | undefined;
  },
  command: string,
): Pick<AgentOptions, 'name' | 'team' | 'coordinator' | 'onlyTools'> {
  const { teammate: name, team, coordinator, tools } = given;
  if (name === undefined && team !== undefined)
    throw usageError('--team needs a name for this session.', command, 'For example: --teammate ana --team release');
  return {
    ...(name === undefined ? {} : { name }),
    ...(team === undefined ? {} : { team }),
    ...(coordinator ? { coordinator } : {}),
    ...(tools === undefined ? {} : { onlyTools: tools.split(',').map((tool) => tool.trim()) }),
  };
}
