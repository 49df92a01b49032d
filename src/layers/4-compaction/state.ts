/** What compaction remembers between requests: its breakers, and what it has carried so far. Plain JSON, so that it can be resumed. */

import { isObject } from '../../base/values.ts';
import type { Limits } from '../../limits.ts';

/** A user message, as far as it is repeated. */
export interface CarriedMessage {
  readonly uuid: string;
  readonly text: string;
  /** Characters after it that only the transcript has. */
  readonly leftOut: number;
}

export interface CarriedTodo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress';
}

/** What code carried over. Afterwards it is in an injected block, so the next compaction gets it from here. */
export interface Carried {
  /** Oldest first, as all lists here. */
  readonly messages: readonly CarriedMessage[];
  readonly lastRequest: CarriedMessage | null;
  readonly rules: readonly string[];
  readonly todos: readonly CarriedTodo[];
  readonly written: readonly string[];
  readonly terms: readonly string[];
}

export interface CompactionState {
  readonly failures: number;
  /** Nothing was asked since the last compaction. */
  readonly isFresh: boolean;
  readonly refills: number;
  readonly compactions: number;
  readonly carried: Carried;
}

export const NOTHING_CARRIED: Carried = {
  messages: [],
  lastRequest: null,
  rules: [],
  todos: [],
  written: [],
  terms: [],
};

export const INITIAL_STATE: CompactionState = {
  failures: 0,
  isFresh: false,
  refills: 0,
  compactions: 0,
  carried: NOTHING_CARRIED,
};

/** When an earlier summary stays in the window, what it carried is kept along with the new. */
export function mergeCarried(earlier: Carried, now: Carried): Carried {
  const former = now.lastRequest === null || earlier.lastRequest === null ? [] : [earlier.lastRequest];
  const united = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])];
  return {
    messages: [...earlier.messages, ...former, ...now.messages],
    lastRequest: now.lastRequest ?? earlier.lastRequest,
    rules: united(earlier.rules, now.rules),
    todos: now.todos,
    written: united(earlier.written, now.written),
    terms: united(earlier.terms, now.terms),
  };
}

/** Before a request: a window that is full again at the first look gained nothing from the compaction. */
export function stateAtLook(state: CompactionState, { isFull }: { readonly isFull: boolean }): CompactionState {
  if (!isFull && !state.isFresh && state.refills === 0) return state;
  if (!isFull) return { ...state, isFresh: false, refills: 0 };
  return state.isFresh ? { ...state, isFresh: false, refills: state.refills + 1 } : state;
}

export function stateAfterSuccess(
  state: CompactionState,
  facts: { readonly carried: Carried; readonly isByHand: boolean },
): CompactionState {
  return {
    failures: 0,
    isFresh: true,
    // A user who compacts by hand has seen the message and starts over.
    refills: facts.isByHand ? 0 : state.refills,
    compactions: state.compactions + 1,
    carried: facts.carried,
  };
}

export function stateAfterFailure(state: CompactionState): CompactionState {
  return { ...state, failures: state.failures + 1 };
}

export function isPaused(state: CompactionState, limits: Limits['compaction']): boolean {
  return state.failures >= limits.failures;
}

/** Read from a transcript, if it is what we wrote. */
export function isCompactionState(value: unknown): value is CompactionState {
  if (!isObject(value) || !isObject(value.carried)) return false;
  const { failures, isFresh, refills, compactions, carried } = value;
  if (![failures, refills, compactions].every((count) => typeof count === 'number') || typeof isFresh !== 'boolean') {
    return false;
  }
  const { messages, lastRequest, rules, todos, written, terms } = carried as Fields;
  return (
    isListOf(messages, isCarriedMessage) &&
    (lastRequest === null || isCarriedMessage(lastRequest)) &&
    isListOf(todos, (todo) => isObject(todo) && isText(todo.content) && isText(todo.status)) &&
    [rules, written, terms].every((texts) => isListOf(texts, isText))
  );
}

type Fields = Readonly<Record<string, unknown>>;

function isCarriedMessage(value: unknown): boolean {
  return isObject(value) && isText(value.uuid) && isText(value.text) && typeof value.leftOut === 'number';
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** What it carried word for word, oldest first. */
export function carriedMessages(state: unknown): readonly CarriedMessage[] {
  if (!isCompactionState(state)) return [];
  const { messages, lastRequest } = state.carried;
  return lastRequest === null ? messages : [...messages, lastRequest];
}
