/** Whether to fold finished work now, and which: the oldest first, until there is room again. */

import type { Message } from '../../conversation/message.ts';
import { COLLAPSE_LIMITS } from '../../limits.ts';
import { foldOf, roundsOf } from './fold.ts';
import type { CollapseState, Fold } from './state.ts';

/** Share of the effective window to fold down to: each batch breaks the cache once. */
const FOLD_TO_SHARE = 0.75;
/** Newest rounds that are never folded. */
const KEPT_ROUNDS = 3;

export type CollapseDecision =
  | { readonly kind: 'wait'; readonly reason: 'off' | 'failed-too-often' | 'room-left' | 'nothing-finished' }
  | {
      readonly kind: 'fold';
      readonly reason: 'window-nearly-full';
      readonly folds: readonly Fold[];
      readonly freedTokens: number;
    };

export function decideCollapse(facts: {
  readonly messages: readonly Message[];
  readonly windowTokens: number;
  readonly effectiveTokens: number;
  readonly isOn: boolean;
  readonly state: CollapseState;
}): CollapseDecision {
  const { messages, windowTokens, effectiveTokens, state } = facts;
  if (!facts.isOn) return { kind: 'wait', reason: 'off' };
  if (windowTokens < effectiveTokens * COLLAPSE_LIMITS.foldAtShare) return { kind: 'wait', reason: 'room-left' };

  const below = effectiveTokens * Math.min(COLLAPSE_LIMITS.foldAtShare, FOLD_TO_SHARE);
  const gone = new Set([...state.folds.map(({ id }) => id), ...state.unfolded]);
  const rounds = roundsOf(messages);
  const newestWords = messages.findLastIndex(isOfTheUser);
  const folds: Fold[] = [];
  let freedTokens = 0;
  for (const round of rounds.slice(0, Math.max(0, rounds.length - KEPT_ROUNDS))) {
    if (round.at >= newestWords || windowTokens - freedTokens < below) break;
    const fold = gone.has(round.id) ? null : foldOf(round, { messages });
    if (fold === null) continue;
    folds.push(fold);
    freedTokens += fold.freedTokens;
  }
  if (folds.length === 0) return { kind: 'wait', reason: 'nothing-finished' };
  return { kind: 'fold', reason: 'window-nearly-full', folds, freedTokens };
}

/** A message with results belongs to the work, even if words were added to it. */
function isOfTheUser({ role, content }: Message): boolean {
  return role === 'user' && !content.some(({ type }) => type === 'tool_result');
}
