/** Translates usage, stop reasons, modes and failures to the names that programs know from the Messages API and its agents. */

import type { RetryReason } from '../../agent/event.ts';
import type { PermissionMode } from '../../agent/permission.ts';
import type { StopReason } from '../../conversation/entry.ts';
import type { Usage } from '../../conversation/message.ts';

export interface ApiUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
}

export function apiUsage(usage: Usage): ApiUsage {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
  };
}

export function stopReasonName(reason: StopReason): string | null {
  switch (reason) {
    case 'end':
      return 'end_turn';
    case 'tools':
      return 'tool_use';
    case 'length':
      return 'max_tokens';
    case 'window':
      return 'model_context_window_exceeded';
    case 'refusal':
      return 'refusal';
    case 'pause':
      return 'pause_turn';
    case 'cut':
    case 'aborted':
      return null;
  }
}

export function permissionModeName(mode: PermissionMode): string {
  switch (mode) {
    case 'ask':
      return 'default';
    case 'accept-edits':
      return 'acceptEdits';
    case 'plan':
      return 'plan';
    case 'bypass':
      return 'bypassPermissions';
  }
}

/** The categories that parsers know, the status if the kind implies it, and our own name. */
export function retryFields(reason: RetryReason): Readonly<Record<string, unknown>> {
  const status = reason === 'overloaded' ? 529 : reason === 'rate-limited' ? 429 : null;
  return { error: retryCategory(reason), error_status: status, reason };
}

function retryCategory(reason: RetryReason): string {
  switch (reason) {
    case 'rate-limited':
      return 'rate_limit';
    case 'overloaded':
    case 'server':
      return 'server_error';
    case 'authentication':
      return 'authentication_failed';
    case 'billing':
      return 'billing_error';
    case 'invalid':
    case 'too-long':
    case 'overflow':
    case 'unknown-model':
      return 'invalid_request';
    case 'output-limit':
      return 'max_output_tokens';
    case 'cut':
    case 'network':
    case 'timeout':
    case 'aborted':
    case 'cap':
      return 'unknown';
  }
}
