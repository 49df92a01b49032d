/** Why an answer ended, in our words for the Messages API's. */

import type { StopReason } from '../../conversation/entry.ts';

/** A reason that we do not know ends the answer like any other end. */
export function stopReasonOf(reason: string | null | undefined): StopReason {
  switch (reason) {
    case 'tool_use':
      return 'tools';
    case 'max_tokens':
      return 'length';
    case 'model_context_window_exceeded':
      return 'window';
    case 'refusal':
      return 'refusal';
    case 'pause_turn':
    case 'compaction':
      return 'pause';
    default:
      return 'end';
  }
}
