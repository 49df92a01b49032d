/** A proposal on its way through the rules: its verdict so far, and what it would leave behind. */

import type { AfterMemory } from './judge-write.ts';
import type { JudgedProposal, Proposal } from './proposal.ts';

export interface Draft {
  readonly proposal: Proposal;
  readonly state: 'land' | 'wait' | 'refuse';
  /** Why it does not land; empty when it does. */
  readonly reason: string;
  /** The whole file to write. */
  readonly text: string | null;
  /** The memory as it would be after the write. */
  readonly after: AfterMemory | null;
}

export function refused(proposal: Proposal, reason: string): Draft {
  return { proposal, state: 'refuse', reason, text: null, after: null };
}

export function landing(proposal: Proposal, made: Partial<Pick<Draft, 'text' | 'after'>> = {}): Draft {
  return { proposal, state: 'land', reason: '', text: null, after: null, ...made };
}

/** A draft that already waits keeps its first reason. */
export function waiting(draft: Draft, reason: string): Draft {
  return draft.state === 'land' ? { ...draft, state: 'wait', reason } : draft;
}

export function judgedOf({ proposal, state, reason, text }: Draft): JudgedProposal {
  switch (state) {
    case 'land':
      return { proposal, verdict: { kind: 'land', text } };
    case 'wait':
      return { proposal, verdict: { kind: 'wait', reason, text } };
    case 'refuse':
      return { proposal, verdict: { kind: 'refuse', reason } };
  }
}
