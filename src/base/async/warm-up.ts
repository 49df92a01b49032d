/** Does work in small pieces ahead of time that would block the process when first needed. */

export interface WarmUpPace {
  /** Before the first piece, so that what somebody waits for now comes first. */
  readonly afterMs: number;
  /** Between two pieces: keys and answers get their turn. */
  readonly pauseMs: number;
}

/**
 * Each piece is done twice, since a pattern is compiled at its first use and again, optimised, at its second.
 * Returns a function that ends it. It does not keep the process alive.
 */
export function warmUp(pieces: readonly (() => unknown)[], pace: WarmUpPace): () => void {
  const left = pieces.flatMap((piece) => [piece, piece]);
  let timer = setTimeout(next, pace.afterMs).unref();

  function next(): void {
    const piece = left.shift();
    if (piece === undefined) return;
    try {
      piece();
    } catch {
      // Whoever needs it will get the same error, and can handle it.
    }
    timer = setTimeout(next, pace.pauseMs).unref();
  }

  return () => clearTimeout(timer);
}
