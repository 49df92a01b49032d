/** The facts that the gate judges and the decision that it gives: plain data, so that a writer can show, log and act on it. */

import type { MemorySource, MemoryType } from '../../base/taxonomy.ts';
import type { Quote } from '../files/quote.ts';

export type { Quote } from '../files/quote.ts';

/**
 * Who speaks in the span. `user` is what the user typed; `pasted` and `piped` came along with it; `injected` is our own text;
 * the rest is the world.
 */
export type Speaker = 'user' | 'pasted' | 'piped' | 'assistant' | 'injected' | 'tool' | 'file' | 'web' | 'agent';

/** One message of the span that a write was made from. */
export interface SpanMessage {
  readonly from: Speaker;
  readonly text: string;
  /** The tool that brought it. */
  readonly tool?: string;
  /** The day it was said, `2026-01-07` or with a time behind it. */
  readonly at?: string;
}

/** A memory that is there already. */
export interface ExistingMemory {
  readonly file: string;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Whose word it is; the user's where this is left out. */
  readonly source?: MemorySource;
}

/** A memory that someone wants to write. */
export interface ProposedMemory {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** The file to be written; that of an existing memory when it is updated. */
  readonly file?: string;
  /** The user's words that it rests on, verbatim. */
  readonly quote?: string | readonly (string | Quote)[];
}

/** Tells what the project shows by itself. */
export interface ProjectView {
  /** A file or folder, by its path from the root or by the end of it. */
  hasPath(path: string): boolean;
  hasIdentifier(name: string): boolean;
  hasCommit?(hash: string): boolean;
}

export interface ProjectLists {
  readonly files?: readonly string[];
  readonly identifiers?: readonly string[];
  readonly commits?: readonly string[];
}

/** What `checkWrite` needs to know: the write, the memories there are, and the conversation. */
export interface WriteFacts {
  readonly span: readonly SpanMessage[];
  readonly existing: readonly ExistingMemory[];
  readonly proposed: ProposedMemory;
  /** Without one nothing is refused for standing in the project. */
  readonly project?: ProjectView | ProjectLists;
}

export type AcceptReason = 'worthy' | 'contradiction-update' | 'relative-date';
export type RejectReason =
  | 'traversal-name'
  | 'oversize'
  | 'secret'
  | 'wrong-type'
  | 'empty'
  | 'negative-judgement'
  | 'opted-out'
  | 'derivable-code'
  | 'derivable-git'
  | 'in-instruction-file'
  | 'injected-echo'
  | 'unsupported';

/** What is to be written: with whose word it is, and the words it rests on, each a whole sentence. */
export interface GatedMemory extends Omit<ProposedMemory, 'quote'> {
  readonly type: MemoryType;
  readonly source: MemorySource;
  readonly quote: readonly Quote[];
}

/** `advice` says in words what was decided and what to do instead. */
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
      /** Where it is unconfirmed and the user said it in this conversation: their words, which make it theirs. */
      readonly saidNow?: readonly Quote[];
    }
  | { readonly verdict: 'reject'; readonly reason: RejectReason; readonly advice: string };
