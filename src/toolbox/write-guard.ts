/** The gate before the agent's own writes into a memory folder: what it keeps must rest on its conversation. */

import { checkWrite } from '../memory/gate/index.ts';
import { isSlip, type RefusalRule } from '../memory/gate/rules.ts';
import { judgeWrite, type WriteGuard } from '../memory/gate/writer/judge-write.ts';
import { viewProject } from '../memory/gate/writer/project-view.ts';
import type { Memory } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import { type AgentSpanFacts, agentSpan } from './span.ts';

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

/** The same guard; what it refuses is told to whoever listens, but for slips that the agent puts right itself. */
export function heardGuard(guard: WriteGuard, onRefused: (rule: RefusalRule) => void): WriteGuard {
  return {
    ...guard,
    async judge(write) {
      const judged = await guard.judge(write);
      if (judged.kind === 'refused' && !isSlip(judged.rule)) onRefused(judged.rule);
      return judged;
    },
  };
}
