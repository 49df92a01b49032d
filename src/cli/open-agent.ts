/** Opens an agent for the terminal; everything that it is made of is loaded once it is to run. */

import { ReverieError } from '../errors.ts';
import type { Agent, AgentOptions } from '../session/agent.ts';

export async function openAgent(_options: AgentOptions): Promise<Agent> {
  throw new ReverieError({ code: 'model', message: 'The agent is not part of this build.' });
}
