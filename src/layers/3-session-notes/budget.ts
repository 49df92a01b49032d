/** How long the notes are compared to their limits: which sections have to be condensed. */

import { estimateTextTokens } from '../../conversation/tokens.ts';
import { budgetWithin } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import { type NotesSection, renderNotes } from './headings.ts';

/** Tokens of one section and of all; above them the model is told what to condense, above the last its edit is refused. */
const CEILING_TOKENS = 24_000;

export interface NotesBudget {
  readonly sectionTokens: number;
  readonly totalTokens: number;
  /** Above this an edit is refused. */
  readonly ceilingTokens: number;
  /** Tokens of messages without notes above which an update is worth its price shortly before a compaction. */
  readonly urgentTokens: number;
}

export interface TooLong {
  readonly heading: string;
  readonly tokens: number;
  /** The size it should come down to. */
  readonly mostTokens: number;
}

/** In a small window the notes get only a share: they replace a conversation, not fill it. */
export function notesBudget(facts: {
  readonly effective: number;
  readonly limits: Pick<Limits, 'notes' | 'window'>;
}): NotesBudget {
  const { notes, window } = facts.limits;
  const within = (budgetTokens: number) => budgetWithin({ budgetTokens, effective: facts.effective, limits: window });
  return {
    sectionTokens: within(notes.sectionTokens),
    totalTokens: within(notes.totalTokens),
    ceilingTokens: within(CEILING_TOKENS),
    urgentTokens: within(notes.urgentTokens),
  };
}

/** The longest first. When the total is too long, each must give up its part of the excess. */
export function tooLong(sections: readonly NotesSection[], budget: NotesBudget): readonly TooLong[] {
  const sizes = sections.map(({ heading, body }) => ({ heading, tokens: estimateTextTokens(body) }));
  const total = estimateTextTokens(renderNotes(sections));
  const share = Math.min(1, budget.totalTokens / total);
  const fair = budget.totalTokens / sections.length;
  return sizes
    .flatMap(({ heading, tokens }) => {
      // A short section cannot make up for a long one.
      const asked = share < 1 && tokens > fair ? Math.floor(tokens * share) : tokens;
      const mostTokens = Math.min(asked, budget.sectionTokens);
      return mostTokens < tokens ? [{ heading, tokens, mostTokens }] : [];
    })
    .sort((one, other) => other.tokens - one.tokens);
}
