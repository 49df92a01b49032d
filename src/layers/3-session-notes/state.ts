/** What the notes remember between responses: how far they cover the conversation, and how their updates went. Plain JSON, so that it can be resumed. */

export interface NotesState {
  /** Tokens of messages at the last update, or at the last try; null before the first. */
  readonly tokens: number | null;
  /** Tokens of messages at the last response. */
  readonly seenTokens: number;
  /** Tool calls since the last update or try. */
  readonly toolCalls: number;
  /** The last message the notes cover; null while they cover none. */
  readonly coveredUuid: string | null;
  readonly updates: number;
  /** In a row. */
  readonly failures: number;
}

export const INITIAL_STATE: NotesState = {
  tokens: null,
  seenTokens: 0,
  toolCalls: 0,
  coveredUuid: null,
  updates: 0,
  failures: 0,
};

/** When a compaction or a rewind shortens the conversation, just as much is new as before: what was not noted is still not noted. */
export function stateAtResponse(
  state: NotesState,
  response: { readonly tokens: number; readonly toolCalls: number },
): NotesState {
  const shrunkBy = Math.max(0, state.seenTokens - response.tokens);
  const tokens = state.tokens === null ? null : Math.max(0, state.tokens - shrunkBy);
  return { ...state, tokens, seenTokens: response.tokens, toolCalls: state.toolCalls + response.toolCalls };
}

/** Whatever the outcome: the next update needs as much new material as any other. */
export function stateAtStart(state: NotesState, tokens: number): NotesState {
  return { ...state, tokens, toolCalls: 0 };
}

export function stateAfterUpdate(state: NotesState, coveredUuid: string): NotesState {
  return { ...state, coveredUuid, updates: state.updates + 1, failures: 0 };
}

/** The notes replaced messages: they cover the message that says so, if the last one they covered is gone. */
export function stateAfterCompaction(
  state: NotesState,
  facts: { readonly summaryUuid: string; readonly isCoveredGone: boolean },
): NotesState {
  return facts.isCoveredGone ? { ...state, coveredUuid: facts.summaryUuid } : state;
}

export function stateAfterFailure(state: NotesState): NotesState {
  return { ...state, failures: state.failures + 1 };
}

/** Read from a transcript, if it is what we wrote. */
export function isNotesState(value: unknown): value is NotesState {
  if (typeof value !== 'object' || value === null) return false;
  const { tokens, seenTokens, toolCalls, coveredUuid, updates, failures } = value as Partial<
    Record<keyof NotesState, unknown>
  >;
  return (
    [seenTokens, toolCalls, updates, failures].every((count) => typeof count === 'number') &&
    (tokens === null || typeof tokens === 'number') &&
    (coveredUuid === null || typeof coveredUuid === 'string')
  );
}
