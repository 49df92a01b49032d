/** The gate before the agent's own writes into a memory folder: what it keeps must rest on its conversation. */

import type { Entry } from '../conversation/entry.ts';
import { checkWrite } from '../memory/gate/index.ts';
import type { Memory } from './memory.ts';
import type { Place } from './place.ts';
import { judgeWrite, spanOf, type WriteGuard } from './write-gate.ts';

export interface AgentWriteFacts {
  readonly memory: Memory;
  readonly limits: Place['limits'];
  readonly sessionId: string;
  /** The conversation since its last boundary. */
  readonly entries: () => readonly Entry[];
  readonly now: () => Date;
}

export function agentWriteGuard({ memory, limits, sessionId, entries, now }: AgentWriteFacts): WriteGuard {
  return {
    judge(write) {
      const known = entries();
      const said = known.findLast(isSaid);
      return judgeWrite(write, {
        memory,
        gate: (facts) => checkWrite(facts, { limits: limits.gate }),
        span: spanOf(known, { otherBytes: limits.gate.spanBytes }),
        origin: { session: sessionId, ...(said === undefined ? {} : { message: said.uuid }) },
        now,
        limits,
      });
    },
    onWritten: () => {},
  };
}

/** Whether the user says something of their own in it. */
function isSaid({ message, injected }: Entry): boolean {
  if (message.role !== 'user') return false;
  return message.content.some(
    (block, position) => block.type === 'text' && !injected?.some((injection) => injection.block === position),
  );
}
