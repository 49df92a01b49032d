/** Does in small pieces, before anybody waits for it, what would hold up the process when it is first needed. */

export interface WarmUpPace {
  /** Until the first piece, so that what somebody waits for now comes before. */
  readonly afterMs: number;
  /** Between two pieces: keys and answers get their turn. */
  readonly pauseMs: number;
}

/**
 * Each piece is done twice, since a pattern is compiled when it is first used and again, for speed, at its second use.
 * Answers with what ends it. It keeps no process alive.
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
      // Whoever needs it will meet the same error, and knows what to do about it.
    }
    timer = setTimeout(next, pace.pauseMs).unref();
  }

  return () => clearTimeout(timer);
}
