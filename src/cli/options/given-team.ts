/** `--teammate` and `--team`: the name of this session among others, and whose tasks it shares. */

import type { AgentOptions } from '../../session/agent.ts';
import { usageError } from './usage.ts';

export function givenTeam(
  { teammate: name, team }: { readonly teammate: string | undefined; readonly team: string | undefined },
  command: string,
): Pick<AgentOptions, 'name' | 'team'> {
  if (name === undefined && team !== undefined)
    throw usageError('--team needs a name for this session.', command, 'For example: --teammate ana --team release');
  return { ...(name === undefined ? {} : { name }), ...(team === undefined ? {} : { team }) };
}
