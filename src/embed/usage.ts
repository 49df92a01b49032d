/** A host's response in our shape: what it cost, and why it ended. */

import type { EntryResponse } from '../conversation/entry.ts';
import type { Usage } from '../conversation/message.ts';
import { stopReasonOf } from '../model/anthropic/stop-reason.ts';
import type { HostResponse, HostUsage } from './session.ts';

export function responseOf(response: HostResponse, model: string): EntryResponse {
  return {
    id: response.id ?? null,
    model: response.model ?? model,
    stopReason: stopReasonOf(response.stop_reason),
    usage: usageOf(response.usage ?? {}),
  };
}

function usageOf(usage: HostUsage): Usage {
  return {
    inputTokens: tokens(usage.input_tokens),
    outputTokens: tokens(usage.output_tokens),
    cacheReadTokens: tokens(usage.cache_read_input_tokens),
    cacheWriteTokens: tokens(usage.cache_creation_input_tokens),
    cacheWriteHourTokens: tokens(usage.cache_creation?.ephemeral_1h_input_tokens),
  };
}

/** A number that is none would spoil every sum after it. */
function tokens(count: number | null | undefined): number {
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? count : 0;
}
