/** `--teammate`, `--team`, `--coordinator` and `--agent-type`: the name of this session among others, whose tasks it shares, and what it works as. */

import type { AgentOptions } from '../../session/agent.ts';
import { usageError } from './usage.ts';

export function givenTeam(
  given: {
    readonly teammate: string | undefined;
    readonly team: string | undefined;
    readonly coordinator: boolean;
    readonly 'agent-type': string | undefined;
  },
  command: string,
): Pick<AgentOptions, 'name' | 'team' | 'coordinator' | 'agentType'> {
  const { teammate: name, team, coordinator, 'agent-type': agentType } = given;
  if (name === undefined && team !== undefined)
    throw usageError('--team needs a name for this session.', command, 'For example: --teammate ana --team release');
  return {
    ...(name === undefined ? {} : { name }),
    ...(team === undefined ? {} : { team }),
    ...(coordinator ? { coordinator } : {}),
    ...(agentType === undefined ? {} : { agentType }),
  };
}
