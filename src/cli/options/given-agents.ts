/** `--agents`: kinds of agents for one run, as JSON. */

import { isObject } from '../../base/values.ts';
import type { AgentOptions } from '../../session/agent.ts';
import { usageError } from './usage.ts';

export function givenAgents(json: string | undefined, command: string): Pick<AgentOptions, 'agents'> {
  if (json === undefined) return {};
  const value = parsed(json);
  const isGood =
    isObject(value) &&
    Object.values(value).every(
      (agent) => isObject(agent) && typeof agent.description === 'string' && typeof agent.prompt === 'string',
    );
  if (isGood) return { agents: value as NonNullable<AgentOptions['agents']> };
  throw usageError('--agents is no JSON object of agents.', command, EXAMPLE);
}

const EXAMPLE = `For example: --agents '{"tester": {"description": "Runs the tests", "prompt": "You run tests."}}'`;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
