/** What extraction gets: views of the conversation, a fork to run on one, and a way to save without a model. */

import type { TurnOutcome } from '../../agent/event.ts';
import type { Trip } from '../../base/async/breaker.ts';
import type { MemoryScope } from '../../base/taxonomy.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import type { Limits } from '../../limits.ts';
import type { RefusalRule } from '../../memory/gate/rules.ts';
import type { Span } from './span.ts';
import type { ExtractionState } from './state.ts';

/** The conversation as it was at one moment, whatever happens to it later. */
export interface Snapshot {
  readonly entries: readonly Entry[];
  /** Runs a fork on it; null when there is none to run. */
  readonly fork: ((work: ForkWork) => Promise<ForkReport>) | null;
}

export interface ForkWork {
  readonly directive: string;
  /** What the directive is about; the gate looks there for a write's evidence. */
  readonly span: Span;
  readonly maxRounds: number;
  /** These messages will not come by again: it need not save any of its share. */
  readonly isLast: boolean;
  readonly signal: AbortSignal;
}

export interface ForkReport {
  readonly outcome: TurnOutcome;
  readonly written: readonly WrittenMemory[];
  /** Calls that were not allowed, and writes that the gate refused. */
  readonly denied: number;
  readonly rejected: number;
  /** What the gate refused without anything kept instead. */
  readonly refused: readonly RefusedMemory[];
}

export interface RefusedMemory {
  readonly rule: RefusalRule;
  /** As its writer named it. */
  readonly name: string;
  /** The user's words it was said to rest on. */
  readonly quotes?: readonly string[];
}

export interface KeptWishes {
  readonly written: readonly WrittenMemory[];
  readonly refused: readonly RefusedMemory[];
  /** Wishes beyond those that are kept at once. */
  readonly omitted?: number;
}

export interface WrittenMemory {
  readonly scope: MemoryScope;
  readonly file: string;
  readonly name: string;
  readonly isNew: boolean;
  /** The user has not said it. */
  readonly isUnconfirmed?: boolean;
  /** Its writer suggests it for the team, which has a memory here. */
  readonly isForTeam?: boolean;
}

/** A line each. */
export interface ExtractionManifest {
  /** Those nearest to what the user said. */
  readonly nearest: readonly string[];
  /** The others. */
  readonly newest: readonly string[];
  /** How many are not listed. */
  readonly more: number;
}

export interface ExtractionPorts {
  /** Read before each run. */
  isOn(): boolean;
  /** Whether the repository has a team memory, for which a memory can be suggested. */
  readonly hasTeam?: boolean;
  everyTurns(): number | undefined;
  /** Its cost in this session has run ahead of the conversation's. */
  isAhead(): boolean;
  /** The conversation as it is; read only. */
  entries(): readonly Entry[];
  snapshot(): Snapshot;
  isMemoryWrite(call: ToolUseBlock): boolean;
  /** Existing memories to list for a run about these messages. */
  manifest(span: Pick<Span, 'said' | 'wishes'>): Promise<ExtractionManifest>;
  /** The span's explicit requests, kept without a model. */
  saveExplicit(span: Span): Promise<KeptWishes>;
  /** For the user, not for the model. */
  tell(line: string): void;
  record(event: ExtractionEvent): void;
  /** For the ledger, so that `reverie status` can say it: what was not kept or not fully searched, and by which rule. */
  recordLoss(loss: { readonly kind: 'refused' | 'cut'; readonly by: string }): void;
  onWritten(written: readonly WrittenMemory[]): void;
  /** Into the transcript: a run may end long after its turn. */
  onState(state: ExtractionState): void;
  /** After this many failures in a row nothing is extracted any more. */
  onPaused(trip: Trip): void;
  readonly limits: Limits['extraction'];
}

/** For the ledger: numbers and names, no text. */
export interface ExtractionEvent {
  readonly reason: string;
  readonly result: 'done' | 'failed' | 'capped' | 'stopped' | 'explicit';
  readonly messages: number;
  readonly saved: number;
  readonly updated: number;
  readonly denied: number;
  readonly rejected: number;
  readonly milliseconds: number;
}
