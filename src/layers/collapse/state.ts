/** What collapse must remember to send a conversation the same way again: plain JSON, including the lines themselves. */

import { isObject } from '../../base/values.ts';

export interface Fold {
  /** The first call of the round. */
  readonly id: string;
  readonly toolUseIds: readonly string[];
  /** What replaces the calls and their results; stored, so that no later change of wording or of a result alters a byte. */
  readonly calls: string;
  readonly results: string;
  readonly freedTokens: number;
}

export interface CollapseState {
  /** In the order they were made. */
  readonly folds: readonly Fold[];
  /** Rounds the user wanted whole: never folded again. */
  readonly unfolded: readonly string[];
  /** Tokens folded since a response last counted them; below 0 when more was unfolded. */
  readonly uncountedTokens: number;
}

export const EMPTY_COLLAPSE: CollapseState = { folds: [], unfolded: [], uncountedTokens: 0 };

/** True for most sessions: nothing needs to be written. */
export function isUntouched({ folds, unfolded, uncountedTokens }: CollapseState): boolean {
  return folds.length === 0 && unfolded.length === 0 && uncountedTokens === 0;
}

/** From a transcript; damaged parts are left out. */
export function readCollapseState(found: unknown): CollapseState {
  if (!isObject(found)) return EMPTY_COLLAPSE;
  return {
    folds: Array.isArray(found.folds) ? found.folds.filter(isFold) : [],
    unfolded: isTexts(found.unfolded) ? found.unfolded : [],
    uncountedTokens: typeof found.uncountedTokens === 'number' ? found.uncountedTokens : 0,
  };
}

function isFold(value: unknown): value is Fold {
  if (!isObject(value)) return false;
  const { id, toolUseIds, calls, results, freedTokens } = value;
  return [id, calls, results].every(isFilled) && isTexts(toolUseIds) && typeof freedTokens === 'number';
}

/** A provider refuses an empty text. */
function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
