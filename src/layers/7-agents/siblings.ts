/** Siblings with one prefix: the first goes ahead, the others wait for its first response, so that they read the cache it writes. */

import { PROMPT_CACHE_LIMITS } from '../../limits.ts';

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
  const leaders = new Map<string, { readonly response: Promise<void>; coldAtMs: number }>();
  return {
    enter(key) {
      for (const [known, { coldAtMs }] of leaders) if (Date.now() > coldAtMs) leaders.delete(known);
      const ahead = leaders.get(key);
      if (ahead !== undefined) {
        return { wait: (signal) => within(ahead.response, { waitMs, signal }), responded: () => {} };
      }
      let tell = () => {};
      const response = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const leader = { response, coldAtMs: Number.POSITIVE_INFINITY };
      leaders.set(key, leader);
      return {
        wait: async () => {},
        responded() {
          leader.coldAtMs = Date.now() + PROMPT_CACHE_LIMITS.fiveMinutesMs;
          tell();
        },
      };
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
