/** One dream as the memory folder stores it: what was proposed, why, on what evidence, and what happened to each change. */

import type { ProcessIdentity } from '../../../disk/process-identity.ts';

/** `unlist` removes a memory's line from MEMORY.md, `list` adds one; the memory itself stays. */
export const DREAM_ACTIONS = ['create', 'update', 'remove', 'unlist', 'list'] as const;
export type DreamAction = (typeof DREAM_ACTIONS)[number];

/** Where a change comes from: words in a memory, a daily log, a transcript or a project file. */
export interface DreamEvidence {
  /** `topic.md`, `MEMORY.md`, `logs/2031/05/2031-05-08.md`, a session's id, or a path below the project's root. */
  readonly from: string;
  /** Word for word, or the path itself if that path is gone. */
  readonly quote: string;
}

/** Words from a memory, by its file. */
export interface MemoryQuote {
  readonly file: string;
  readonly quote: string;
}

/** A sentence that a change drops, verbatim, and what replaces it. */
export type DreamDrop = { readonly quote: string } & (
  | { readonly because: 'duplicate'; readonly of: MemoryQuote }
  | { readonly because: 'superseded'; readonly by: MemoryQuote }
  /** `2031-05-09` */
  | { readonly because: 'expired'; readonly day: string }
  | { readonly because: 'gone'; readonly path: string }
);

/** The other memories that must be there once a change has landed: those it is merged into, and those its drops name. */
export function holdersOf(change: {
  readonly file: string;
  readonly into: readonly string[];
  readonly drops?: readonly DreamDrop[];
}): readonly string[] {
  const named = (change.drops ?? []).flatMap((drop) => {
    if (drop.because === 'duplicate') return [drop.of.file];
    return drop.because === 'superseded' ? [drop.by.file] : [];
  });
  return [...new Set([...change.into, ...named])].filter((file) => file !== change.file || change.into.includes(file));
}

/** `landed` by itself, `waiting` in the inbox, `refused` by a rule; then `approved` or `rejected` by the user. */
export type DreamChangeState = 'landed' | 'waiting' | 'refused' | 'approved' | 'rejected';

export interface DreamChange {
  /** Within its dream, from 1: `reverie dream approve <dream> <number>`. */
  readonly number: number;
  readonly action: DreamAction;
  /** Below the memory folder. */
  readonly file: string;
  /** The dreamer's own, in one or two sentences. */
  readonly reason: string;
  readonly evidence: readonly DreamEvidence[];
  /** The memories that hold what a removed or shortened one said. */
  readonly into: readonly string[];
  /** Each dropped sentence, with its reason; none in records of earlier versions. */
  readonly drops?: readonly DreamDrop[];
  readonly state: DreamChangeState;
  /** Which rule made it wait or refused it; empty when none did. */
  readonly why: string;
  /** SHA-256 of the file it was made from; null when there was none. A file that has changed since is not touched. */
  readonly base: string | null;
  /** The whole file to write; null for a removal, when only the index changes, and once it was refused. */
  readonly text: string | null;
  /** When it was rejected. */
  readonly decidedAt?: string;
  /** SHA-256 of each memory in `into` when it was rejected; null when there was none. */
  readonly intoBase?: readonly (string | null)[];
}

export type DreamStatus = 'running' | 'completed' | 'failed' | 'killed';

export interface DreamRecord {
  /** Sorts by time, short enough to type. */
  readonly id: string;
  /** ISO times. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Automatically after a turn, by hand, or by a timer. */
  readonly by: 'itself' | 'hand' | 'timer';
  readonly status: DreamStatus;
  /** For one that failed or was killed. */
  readonly problem: string | null;
  readonly process: ProcessIdentity;
  readonly model: string;
  readonly rounds: number;
  readonly toolCalls: number;
  readonly equivalentTokens: number;
  /** US dollars; null when the model has no price. */
  readonly money: number | null;
  /** The journal's id of what landed, for `reverie memory undo`. */
  readonly change: string | null;
  readonly changes: readonly DreamChange[];
  /** What was wrong with the dreamer's list, or cut it short; absent when nothing was. */
  readonly remarks?: readonly string[];
  /** Numbers of the changes that were about to land when this was written. They are listed as waiting; the journal says whether they landed. */
  readonly landing?: readonly number[];
}
