/** What dreaming remembers between two answers of one process: plain JSON. Everything else about dreams is in the memory folder. */

export interface DreamingState {
  /** When sessions were last counted. */
  readonly scannedAtMs: number | null;
  /** How many there were since the last dream, once that was enough for another. */
  readonly counted: { readonly sinceMs: number | null; readonly sessions: number } | null;
}

export const EMPTY_STATE: DreamingState = { scannedAtMs: null, counted: null };
