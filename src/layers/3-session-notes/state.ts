/** What the notes remember between responses: how far they cover the conversation, and how their updates went. Plain JSON, so that resuming reads it. */

export interface NotesState {
  /** Tokens of messages at the last update, or at the last try of one; null before the first. */
  readonly tokens: number | null;
  /** Tool calls since then. */
  readonly toolCalls: number;
  /** The last message that the notes tell of; null while they tell of none. */
  readonly coveredUuid: string | null;
  readonly updates: number;
  /** In a row. */
  readonly failures: number;
}

export const INITIAL_STATE: NotesState = { tokens: null, toolCalls: 0, coveredUuid: null, updates: 0, failures: 0 };

/** A conversation that got shorter, by whatever layer, grows from there: else nothing would be noted for a long time. */
export function stateAtResponse(
  state: NotesState,
  response: { readonly tokens: number; readonly toolCalls: number },
): NotesState {
  const tokens = state.tokens === null ? null : Math.min(state.tokens, response.tokens);
  return { ...state, tokens, toolCalls: state.toolCalls + response.toolCalls };
}

/** Whatever comes of it: the next one needs as much that is new as any other. */
export function stateAtStart(state: NotesState, tokens: number): NotesState {
  return { ...state, tokens, toolCalls: 0 };
}

export function stateAfterUpdate(state: NotesState, coveredUuid: string): NotesState {
  return { ...state, coveredUuid, updates: state.updates + 1, failures: 0 };
}

export function stateAfterFailure(state: NotesState): NotesState {
  return { ...state, failures: state.failures + 1 };
}

/** What a transcript says, if it is what we wrote. */
export function isNotesState(value: unknown): value is NotesState {
  if (typeof value !== 'object' || value === null) return false;
  const { tokens, toolCalls, coveredUuid, updates, failures } = value as Partial<Record<keyof NotesState, unknown>>;
  return (
    [toolCalls, updates, failures].every((count) => typeof count === 'number') &&
    (tokens === null || typeof tokens === 'number') &&
    (coveredUuid === null || typeof coveredUuid === 'string')
  );
}
