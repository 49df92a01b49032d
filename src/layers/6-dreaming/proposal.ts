/** What a dreamer proposes and how the rules judge it: plain data between reading, judging and landing. */

import type { MemorySource, MemoryType } from '../../base/taxonomy.ts';
import type { Quote, SpanMessage } from '../../memory/gate/index.ts';
import type { DreamAction, DreamDrop, DreamEvidence } from './records/record.ts';

/** A memory as it was when the dream began. */
export interface BaseMemory {
  readonly file: string;
  /** The whole file. */
  readonly text: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly type: MemoryType | null;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly source: MemorySource;
  readonly pinned: boolean;
  /** The user's words it rests on. */
  readonly quotes: readonly Quote[];
  /** ISO times. */
  readonly created: string | null;
  readonly modified: string;
  /** Whether MEMORY.md has a line for it. */
  readonly isListed: boolean;
}

export interface Proposal {
  readonly action: DreamAction;
  readonly file: string;
  readonly reason: string;
  readonly evidence: readonly DreamEvidence[];
  /** The memories that hold what a removed or shortened one said. */
  readonly into: readonly string[];
  /** Each dropped sentence, with its reason. */
  readonly drops: readonly DreamDrop[];
  /** For `create` and `update`: the whole file as the dreamer left it. */
  readonly text: string | null;
}

/** What is behind a piece of evidence: the passage with its speaker, or why there is none. */
export type FoundEvidence =
  | { readonly kind: 'found'; readonly passage: SpanMessage /** The memory it is in. */; readonly memory?: string }
  | { readonly kind: 'missing'; readonly reason: string };

export type ProposalVerdict =
  /** `text` is the whole file to write, including its standing; null for removals and index lines. */
  | { readonly kind: 'land'; readonly text: string | null }
  | { readonly kind: 'wait'; readonly reason: string; readonly text: string | null }
  | { readonly kind: 'refuse'; readonly reason: string };

export interface JudgedProposal {
  readonly proposal: Proposal;
  readonly verdict: ProposalVerdict;
}
