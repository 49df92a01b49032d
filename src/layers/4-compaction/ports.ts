/** What compaction gets and what it returns. It touches no conversation: the session applies the outcome, or does not. */

import type { Trip } from '../../base/async/breaker.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock, Message, Usage } from '../../conversation/message.ts';
import type { Window } from '../../conversation/window.ts';
import type { BoundaryRecord } from '../../disk/transcript/record.ts';
import type { Limits } from '../../limits.ts';
import type { FailureKind, ModelEvent } from '../../model/model.ts';
import type { CompactionTrigger } from './decide.ts';
import type { UnusableAnswer } from './parse-summary.ts';
import type { Proof } from './prove.ts';
import type { Restorable } from './restore.ts';
import type { Carried } from './state.ts';

export interface CompactionPorts {
  /**
   * A metered call with the parent's own system, tools and thinking. The instruction is already at the end of the last
   * message: nothing is appended. Fails with a `ModelFailure`.
   */
  summarise(request: {
    readonly messages: readonly Message[];
    readonly signal: AbortSignal;
  }): AsyncIterable<ModelEvent>;
  /** Null when it is gone or is not text. */
  readFile(path: string): Promise<string | null>;
  /** Instruction files and index, rendered again. */
  renderContext(): Promise<readonly ContentBlock[]>;
  /** The session's notes, if they hold more than their template. */
  readNotes?(): Promise<SessionNotes | null>;
  /** For the end of the notes: what the work is about and the remaining messages do not show. */
  inUse?(staying: readonly ContentBlock[], within: (tokens: number) => number): string;
  /** Extraction from the messages about to go; nobody waits for it. */
  flushMemory?(): void | Promise<void>;
  /** PreCompact hooks: they may add instructions, or forbid it with a reason. */
  beforeCompaction?(facts: HookFacts): Promise<{ readonly wishes?: string; readonly forbidden?: string }>;
  /** SessionStart hooks, run again. */
  sessionStart?(): Promise<readonly string[]>;
  /** PostCompact hooks. */
  afterCompaction?(facts: HookFacts & { readonly report: CompactionReport }): void | Promise<void>;
  announceBreak(reason: string): void;
  /** Too many failures of that kind in a row. */
  onPaused?(by: CompactionBreaker, trip: Trip): void;
  /** Into the transcript, before the entries that the outcome lists. */
  record(boundary: BoundaryRecord): void;
  now(): Date;
  newUuid(): string;
  readonly limits: Pick<Limits, 'compaction' | 'window'>;
}

/** It failed too often, the window was full again at once, or notes failed to replace messages. */
export type CompactionBreaker = 'failures' | 'refills' | 'from-notes';

export interface HookFacts {
  readonly trigger: CompactionTrigger;
  readonly wishes: string;
}

export interface SessionNotes {
  readonly text: string;
  readonly path: string;
  /** The last message they cover; null when unknown. */
  readonly coveredUuid: string | null;
}

export interface CompactionRequest {
  readonly trigger: CompactionTrigger;
  readonly from: 'notes' | 'model';
  readonly entries: readonly Entry[];
  /** As they would be sent now, context first: what the provider has cached. */
  readonly messages: readonly Message[];
  /** What comes before the entries now. */
  readonly context: readonly ContentBlock[];
  readonly window: Window;
  /** As counted, including the provider's usage. */
  readonly windowTokens: number;
  /** System prompt and tools, estimated. */
  readonly overheadTokens: number;
  /** The transcript's path; null when none is kept. */
  readonly transcript: string | null;
  readonly restorable: Restorable;
  readonly signal: AbortSignal;
  /** From `/compact …`. */
  readonly wishes?: string;
  readonly isCacheCold?: boolean;
  /** Notes are the only reason to compact: if they are not enough, no model is asked. */
  readonly notesOnly?: boolean;
  /** What stays after the notes, if it differs from the default. */
  readonly kept?: Pick<Limits['compaction'], 'keptTokens' | 'keptMessages'>;
  readonly discoveredTools?: readonly string[];
  /** Around a message the user chose; without it, everything is summarised. */
  readonly pivot?: { readonly uuid: string; readonly side: 'from' | 'up-to' };
}

export type CompactionOutcome =
  | {
      readonly kind: 'compacted';
      /** For `conversation.replace`. */
      readonly context: readonly ContentBlock[];
      readonly entries: readonly Entry[];
      /** Those that the transcript does not have yet, in order: they go after the boundary. */
      readonly written: readonly Entry[];
      readonly boundary: BoundaryRecord;
      readonly report: CompactionReport;
      readonly carried: Carried;
    }
  | {
      readonly kind: 'failed';
      readonly failure: CompactionFailure;
      /** One line for the user. The conversation is as it was. */
      readonly reason: string;
    };

export type CompactionFailure =
  | UnusableAnswer
  | FailureKind
  | 'model-error' // anything else the call threw
  | 'longer-than-before'
  | 'no-gain'
  | 'no-room'
  | 'nothing-to-summarise'
  | 'notes-not-usable'
  | 'unknown-message'
  | 'forbidden'
  | 'already-running'
  | 'broken'; // our own error

export interface CompactionReport {
  readonly trigger: CompactionTrigger;
  readonly from: 'notes' | 'model';
  readonly tokensBefore: number;
  /** Estimated, in the provider's measure. */
  readonly tokensAfter: number;
  readonly proof: Proof;
  /** Whether what is no longer in the window can be read again. */
  readonly hasTranscript: boolean;
  /** Names of what was restored. */
  readonly restored: readonly string[];
  readonly messagesSummarised: number;
  readonly messagesKept: number;
  /** Null for notes, which need no call. */
  readonly usage: Usage | null;
  /** How often the oldest rounds were left out of the summariser's own request. */
  readonly shortenings: number;
}
