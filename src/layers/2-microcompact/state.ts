/** What microcompaction must remember to send a conversation the same way again: plain JSON. */

import { isObject } from '../../base/values.ts';
import type { CacheEdit } from '../../model/model.ts';
import type { ContextEdit } from './context-edits.ts';

export interface MicrocompactState {
  /** Tool-use ids whose results are shown as cleared, in that order. */
  readonly cleared: readonly string[];
  /** What the API is asked to clear; null until the first request, and after a compaction. */
  readonly contextEdits: readonly ContextEdit[] | null;
  readonly pinnedEdits: readonly CacheEdit[];
  /** Tokens freed since a response last counted them: the window is smaller by that much. */
  readonly uncountedTokens: number;
}

export const EMPTY_STATE: MicrocompactState = { cleared: [], contextEdits: null, pinnedEdits: [], uncountedTokens: 0 };

/**
 * From a transcript: the newest state record and all cleared records. Ids from both count, so that what was cleared right
 * before a crash does not come back.
 */
export function readMicrocompactState(found: {
  readonly state: unknown;
  readonly cleared: readonly { readonly toolUseIds: readonly string[]; readonly by: string }[];
}): MicrocompactState {
  const fields = isObject(found.state) ? found.state : {};
  const known = isTexts(fields.cleared) ? fields.cleared : [];
  const recorded = found.cleared.filter(({ by }) => isShown(by)).flatMap(({ toolUseIds }) => toolUseIds);
  return {
    cleared: [...new Set([...known, ...recorded])],
    contextEdits: isObjects(fields.contextEdits) ? fields.contextEdits : null,
    pinnedEdits: isObjects(fields.pinnedEdits) ? fields.pinnedEdits.filter(isPinned) : [],
    uncountedTokens: typeof fields.uncountedTokens === 'number' ? fields.uncountedTokens : 0,
  };
}

/** Cleared in the messages themselves; the others are cleared by the provider and stay in them. */
function isShown(by: string): boolean {
  return by === 'time' || by === 'need';
}

function isPinned(value: Readonly<Record<string, unknown>>): value is CacheEdit & Record<string, unknown> {
  return typeof value.message === 'number' && isTexts(value.toolUseIds);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isObjects(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every(isObject);
}
