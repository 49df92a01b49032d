/** How far a long command is, for a person watching; a short one says nothing. */

import { TERMINAL_LIMITS } from '../../limits.ts';
import type { Terminal } from './terminal.ts';

export interface Progress {
  /** `total`: where it is known. */
  report(done: number, total?: number): void;
  end(): void;
}

/** For work whose end is not known: `count` is called for each step. */
export function countProgress(terminal: Terminal, doing: string): { readonly count: () => void; end(): void } {
  const progress = startProgress(terminal, doing);
  let done = 0;
  return { count: () => progress.report(++done), end: progress.end };
}

export function startProgress(terminal: Terminal, doing: string): Progress {
  const quietUntil = Date.now() + TERMINAL_LIMITS.quietMs;
  let shownAt = 0;
  return {
    report(done, total) {
      const now = Date.now();
      if (now < quietUntil || now - shownAt < TERMINAL_LIMITS.progressEveryMs) return;
      shownAt = now;
      terminal.status(total === undefined ? `${doing} ${done}` : `${doing} ${done} of ${total}`);
    },
    end: () => terminal.status(null),
  };
}
