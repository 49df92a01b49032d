/** A breaker: counts one part's failures in a row, and reports once when there are so many that the part pauses for the session. */

export interface Trip {
  /** In a row. */
  readonly failures: number;
  /** What the last one was, in words. */
  readonly problem: string;
}

export interface Breaker {
  failed(problem: string): void;
  succeeded(): void;
  /** For a part that stores the count in its own state, which a resumed session continues. */
  counted(failures: number, problem: string): void;
  /** In a row. */
  failures(): number;
  isPaused(): boolean;
}

export function createBreaker(facts: {
  /** This many in a row pause the part. */
  readonly limit: number;
  /** What a resumed session begins with: a pause reported before is not reported again. */
  readonly failures?: number;
  readonly onTrip: (trip: Trip) => void;
}): Breaker {
  const { limit, onTrip } = facts;
  let failures = facts.failures ?? 0;

  function count(now: number, problem: string): void {
    const isTrip = failures < limit && now >= limit;
    failures = now;
    if (!isTrip) return;
    try {
      onTrip({ failures, problem });
    } catch {
      // A failing listener must not make matters worse.
    }
  }

  return {
    failed: (problem) => count(failures + 1, problem),
    succeeded: () => count(0, ''),
    counted: count,
    failures: () => failures,
    isPaused: () => failures >= limit,
  };
}
