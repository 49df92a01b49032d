/** What dreaming remembers between two answers of one process: plain JSON. All else about dreams is in the memory folder. */

export interface DreamingState {
  /** When this process last counted sessions; null before the first time. */
  readonly scannedAtMs: number | null;
}

export const EMPTY_STATE: DreamingState = { scannedAtMs: null };
