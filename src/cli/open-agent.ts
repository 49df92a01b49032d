/** Opens an agent for the terminal; everything that it is made of is loaded once it is to run. */

import type { Agent, AgentOptions } from '../session/agent.ts';

export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { openAgent: open } = await import('../session/open-agent.ts');
  return open(options);
}
