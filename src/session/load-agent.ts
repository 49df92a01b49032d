/** Opens an agent, loading what it is made of only then: a program that uses memory alone starts without it. */

import type { AgentOptions } from './agent.ts';
import type { SteerableAgent } from './steering.ts';

/** Opens the agent: a model, tools and memory in one loop. */
export async function openAgent(options: AgentOptions = {}): Promise<SteerableAgent> {
  const { openAgent: open } = await import('./open-agent.ts');
  return open(options);
}
