/** The facts that the gate judges and the decision that it gives: plain data, so that a writer can show, log and act on it. */

import type { MemorySource, MemoryType } from '../taxonomy.ts';

/** Who speaks in the span: `injected` is our own text, the last three are the world. */
export type Speaker = 'user' | 'assistant' | 'injected' | 'tool' | 'file' | 'web';

/** One message of the span that a write was made from. */
export interface SpanMessage {
  readonly from: Speaker;
  readonly text: string;
  /** The tool that brought it; `Agent` and `SendMessage` bring the words of other agents. */
  readonly tool?: string;
  /** The day it was said, `2026-01-07` or with a time behind it. */
  readonly at?: string;
}

export interface ExistingMemory {
  readonly file: string;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

export interface ProposedMemory {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** The file to be written; that of an existing memory when it is updated. */
  readonly file?: string;
}

export interface WriteFacts {
  readonly span: readonly SpanMessage[];
  readonly existing: readonly ExistingMemory[];
  readonly proposed: ProposedMemory;
}

/** Voices from outside, by which a refusal is named. */
export type Outside = 'tool' | 'file' | 'web' | 'agent';

export type AcceptReason = 'worthy' | 'contradiction-update' | 'relative-date';
export type RejectReason =
  | 'traversal-name'
  | 'oversize'
  | 'secret'
  | 'wrong-type'
  | 'empty'
  | 'negative-judgement'
  | 'derivable-code'
  | 'derivable-git'
  | 'derivable-fix'
  | 'in-instruction-file'
  | 'ephemeral'
  | 'relative-date'
  | 'injected-echo'
  | 'unsupported'
  | `poison-${Outside}`;

/** What is to be written: dates made absolute, characters nobody sees taken out, and where its word comes from. */
export interface GatedMemory extends ProposedMemory {
  readonly type: MemoryType;
  readonly source: MemorySource;
}

/** `advice` tells the writer, in words, what was decided and what to do instead. */
export type GateDecision =
  | { readonly verdict: 'accept'; readonly reason: AcceptReason; readonly advice: string; readonly memory: GatedMemory }
  | {
      readonly verdict: 'accept-as-seen';
      readonly reason: 'worthy';
      readonly advice: string;
      readonly memory: GatedMemory;
    }
  | {
      readonly verdict: 'merge';
      readonly reason: 'exact-duplicate';
      readonly advice: string;
      /** The memory that says it already. */
      readonly duplicateOf: string;
    }
  | { readonly verdict: 'reject'; readonly reason: RejectReason; readonly advice: string };
