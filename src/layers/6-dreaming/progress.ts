/** What a running dream shows. Plain data: the footer, `/tasks`, `reverie status` and other processes read it. */

import type { MemoryScope } from '../../base/taxonomy.ts';
import type { DreamStatus } from './records/record.ts';

export interface DreamProgress {
  readonly id: string;
  readonly scope: MemoryScope;
  readonly startedAt: string;
  readonly status: DreamStatus;
  /** `updating` from the first write on. */
  readonly state: 'starting' | 'updating';
  /** The count of all rounds; `lastRounds` holds the newest. */
  readonly rounds: number;
  readonly lastRounds: readonly DreamRound[];
  readonly toolCalls: number;
  /** Files it wrote in its copy; once it has ended, the files that changed. */
  readonly files: readonly string[];
  readonly equivalentTokens: number;
  readonly money: number | null;
  /** How it ended, in one line for the user. */
  readonly closing: string | null;
}

export interface DreamRound {
  readonly at: string;
  /** The beginning of what the dreamer said, on one line; may be empty. */
  readonly text: string;
  readonly tools: readonly string[];
}
