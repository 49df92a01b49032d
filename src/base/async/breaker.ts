/** A breaker: failures of one part in a row, and word of it, once, when there are so many that the part pauses for the session. */

export interface Trip {
  /** In a row. */
  readonly failures: number;
  /** What the last one was, in words. */
  readonly problem: string;
}

export interface Breaker {
  failed(problem: string): void;
  succeeded(): void;
  /** Of a part that keeps the count in its own state, which a resumed session goes on with. */
  counted(failures: number, problem: string): void;
  /** In a row. */
  failures(): number;
  isPaused(): boolean;
}

export function createBreaker(facts: {
  /** So many in a row pause the part. */
  readonly limit: number;
  /** What a resumed session begins with: nothing is said of a pause that was told before. */
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
      // Whoever is told of it must not make matters worse.
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
