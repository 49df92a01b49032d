/** The agent's conversation as evidence, also behind a compaction. */

import type { Entry } from '../conversation/entry.ts';
import { typedText } from '../conversation/typed-text.ts';
import type { Limits } from '../limits.ts';
import { joinSpans, type SpanFacts, type SpanMessage, spanOf } from '../memory/gate/writer/span.ts';
import type { Memory } from '../memory/memory.ts';
import { usersWordIn } from './users-word.ts';
import type { ReadEarlier } from './write-earlier.ts';

export interface AgentSpanFacts {
  readonly memory: Memory;
  readonly cwd: string;
  readonly limits: Pick<Limits, 'gate'>;
  /** The conversation since its last boundary. */
  readonly entries: () => readonly Entry[];
  /** What stood before that boundary. */
  readonly earlier?: ReadEarlier;
  /** What the user typed in earlier sessions, as far as a search showed it here. */
  readonly pastSaid?: () => readonly SpanMessage[];
}

export interface AgentSpan {
  /** Oldest first. */
  readonly span: readonly SpanMessage[];
  /** The newest message that the user typed. */
  readonly lastSaid: string | null;
}

export async function agentSpan(
  facts: AgentSpanFacts,
  { areRequestsHeard = false }: Pick<SpanFacts, 'areRequestsHeard'> = {},
): Promise<AgentSpan> {
  const { memory, cwd, limits, entries, earlier, pastSaid } = facts;
  const known = entries();
  const before = (await earlier?.(known)) ?? null;
  const otherBytes = limits.gate.spanBytes;
  const now = spanOf(known, { otherBytes, areRequestsHeard, isUsersWord: await usersWordIn(known, { memory, cwd }) });
  return {
    span: joinSpans([...(pastSaid?.() ?? []), ...(before?.span ?? [])], now, { otherBytes }),
    lastSaid: known.findLast((entry) => typedText(entry) !== '')?.uuid ?? before?.lastSaid ?? null,
  };
}
