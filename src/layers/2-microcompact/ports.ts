/** What microcompaction is given of a request, what it answers, and whom it tells of what it does. */

import type { Trip } from '../../base/async/breaker.ts';
import type { Message, Usage } from '../../conversation/message.ts';
import type { Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import type { CacheTtl, ModelCapabilities, Thinking } from '../../model/model.ts';
import type { Price } from '../../model/prices.ts';
import type { PinnedEdit } from './cache-edits.ts';
import type { ContextEdit } from './context-edits.ts';
import type { ClearingDecision, Economy } from './decide.ts';
import type { ClearingSums } from './price.ts';
import type { MicrocompactState } from './state.ts';

export type Mechanism = 'microcompact' | 'time-clearing' | 'cache-edits' | 'api-clearing' | 'priced-clearing';

export interface MicrocompactPorts {
  /** Told before anything that was sent is sent differently. */
  announceBreak(reason: string): void;
  /** Told once of each clearing, for the transcript: the fields of a cleared record. */
  onCleared(cleared: {
    readonly toolUseIds: readonly string[];
    readonly by: ClearedBy;
    readonly detail: { readonly freedTokens: number; readonly sums: ClearingSums | null };
  }): void;
  /** What the server says it cleared, told when it differs from what it said before. */
  onApplied(edits: readonly ContextEdit[]): void;
  /** Told of each change, for a state record. */
  onState(state: MicrocompactState): void;
  /** Of the model that is spoken to now; null where nobody knows. */
  price(): Price | null;
  /** Of all tools in the request, in its order. */
  toolNames(): readonly string[];
  economy?(): Economy;
  /** Whose results can be had again by asking again; our own tools unless given. */
  isClearable?(tool: string): boolean;
  /** Switches, read before each run. All are on but cache edits, which a provider must have. */
  isOn?(mechanism: Mechanism): boolean;
  /** One line for the log. */
  onProblem?(problem: string): void;
  /** So many failures in a row that nothing new is cleared any more. */
  onPaused?(trip: Trip): void;
  readonly limits: Pick<Limits, 'microcompact' | 'window'>;
}

export type ClearedBy = 'time' | 'need' | 'cache-edit';

export interface RequestFacts {
  /** As the conversation keeps them: never a view that this layer made. */
  readonly messages: readonly Message[];
  /** Since the last message of the assistant; null when there is none. */
  readonly idleMs: number | null;
  /** As `countWindow` counts. */
  readonly windowTokens: number;
  readonly window: Window;
  readonly capabilities: Pick<ModelCapabilities, 'contextEdits' | 'promptCache' | 'thinking'> & {
    /** Whether the provider can delete from a cached prefix. */
    readonly cacheEdits?: boolean;
  };
  readonly thinking: Thinking;
  readonly cacheTtl: CacheTtl;
  /** How many more requests this conversation will probably make, this one among them. */
  readonly expectedRequests: number;
}

export interface PreparedRequest {
  readonly messages: readonly Message[];
  /** For the request's field of that name. */
  readonly contextEdits?: readonly ContextEdit[];
  /** For a provider that has them: each at the end of its message. */
  readonly cacheEdits?: readonly PinnedEdit[];
  /** The window as it will be with what was cleared: what compaction decides by. */
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
  /** Position of the first message that is sent differently from now on; a breakpoint before it saves what stands there. */
  readonly firstChanged: number;
}

export interface Answered {
  readonly usage: Usage;
  readonly appliedEdits?: readonly ContextEdit[];
}

/** Only what did clear something: the server lists edits that found nothing to do as well. */
export function effectiveEdits(edits: readonly ContextEdit[] | undefined): readonly ContextEdit[] {
  return (edits ?? []).filter(({ cleared_input_tokens: tokens }) => typeof tokens !== 'number' || tokens > 0);
}
