/** Questions to a selector that are running: so many at one time, for so long; and why one ended without an answer. */

import type { Limits } from '../limits.ts';

export interface Selections {
  /** Null when nobody wants the answer any more, which is no failure. Throws what failed, and that it took too long. */
  run<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | null>;
  /** Nobody wants what is running. */
  leave(): void;
}

export function createSelections(limits: Pick<Limits['prefetch'], 'selections' | 'selectionMs'>): Selections {
  const unwanted = new Error('nobody waits for the selector any more');
  let underWay: AbortController[] = [];

  return {
    async run(ask) {
      const stop = new AbortController();
      underWay.push(stop);
      // One that hangs must not keep the next ones from their turn.
      if (underWay.length > limits.selections) underWay[0]!.abort(unwanted);
      const late = new Error(`The selector did not answer within ${limits.selectionMs} ms`);
      const timer = setTimeout(() => stop.abort(late), limits.selectionMs);
      timer.unref();
      // Not every model hears that it is to stop.
      const stopped = new Promise<never>((_, reject) => {
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
      });
      try {
        return await Promise.race([ask(stop.signal), stopped]);
      } catch (error) {
        const reason = stop.signal.aborted ? stop.signal.reason : error;
        if (reason === unwanted) return null;
        throw reason;
      } finally {
        clearTimeout(timer);
        underWay = underWay.filter((each) => each !== stop);
      }
    },
    leave() {
      for (const stop of underWay) stop.abort(unwanted);
    },
  };
}
