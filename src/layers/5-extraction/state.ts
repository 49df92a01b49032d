/** What extraction must remember for a session to go on: plain JSON. */

export interface ExtractionState {
  /** The last message that was looked through; null before the first run. */
  readonly cursor: string | null;
}

export const EMPTY_STATE: ExtractionState = { cursor: null };

export function isExtractionState(value: unknown): value is ExtractionState {
  if (typeof value !== 'object' || value === null || !('cursor' in value)) return false;
  return value.cursor === null || typeof value.cursor === 'string';
}
