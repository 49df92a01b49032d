/** How far a long command is, for a person watching; a short one says nothing. */

import { TERMINAL_LIMITS } from '../../limits.ts';
import type { Terminal } from './terminal.ts';

export interface Progress {
  report(done: number, total: number): void;
  end(): void;
}

export function startProgress(terminal: Terminal, doing: string): Progress {
  const quietUntil = Date.now() + TERMINAL_LIMITS.quietMs;
  let shownAt = 0;
  return {
    report(done, total) {
      const now = Date.now();
      if (now < quietUntil || now - shownAt < TERMINAL_LIMITS.progressEveryMs) return;
      shownAt = now;
      terminal.status(`${doing} ${done} of ${total}`);
    },
    end: () => terminal.status(null),
  };
}
