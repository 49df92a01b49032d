/** What extraction must remember to resume a session: plain JSON. */

export interface ExtractionState {
  /** The last message that was searched; null before the first run. */
  readonly cursor: string | null;
}

export const EMPTY_STATE: ExtractionState = { cursor: null };

export function isExtractionState(value: unknown): value is ExtractionState {
  if (typeof value !== 'object' || value === null || !('cursor' in value)) return false;
  return value.cursor === null || typeof value.cursor === 'string';
}
