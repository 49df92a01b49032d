/** One dream as it is kept in the memory folder: what was proposed, why, on what evidence, and what became of each change. */

import type { ProcessIdentity } from '../../../disk/process-identity.ts';

/** `unlist` takes a memory's line out of MEMORY.md, `list` puts one in; the memory itself stays. */
export const DREAM_ACTIONS = ['create', 'update', 'remove', 'unlist', 'list'] as const;
export type DreamAction = (typeof DREAM_ACTIONS)[number];

/** Where a change comes from: words that stand in a memory, a daily log, a transcript or a file of the project. */
export interface DreamEvidence {
  /** `topic.md`, `MEMORY.md`, `logs/2031/05/2031-05-08.md`, a session's id, or a path below the project's root. */
  readonly from: string;
  /** Word for word, or for a path that is gone the path itself. */
  readonly quote: string;
}

/** Words of a memory, by its file. */
export interface MemoryQuote {
  readonly file: string;
  readonly quote: string;
}

/** A sentence that a change takes away, verbatim, and what it gives way to. */
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
  /** The dreamer's, in one or two sentences. */
  readonly reason: string;
  readonly evidence: readonly DreamEvidence[];
  /** The memories that hold what a removed or shortened one said. */
  readonly into: readonly string[];
  /** Each sentence that goes, with its reason; none in records of earlier versions. */
  readonly drops?: readonly DreamDrop[];
  readonly state: DreamChangeState;
  /** Which rule let it wait or refused it; empty where none did. */
  readonly why: string;
  /** SHA-256 of the file it was made from; null where there was none. A file that is another by now is not touched. */
  readonly base: string | null;
  /** The whole file as it is to be; null for a removal and where only the index changes, and once it was refused. */
  readonly text: string | null;
  /** When it was rejected. */
  readonly decidedAt?: string;
  /** SHA-256 of each memory in `into` when it was rejected; null where there was none. */
  readonly intoBase?: readonly (string | null)[];
}

export type DreamStatus = 'running' | 'completed' | 'failed' | 'killed';

export interface DreamRecord {
  /** Sorts by time, short enough to type. */
  readonly id: string;
  /** ISO times. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** By itself after a turn, by the user's hand, or by a timer. */
  readonly by: 'itself' | 'hand' | 'timer';
  readonly status: DreamStatus;
  /** Of one that failed or was killed. */
  readonly problem: string | null;
  readonly process: ProcessIdentity;
  readonly model: string;
  readonly rounds: number;
  readonly toolCalls: number;
  readonly equivalentTokens: number;
  /** US dollars; null where the model has no price. */
  readonly money: number | null;
  /** The journal's id of what landed, for `reverie memory undo`. */
  readonly change: string | null;
  readonly changes: readonly DreamChange[];
  /** What was wrong with the dreamer's list, or cut it short; none where there is no such field. */
  readonly remarks?: readonly string[];
  /** Numbers of the changes that were about to land when this was written. They stand here as waiting: whether they landed, the journal tells. */
  readonly landing?: readonly number[];
}
