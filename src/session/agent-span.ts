/** The agent's conversation as evidence, also behind a compaction. */

import type { Entry } from '../conversation/entry.ts';
import { typedText } from '../conversation/typed-text.ts';
import type { Limits } from '../limits.ts';
import type { ReadEarlier } from './write-earlier.ts';
import { joinSpans, type SpanMessage, spanOf } from './write-span.ts';

export interface AgentSpanFacts {
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

export async function agentSpan({ limits, entries, earlier, pastSaid }: AgentSpanFacts): Promise<AgentSpan> {
  const known = entries();
  const before = (await earlier?.(known)) ?? null;
  const otherBytes = limits.gate.spanBytes;
  return {
    span: joinSpans([...(pastSaid?.() ?? []), ...(before?.span ?? [])], spanOf(known, { otherBytes }), { otherBytes }),
    lastSaid: known.findLast((entry) => typedText(entry) !== '')?.uuid ?? before?.lastSaid ?? null,
  };
}
