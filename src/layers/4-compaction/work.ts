/** A compaction in progress: what it was asked, what it may use, and how it reports failure. */

import { type ContentBlock, NO_USAGE } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import { oneLine } from './one-line.ts';
import type { Plan } from './plan.ts';
import type { CompactionFailure, CompactionOutcome, CompactionPorts, CompactionRequest } from './ports.ts';
import { densityOf, type Room, roomFor, within } from './room.ts';
import { quotedRules } from './rules.ts';
import type { Carried } from './state.ts';
import type { Summarised } from './summarise.ts';

export interface WorkPorts extends CompactionPorts {
  /** The outcome of letting notes replace messages. */
  onNotesTried(outcome: CompactionOutcome): void;
}

export interface Work {
  readonly request: CompactionRequest;
  readonly ports: WorkPorts;
  readonly carriedBefore: Carried;
  /** The window before it, by the same estimate as after it. */
  readonly estimatedBefore: number;
  readonly density: number;
}

export type Summary = Extract<Summarised, { kind: 'summary' }>;

/** A summary, and the messages it replaces. */
export interface Ready {
  readonly plan: Plan;
  readonly summary: Summary;
  readonly from: 'notes' | 'model';
  /** Where to read more than the summary. */
  readonly path: string | null;
}

export function startWork(request: CompactionRequest, facts: Pick<Work, 'ports' | 'carriedBefore'>): Work {
  const sent = request.messages.reduce((sum, message) => sum + estimateTokens(message), 0);
  const estimatedBefore = request.overheadTokens + sent;
  const density = densityOf({ countedTokens: request.windowTokens, estimatedTokens: estimatedBefore });
  return { ...facts, request, estimatedBefore, density };
}

export function roomOf(
  { request, ports, density }: Work,
  facts: { readonly contextTokens: number; readonly keptTokens: number },
): Room | { readonly tooSmall: string } {
  const { window, overheadTokens } = request;
  return roomFor({ ...facts, window, overheadTokens, density, limits: ports.limits });
}

/** Budgets set for the usual window, scaled to this one. */
export function budgetsOf({ request, ports }: Work): (budgetTokens: number) => number {
  return (budgetTokens) => within(budgetTokens, { window: request.window, limits: ports.limits });
}

export function summaryOfNotes(text: string): Summary {
  return { kind: 'summary', text: text.trim(), rules: quotedRules(text), usage: NO_USAGE, shortenings: 0 };
}

export function sizeOfBlocks(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((sum, block) => sum + estimateTokens(block), 0);
}

export function fail(failure: CompactionFailure, reason: string): Extract<CompactionOutcome, { kind: 'failed' }> {
  return { kind: 'failed', failure, reason: `Not compacted: ${oneLine(reason)}.` };
}

/** A failing hook or reader takes nothing else down. */
export async function orElse<Value>(act: () => Value | Promise<Value> | undefined, otherwise: Value): Promise<Value> {
  try {
    return (await act()) ?? otherwise;
  } catch {
    return otherwise;
  }
}
