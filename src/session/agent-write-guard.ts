/** The gate before the agent's own writes into a memory folder: what it keeps must rest on its conversation. */

import type { Entry } from '../conversation/entry.ts';
import { typedText } from '../conversation/typed-text.ts';
import { checkWrite } from '../memory/gate/index.ts';
import { isSlip, type RefusalRule } from '../memory/gate/rules.ts';
import type { Memory } from './memory.ts';
import type { Place } from './place.ts';
import type { ReadEarlier } from './write-earlier.ts';
import { judgeWrite, spanOf, type WriteGuard } from './write-gate.ts';
import { joinSpans } from './write-span.ts';

export interface AgentWriteFacts {
  readonly memory: Memory;
  readonly limits: Place['limits'];
  readonly sessionId: string;
  /** The conversation since its last boundary. */
  readonly entries: () => readonly Entry[];
  /** What stood before that boundary. */
  readonly earlier?: ReadEarlier;
  readonly now: () => Date;
}

export function agentWriteGuard({ memory, limits, sessionId, entries, earlier, now }: AgentWriteFacts): WriteGuard {
  const otherBytes = limits.gate.spanBytes;
  return {
    async judge(write) {
      const known = entries();
      const before = (await earlier?.(known)) ?? null;
      const message = known.findLast((entry) => typedText(entry) !== '')?.uuid ?? before?.lastSaid ?? null;
      return judgeWrite(write, {
        memory,
        gate: (facts) => checkWrite(facts, { limits: limits.gate }),
        span: joinSpans(before?.span ?? [], spanOf(known, { otherBytes }), { otherBytes }),
        origin: { session: sessionId, ...(message === null ? {} : { message }) },
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
