/** Opens an agent, loading what it is made of only then: a program that uses memory alone starts without it. */

import type { Agent, AgentOptions } from './agent.ts';

export async function openAgent(options: AgentOptions = {}): Promise<Agent> {
  const { openAgent: open } = await import('./open-agent.ts');
  return open(options);
}
