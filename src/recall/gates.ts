/** Whether a message is worth a recall at all: the gates that cost nothing, before anything is ranked. */

import type { Limits } from '../limits.ts';
import { hasSeveralWords } from '../search/terms.ts';

export type RecallGate = { readonly open: true } | { readonly open: false; readonly reason: RecallGateReason };

export type RecallGateReason = 'one-word' | 'budget-spent' | 'no-memories';

export interface RecallFacts {
  /** The user's own words, without injected text. */
  readonly query: string;
  /** Bytes of memories that this conversation was given since its last compaction. */
  readonly bytesSurfaced: number;
  readonly hasMemories: boolean;
}

export function decideRecall(facts: RecallFacts, limits: Pick<Limits['recall'], 'sessionBytes'>): RecallGate {
  if (!facts.hasMemories) return { open: false, reason: 'no-memories' };
  if (facts.bytesSurfaced >= limits.sessionBytes) return { open: false, reason: 'budget-spent' };
  if (!hasSeveralWords(facts.query.trim())) return { open: false, reason: 'one-word' };
  return { open: true };
}
