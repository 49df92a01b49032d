/** Follows a running dream and reports each step as plain data; only the last rounds are kept. */

import type { MemoryScope } from '../../base/taxonomy.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import type { Limits } from '../../limits.ts';
import { findSecret } from '../../memory/gate/secret.ts';
import type { DreamCost } from './ports.ts';
import type { DreamProgress, DreamRound } from './progress.ts';
import type { DreamStatus } from './records/record.ts';

export interface ProgressTracker {
  now(): DreamProgress;
  round(round: DreamRound): void;
  toolCall(): void;
  wrote(file: string): void;
  cost(cost: DreamCost): void;
  /** `files`: those that were changed in the end. */
  ended(end: {
    readonly status: DreamStatus;
    readonly closing: string;
    readonly files?: readonly string[] | undefined;
  }): void;
}

export interface ProgressFacts {
  readonly id: string;
  readonly scope: MemoryScope;
  readonly startedAt: string;
  readonly limits: Pick<Limits['dreaming'], 'shownRounds' | 'roundCharacters'>;
  readonly tell: (progress: DreamProgress) => void;
}

export function trackProgress(facts: ProgressFacts): ProgressTracker {
  const { limits } = facts;
  let progress: DreamProgress = {
    ...{ id: facts.id, scope: facts.scope, startedAt: facts.startedAt },
    ...{ status: 'running', state: 'starting', rounds: 0, lastRounds: [], toolCalls: 0, files: [] },
    ...{ equivalentTokens: 0, money: 0, closing: null },
  };

  function become(news: Partial<DreamProgress>): void {
    progress = { ...progress, ...news };
    facts.tell(progress);
  }

  facts.tell(progress);
  return {
    now: () => progress,
    round(round) {
      const shown = { ...round, text: oneLine(withoutSecret(round.text), limits.roundCharacters) };
      const lastRounds = [...progress.lastRounds, shown].slice(-limits.shownRounds);
      become({ rounds: progress.rounds + 1, lastRounds });
    },
    toolCall: () => become({ toolCalls: progress.toolCalls + 1 }),
    wrote(written) {
      const file = withoutSecret(written);
      const files = progress.files.includes(file) ? progress.files : [...progress.files, file];
      become({ state: 'updating', files });
    },
    cost: ({ equivalentTokens, money }) => become({ equivalentTokens, money }),
    ended({ status, closing, files }) {
      become({ status, closing, ...(files === undefined ? {} : { files }) });
    },
  };
}

/** Progress is stored in a file, and a dreamer may say anything. */
function withoutSecret(text: string): string {
  const secret = findSecret(text);
  return secret === null ? text : `(left out: ${secret})`;
}

function oneLine(text: string, characters: number): string {
  const line = [...stripInvisible(text.replace(/\s+/g, ' ')).text.trim()];
  return line.length <= characters ? line.join('') : `${line.slice(0, characters - 1).join('')}…`;
}
