/** The gate before the agent's own writes into a memory folder: what it keeps must rest on its conversation. */

import { checkWrite } from '../memory/gate/index.ts';
import { type AgentSpanFacts, agentSpan } from './agent-span.ts';
import type { Memory } from './memory.ts';
import type { Place } from './place.ts';
import { judgeWrite, type WriteGuard } from './write-gate.ts';

export interface AgentWriteFacts extends AgentSpanFacts {
  readonly memory: Memory;
  readonly limits: Place['limits'];
  readonly sessionId: string;
  readonly now: () => Date;
}

export function agentWriteGuard(facts: AgentWriteFacts): WriteGuard {
  const { memory, limits, sessionId, now } = facts;
  return {
    async judge(write) {
      const { span, lastSaid } = await agentSpan(facts);
      return judgeWrite(write, {
        memory,
        gate: (given) => checkWrite(given, { limits: limits.gate }),
        span,
        origin: { session: sessionId, ...(lastSaid === null ? {} : { message: lastSaid }) },
        now,
        limits,
      });
    },
    onWritten: () => {},
  };
}
