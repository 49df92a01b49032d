/** Why an answer ended: the Messages API's reasons in our terms. */

import type { StopReason } from '../../conversation/entry.ts';

/** An unknown reason counts as a normal end. */
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
