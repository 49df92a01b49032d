/** Notes and summaries as far as they can be known without a model: when they are written, how long they get, what that costs. */

import { ESTIMATE_LIMITS, REPLAY_LIMITS } from '../../limits.ts';

/** Grows with what it replaces, within limits: the same for any policy's summary and for notes. */
export function summaryTokens(coveredTokens: number): number {
  const { summaryShare, summaryLeastTokens, summaryMostTokens } = REPLAY_LIMITS;
  return Math.round(Math.min(summaryMostTokens, Math.max(summaryLeastTokens, coveredTokens * summaryShare)));
}

export interface NotesState {
  /** Of the current notes; 0 before the first update. */
  readonly tokens: number;
  /** Everything ever covered. */
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
  facts: {
    readonly messageTokens: number;
    readonly callsInAnswer: number;
    /** How much it must have grown since. */
    readonly growthTokens: number;
  },
): NotesDecision {
  const { notesFirstTokens, notesCalls } = REPLAY_LIMITS;
  const isFirst = state.coveredUuid === null;
  if (isFirst && facts.messageTokens < notesFirstTokens) return { kind: 'wait', reason: 'too-short' };
  const grownTokens = facts.messageTokens - state.baseTokens;
  if (!isFirst && grownTokens < facts.growthTokens) return { kind: 'wait', reason: 'grew-too-little' };
  if (!isFirst && state.callsSince < notesCalls && facts.callsInAnswer > 0) {
    return { kind: 'wait', reason: 'in-the-middle' };
  }
  return { kind: 'update', grownTokens };
}

export interface NotesUpdate {
  readonly state: NotesState;
  /** Of the fork's request, after the conversation. */
  readonly addedTokens: number;
  readonly outputTokens: number;
}

export function updateNotes(
  state: NotesState,
  facts: { readonly uuid: string; readonly messageTokens: number; readonly grownTokens: number },
): NotesUpdate {
  const { notesInstructionTokens, notesEditTokens, summaryShare } = REPLAY_LIMITS;
  const coveredTokens = state.coveredTokens + facts.grownTokens;
  const tokens = summaryTokens(coveredTokens);
  const newTokens = Math.max(tokens - state.tokens, facts.grownTokens * summaryShare);
  return {
    state: { tokens, coveredTokens, coveredUuid: facts.uuid, baseTokens: facts.messageTokens, callsSince: 0 },
    // The fork sees the current notes, and answers with edits to them.
    addedTokens: notesInstructionTokens + state.tokens,
    outputTokens: Math.round(newTokens + notesEditTokens),
  };
}

const SECTIONS = 10;
/** Nobody says this, so that no text is found in notes that are only placeholders. */
const FILLER = '▪';

/** As long as notes of this many estimated tokens, in similar sections. */
export function notesText(tokens: number): string {
  const bytes = (tokens * ESTIMATE_LIMITS.bytesPerToken) / SECTIONS;
  const heading = `# ${FILLER}`;
  const filler = FILLER.repeat(Math.max(1, Math.floor((bytes - heading.length) / Buffer.byteLength(FILLER))));
  return Array.from({ length: SECTIONS }, () => `${heading}\n${filler}`).join('\n\n');
}

/** What a summariser's answer looks like to the code that reads it. */
export function summaryAnswer(tokens: number): string {
  return `<summary>\n# Summary\n${notesText(tokens)}\n</summary>`;
}
