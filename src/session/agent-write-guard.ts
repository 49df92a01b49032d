/** The gate before the agent's own writes into a memory folder: what it keeps must rest on its conversation. */

import { checkWrite } from '../memory/gate/index.ts';
import { type AgentSpanFacts, agentSpan } from './agent-span.ts';
import type { Memory } from './memory.ts';
import type { Place } from './place.ts';
import { viewProject } from './project-view.ts';
import { judgeWrite, type WriteGuard } from './write-gate.ts';

export interface AgentWriteFacts extends AgentSpanFacts {
  readonly memory: Memory;
  /** Where what is not the user's word is looked up. */
  readonly projectRoot: string;
  readonly limits: Place['limits'];
  readonly sessionId: string;
  readonly now: () => Date;
}

export function agentWriteGuard(facts: AgentWriteFacts): WriteGuard {
  const { memory, projectRoot, limits, sessionId, now } = facts;
  const memoryFolders = Object.values(memory.folders);
  return {
    async judge(write) {
      const { span, lastSaid } = await agentSpan(facts);
      return judgeWrite(write, {
        memory,
        gate: (given) => checkWrite(given, { limits: limits.gate }),
        span,
        origin: { session: sessionId, ...(lastSaid === null ? {} : { message: lastSaid }) },
        viewProject: (text) => viewProject(text, { projectRoot, memoryFolders, limits }),
        now,
        limits,
      });
    },
    onWritten: () => {},
  };
}
