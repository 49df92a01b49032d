/** How full a conversation may get: the window of its model, and the points at which something must happen. */

import { type Limits, WINDOW_LIMITS } from '../limits.ts';

/** Tokens between the effective window and the point where the conversation is compacted. */
const COMPACT_BEFORE_DIVISOR = 15;
/** Tokens before that point at which the user is warned. */
const WARN_BEFORE_DIVISOR = 10;
/** Tokens between the effective window and the point where nothing more is sent. */
const STOP_BEFORE_DIVISOR = 60;

export interface Window {
  /** Tokens that the model takes, prompt and answer together. */
  readonly window: number;
  /** What is left for the conversation after reserving room for the answer. */
  readonly effective: number;
  /** From here on the conversation is compacted. */
  readonly compactAt: number;
  /** From here on the user is told that it soon will be. */
  readonly warnAt: number;
  /** From here on nothing more is sent. */
  readonly hardStopAt: number;
}

export function windowOf(facts: {
  readonly modelWindowTokens: number;
  readonly maxOutputTokens: number;
  /** What the user allows: it may lower the window, never raise it. */
  readonly mostTokens?: number | undefined;
  readonly limits: Limits['window'];
}): Window {
  const { limits } = facts;
  const window = Math.min(facts.modelWindowTokens, facts.mostTokens ?? Number.POSITIVE_INFINITY);
  const partOf = (tokens: number, divisor: number) => Math.min(tokens, Math.floor(window / divisor));
  const answer = Math.min(facts.maxOutputTokens, partOf(limits.answerTokens, WINDOW_LIMITS.answerDivisor));
  const effective = window - answer;
  const compactAt = effective - partOf(limits.compactBeforeTokens, COMPACT_BEFORE_DIVISOR);
  return {
    window,
    effective,
    compactAt,
    warnAt: compactAt - partOf(limits.warnBeforeTokens, WARN_BEFORE_DIVISOR),
    hardStopAt: effective - partOf(limits.stopBeforeTokens, STOP_BEFORE_DIVISOR),
  };
}

/**
 * A budget set with the default window in mind keeps its share of a smaller one, so that what is meant for 200,000 tokens
 * does not fill a local model's 16,000. A larger window does not raise it.
 */
export function budgetWithin(facts: {
  readonly budgetTokens: number;
  readonly effective: number;
  readonly limits: Limits['window'];
}): number {
  const { limits } = facts;
  const usual = windowOf({
    modelWindowTokens: limits.defaultTokens,
    maxOutputTokens: Number.POSITIVE_INFINITY,
    limits,
  }).effective;
  return Math.floor(facts.budgetTokens * Math.min(1, facts.effective / usual));
}
