/** The public shape of dreaming: how to ask for a dream, what it returns, and which changes are pending. */

import type { MemoryScope } from '../../../base/taxonomy.ts';
import type { Model } from '../../../model/model.ts';
import type { PlaceOptions } from '../../../settings/place.ts';
import type { DreamProgress } from '../progress.ts';
import type { DreamRecord } from '../records/record.ts';

/** `apply` lands what the rules allow, `review` leaves all of it in the inbox, `dry-run` stores nothing. */
export type DreamMode = 'apply' | 'review' | 'dry-run';

export interface RunDreamOptions extends PlaceOptions {
  readonly model?: Model | string;
  /** The folder to consolidate; the project's unless given. */
  readonly scope?: MemoryScope;
  /** The setting `dreaming.mode` unless given. */
  readonly mode?: DreamMode;
  readonly by: 'hand' | 'timer';
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: DreamProgress) => void;
}

export type DreamReport =
  | { readonly kind: 'ended'; readonly scope: MemoryScope; readonly record: DreamRecord }
  /** Nothing was started: someone else is dreaming, there is nothing to dream about, memory is off. */
  | { readonly kind: 'not-begun'; readonly reason: string; readonly fix: string };

/** Dreams of a session, running alongside it. */
export interface AgentDream {
  /** Starts at once, whatever time and sessions say; resolves when the dream has begun, or with the reason it has not. */
  start(mode?: Exclude<DreamMode, 'dry-run'>): Promise<{ readonly begun: boolean; readonly line: string }>;
  /** The running one, or the last of this session. */
  progress(): DreamProgress | null;
  /** Ends it and gives the time back; false when none is running. */
  stop(): Promise<boolean>;
  /** Called for each step; the returned function unsubscribes. */
  onProgress(listen: (progress: DreamProgress) => void): () => void;
}
