/** Siblings with one prefix: the first goes ahead, the others wait for its first response, so that they read the cache it writes. */

export interface SiblingGate {
  /** Before the first request of an agent whose prefix has this key. */
  enter(key: string): SiblingPass;
}

export interface SiblingPass {
  /** At once for the first; later ones wait for its response, for a while at most. */
  wait(signal: AbortSignal): Promise<void>;
  /** The response has begun, or will never come. */
  responded(): void;
}

export function createSiblingGate({ waitMs }: { readonly waitMs: number }): SiblingGate {
  const leaders = new Map<string, Promise<void>>();
  return {
    enter(key) {
      const ahead = leaders.get(key);
      if (ahead !== undefined) return { wait: (signal) => within(ahead, { waitMs, signal }), responded: () => {} };
      let responded = () => {};
      leaders.set(key, new Promise((resolve) => (responded = resolve)));
      return { wait: async () => {}, responded };
    },
  };
}

function within(ahead: Promise<void>, facts: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      facts.signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, facts.waitMs);
    facts.signal.addEventListener('abort', done, { once: true });
    if (facts.signal.aborted) done();
    void ahead.then(done);
  });
}
