/** The one object that a program reads when print mode is done, with the names that coding-agent users parse. */

import { messageOf } from '../../base/values.ts';
import { ReverieError } from '../../errors.ts';
import type { MeterTotals } from '../../model/meter.ts';
import { type ApiUsage, apiUsage, stopReasonName } from './api-names.ts';
import type { TurnFacts } from './turn-facts.ts';

export interface PrintResult {
  readonly type: 'result';
  readonly subtype: 'success' | 'error_max_turns' | 'error_during_execution';
  readonly is_error: boolean;
  /** The answer; for a failed turn, what went wrong. */
  readonly result: string;
  readonly stop_reason: string | null;
  /** Null when it failed before there was a session. */
  readonly session_id: string | null;
  readonly num_turns: number;
  readonly duration_ms: number;
  readonly usage: ApiUsage;
  /** US dollars; null when a model without a known price was called. */
  readonly cost_usd: number | null;
  readonly total_cost_usd: number | null;
  /** The same for each purpose: the conversation itself, and what Reverie did for it. */
  readonly usage_by_purpose: Readonly<Record<string, ApiUsage & { readonly cost_usd: number | null }>>;
  readonly permission_denials: readonly {
    readonly tool_name: string;
    readonly tool_use_id: string;
    readonly tool_input: Readonly<Record<string, unknown>>;
    readonly reason: string;
  }[];
  readonly errors?: readonly string[];
  readonly error?: { readonly code: string; readonly message: string; readonly fix: string };
}

export interface ResultFacts {
  readonly turn: TurnFacts;
  readonly sessionId: string | null;
  readonly totals: MeterTotals;
  readonly durationMs: number;
  /** Why there is no answer; null when there is one. */
  readonly error: unknown;
}

export function resultOf({ turn, sessionId, totals, durationMs, error }: ResultFacts): PrintResult {
  const failure = error === null ? null : failureOf(error);
  const byPurpose = Object.entries(totals.byPurpose).map(([purpose, { usage, money }]) => {
    return [purpose, { ...apiUsage(usage), cost_usd: money }] as const;
  });
  return {
    type: 'result',
    subtype: failure === null ? 'success' : failedBy(turn),
    is_error: failure !== null,
    result: failure === null ? turn.answer : failure.message,
    stop_reason: turn.stopReason === null ? null : stopReasonName(turn.stopReason),
    session_id: sessionId,
    num_turns: turn.rounds,
    duration_ms: Math.round(durationMs),
    usage: apiUsage(totals.usage),
    cost_usd: totals.money,
    total_cost_usd: totals.money,
    usage_by_purpose: Object.fromEntries(byPurpose),
    permission_denials: turn.denials.map(({ tool, toolUseId, input, reason }) => {
      return { tool_name: tool, tool_use_id: toolUseId, tool_input: input, reason };
    }),
    ...(failure === null ? {} : { errors: [failure.message], error: failure }),
  };
}

function failedBy({ outcome }: TurnFacts): PrintResult['subtype'] {
  return outcome?.kind === 'too-many-rounds' ? 'error_max_turns' : 'error_during_execution';
}

function failureOf(error: unknown): NonNullable<PrintResult['error']> {
  if (error instanceof ReverieError) return { code: error.code, message: error.message, fix: error.fix };
  return { code: 'unexpected', message: messageOf(error), fix: '' };
}
