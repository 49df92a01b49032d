/** Opens an agent for the terminal; everything that it is made of is loaded once it is to run. */

import type { AgentOptions } from '../session/agent.ts';
import type { SteerableAgent } from '../session/agent-steering.ts';

export async function openAgent(options: AgentOptions): Promise<SteerableAgent> {
  const { openAgent: open } = await import('../session/open-agent.ts');
  return open(options);
}
