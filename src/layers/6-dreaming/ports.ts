/** What a session or a command gives to dreaming: the lock, a copy to work on, a dreamer, and the way back into the folder. */

import type { MemoryScope } from '../../base/taxonomy.ts';
import type { Limits } from '../../limits.ts';
import type { EarlierChange } from './decided.ts';
import type { JudgeFacts } from './judge.ts';
import type { DreamProgress, DreamRound } from './progress.ts';
import type { BaseMemory, FoundEvidence, JudgedProposal, Proposal } from './proposal.ts';
import type { DreamHolder } from './records/consolidate-lock.ts';
import type { HeldDream } from './records/hold.ts';
import type { DreamEvidence, DreamRecord } from './records/record.ts';

/** `dry-run` judges and stores nothing. */
export type LandingMode = 'apply' | 'review' | 'dry-run';

export interface DreamRequest {
  readonly by: DreamRecord['by'];
  readonly mode: LandingMode;
  readonly signal: AbortSignal;
  /** The lock is held and the dreamer is about to begin. */
  readonly onBegun?: (id: string) => void;
}

export type TakenHold = HeldDream | { readonly kind: 'someone-else'; readonly holder: DreamHolder };

/** The folder as it was when the dream began, and the copy the dreamer works on. */
export interface DreamWorkshop {
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** MEMORY.md; empty when there is none. */
  readonly index: string;
  /** It is longer than the part that is loaded. */
  readonly isIndexFull: boolean;
  /** The real path of the copy. */
  readonly copy: string;
  /** `changes.json` as the dreamer left it; null when there is none. */
  readList(): string | null;
  /** Files of the copy as they are now; null for one that cannot be read. */
  readCopy(file: string): string | null;
  copiedFiles(): readonly string[];
  close(): Promise<void>;
}

export interface DreamerWork {
  readonly id: string;
  readonly by: DreamRecord['by'];
  readonly workshop: DreamWorkshop;
  readonly signal: AbortSignal;
  readonly onRound: (round: DreamRound) => void;
  readonly onToolCall: () => void;
  /** A file of the copy was written. */
  readonly onWrite: (file: string) => void;
  readonly onCost: (cost: DreamCost) => void;
}

export interface DreamCost {
  readonly equivalentTokens: number;
  readonly money: number | null;
}

/** `cut`: rounds, minutes, tokens or the window ran out; what its list holds by then is still judged. */
export type DreamerEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'cut'; readonly reason: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly problem: string };

/** Why a proposal's text is stored nowhere: it holds a secret. */
export type Withheld = ReadonlyMap<Proposal, string>;

export interface LandFacts {
  readonly id: string;
  readonly judged: readonly JudgedProposal[];
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly withheld: Withheld;
  readonly stillHeld: () => boolean;
  /** Called and awaited under the folder's lock, right before the change goes into the journal. */
  readonly announce: (skipped: Landing['skipped']) => Promise<void>;
}

/** What happened to each proposal that was to land. */
export interface Landing {
  /** The journal's id; null when nothing landed. */
  readonly change: string | null;
  /** Why a proposal was left alone after all: the user's own edit wins. */
  readonly skipped: ReadonlyMap<Proposal, string>;
}

export interface GoneClaim {
  readonly sentence: string;
  readonly path: string;
}

export interface DreamingPorts {
  readonly scope: MemoryScope;
  readonly model: () => string;
  newId(): string;
  now(): Date;
  /** Null when there is something to dream about. */
  whyNothing(): Promise<{ readonly reason: string; readonly fix: string } | null>;
  take(): Promise<TakenHold>;
  openWorkshop(id: string): Promise<DreamWorkshop>;
  dream(work: DreamerWork): Promise<DreamerEnd>;
  /** Looks all of them up and answers for each. */
  findEvidence(
    evidence: readonly DreamEvidence[],
    workshop: DreamWorkshop,
  ): Promise<(evidence: DreamEvidence) => FoundEvidence>;
  /** Of the paths a drop says are gone, with the sentences that name them: those that no branch and no work tree has. */
  findGone(claims: readonly GoneClaim[]): Promise<ReadonlySet<string>>;
  readonly checkFit: JudgeFacts['checkFit'];
  /** By every rule there is; null when the text is clean. Says where and what kind, never the value. */
  describeSecretsIn(text: string): Promise<string | null>;
  /** Memories that are recalled and never used: proposed by code, and always left to the user. */
  retirements(base: ReadonlyMap<string, BaseMemory>): Promise<readonly JudgedProposal[]>;
  /** Changes from earlier dreams that are waiting or were rejected, newest first. */
  earlier(): readonly EarlierChange[];
  land(facts: LandFacts): Promise<Landing>;
  keepRecord(record: DreamRecord): Promise<void>;
  /** For watchers in this process and others. Errors it throws are ignored. */
  showProgress(progress: DreamProgress): void;
  /** Other processes no longer need to look for it. */
  clearProgress(id: string): Promise<void>;
  /** Whether somebody, maybe in another process, wants it to end; asked between rounds. */
  isStopAsked(id: string): boolean;
  /** Writes to the ledger how it ended, in numbers. */
  record(event: DreamEvent): void;
  readonly limits: Limits['dreaming'];
}

export interface DreamEvent {
  readonly name: 'dream' | 'dream-failed' | 'dream-killed' | 'dream-no-room';
  readonly numbers: Readonly<Record<string, number>>;
}
