/** What microcompaction gets with a request, what it returns, and whom it informs. */

import type { Trip } from '../../base/async/breaker.ts';
import type { Message, Usage } from '../../conversation/message.ts';
import type { Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import type { CacheEdit, CacheTtl, ModelCapabilities, Thinking } from '../../model/model.ts';
import type { Price } from '../../model/prices.ts';
import type { ContextEdit } from './context-edits.ts';
import type { ClearingDecision, Economy } from './decide.ts';
import type { ClearingSums } from './price.ts';
import type { MicrocompactState } from './state.ts';

export type Mechanism = 'microcompact' | 'time-clearing' | 'cache-edits' | 'api-clearing' | 'priced-clearing';

export interface MicrocompactPorts {
  /** Called before anything that was sent is sent differently. */
  announceBreak(reason: string): void;
  /** Called once for each clearing, for the transcript: the fields of a cleared record. */
  onCleared(cleared: {
    readonly toolUseIds: readonly string[];
    readonly by: ClearedBy;
    readonly detail: { readonly freedTokens: number; readonly sums: ClearingSums | null };
  }): void;
  /** What the server says it cleared; called when it differs from what it said before. */
  onApplied(edits: readonly ContextEdit[]): void;
  /** Called for each change, for a state record. */
  onState(state: MicrocompactState): void;
  /** Prices of the current model; null when unknown. */
  price(): Price | null;
  /** Of all tools in the request, in its order. */
  toolNames(): readonly string[];
  economy?(): Economy;
  /** Tools whose results can be fetched again by calling again; our own unless given. */
  isClearable?(tool: string): boolean;
  /** Switches, read before each run. All are on except cache edits, which a provider must support. */
  isOn?(mechanism: Mechanism): boolean;
  /** One line for the log. */
  onProblem?(problem: string): void;
  /** After this many failures in a row nothing new is cleared. */
  onPaused?(trip: Trip): void;
  readonly limits: Pick<Limits, 'microcompact' | 'window'>;
}

export type ClearedBy = 'time' | 'need' | 'cache-edit';

export interface RequestFacts {
  /** As the conversation stores them: never a view that this layer made. */
  readonly messages: readonly Message[];
  /** Since the assistant's last message; null when there is none. */
  readonly idleMs: number | null;
  /** As `countWindow` counts. */
  readonly windowTokens: number;
  readonly window: Window;
  readonly capabilities: Pick<ModelCapabilities, 'contextEdits' | 'cacheEdits' | 'promptCache' | 'thinking'>;
  readonly thinking: Thinking;
  readonly cacheTtl: CacheTtl;
  /** How many more requests this conversation will probably make, including this one. */
  readonly expectedRequests: number;
}

export interface PreparedRequest {
  readonly messages: readonly Message[];
  /** For the request field of that name. */
  readonly contextEdits?: readonly ContextEdit[];
  /** For a provider that supports them: each goes at the end of its message. */
  readonly cacheEdits?: readonly CacheEdit[];
  /** The window after clearing: compaction decides by it. */
  readonly windowTokens: number;
  readonly decision: ClearingDecision;
  readonly event?: MicrocompactEvent;
}

export interface MicrocompactEvent {
  readonly kind: 'cleared';
  readonly by: ClearedBy;
  readonly toolUseIds: readonly string[];
  readonly freedTokens: number;
  readonly sums: ClearingSums | null;
  /** Position of the first message that is sent differently from now on; a breakpoint before it saves what precedes it. */
  readonly firstChanged: number;
}

export interface Answered {
  readonly usage: Usage;
  readonly appliedEdits?: readonly ContextEdit[];
}

/** Only edits that cleared something: the server also lists those that found nothing to do. */
export function effectiveEdits(edits: readonly ContextEdit[] | undefined): readonly ContextEdit[] {
  return (edits ?? []).filter(({ cleared_input_tokens: tokens }) => typeof tokens !== 'number' || tokens > 0);
}
