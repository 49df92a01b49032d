/** Notes and summaries as far as they can be known without a model: when they are written, how long they get, what that costs. */

import { REPLAY_LIMITS } from '../../limits.ts';

/** Grows with what it stands for, within bounds: the same for a summary of any policy and for notes. */
export function summaryTokens(coveredTokens: number): number {
  const { summaryShare, summaryLeastTokens, summaryMostTokens } = REPLAY_LIMITS;
  return Math.round(Math.min(summaryMostTokens, Math.max(summaryLeastTokens, coveredTokens * summaryShare)));
}

export interface NotesState {
  /** Of the notes as they are; 0 before the first update. */
  readonly tokens: number;
  /** All that was ever covered. */
  readonly coveredTokens: number;
  readonly coveredUuid: string | null;
  /** Tokens of messages in the window at the last update or compaction. */
  readonly baseTokens: number;
  readonly callsSince: number;
}

export const NO_NOTES: NotesState = { tokens: 0, coveredTokens: 0, coveredUuid: null, baseTokens: 0, callsSince: 0 };

export type NotesDecision =
  | { readonly kind: 'update'; readonly grownTokens: number }
  | { readonly kind: 'wait'; readonly reason: 'too-short' | 'grew-too-little' | 'in-the-middle' };

export function decideNotes(
  state: NotesState,
  facts: { readonly messageTokens: number; readonly callsInAnswer: number; readonly growth?: number | undefined },
): NotesDecision {
  const { notesFirstTokens, notesGrowthTokens, notesCalls } = REPLAY_LIMITS;
  if (state.coveredUuid === null && facts.messageTokens < notesFirstTokens) return { kind: 'wait', reason: 'too-short' };
  const grownTokens = facts.messageTokens - state.baseTokens;
  if (grownTokens < (facts.growth ?? notesGrowthTokens)) return { kind: 'wait', reason: 'grew-too-little' };
  if (state.callsSince < notesCalls && facts.callsInAnswer > 0) return { kind: 'wait', reason: 'in-the-middle' };
  return { kind: 'update', grownTokens };
}

export function afterUpdate(
  state: NotesState,
  facts: { readonly uuid: string; readonly messageTokens: number; readonly grownTokens: number },
): { readonly state: NotesState; readonly addedTokens: number; readonly outputTokens: number } {
  const coveredTokens = state.coveredTokens + facts.grownTokens;
  const tokens = summaryTokens(coveredTokens);
  return {
    state: { tokens, coveredTokens, coveredUuid: facts.uuid, baseTokens: facts.messageTokens, callsSince: 0 },
    // The fork is shown the notes as they are, and answers with edits of them.
    addedTokens: REPLAY_LIMITS.notesInstructionTokens + state.tokens,
    outputTokens: Math.round(
      Math.max(tokens - state.tokens, facts.grownTokens * REPLAY_LIMITS.summaryShare) + REPLAY_LIMITS.notesEditTokens,
    ),
  };
}

/** Text that nobody could take for anything that was said, in sections as notes have them. */
export function notesText(tokens: number): string {
  const sections = 10;
  const each = '▪'.repeat(Math.max(1, Math.floor((tokens * 4) / sections / 3) - 4));
  return Array.from({ length: sections }, () => `# ▪\n${each}`).join('\n\n');
}
