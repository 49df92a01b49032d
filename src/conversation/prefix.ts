/** Watches the prompt cache: when much less is read from it than could be, it names what broke it. */

import { PROMPT_CACHE_LIMITS } from '../limits.ts';
import type { Usage } from './message.ts';
import { createMessageChain } from './prefix-chain.ts';
import { changesBetween } from './prefix-changes.ts';
import { type PrefixParts, type PrefixSnapshot, snapshotOf } from './prefix-snapshot.ts';

export type { PrefixParts, PrefixSnapshot } from './prefix-snapshot.ts';

export type BreakVerdict =
  | { readonly kind: 'kept'; readonly expectedTokens: number; readonly readTokens: number }
  | {
      readonly kind: 'broken';
      readonly cause: 'announced' | 'ttl' | 'client' | 'server';
      /** In words: `compaction`, `system block 1 changed near "…12:04:05…"`. */
      readonly reason: string;
      /** Everything that differs from the request before, the first in the prefix first. */
      readonly changes: readonly string[];
      readonly expectedTokens: number;
      readonly readTokens: number;
    };

export interface PrefixWatch {
  /** Before a request is sent. */
  before(parts: PrefixParts): PrefixSnapshot;
  /** Once it was answered; a request that failed is left out. `atMs` is when it was sent. */
  after(answered: {
    readonly snapshot: PrefixSnapshot;
    readonly usage: Usage;
    readonly atMs: number;
    readonly ttlMs: number;
  }): BreakVerdict;
  /** For whoever is about to rewrite the prefix on purpose: the next answered request may break the cache. */
  announceBreak(reason: string): void;
}

export function createPrefixWatch(): PrefixWatch {
  const chain = createMessageChain();
  let announced: PrefixSnapshot['announced'] = [];
  let last: { snapshot: PrefixSnapshot; usage: Usage; atMs: number } | null = null;
  return {
    before: (parts) => snapshotOf(parts, { messages: chain(parts.messages), announced }),
    after({ snapshot, usage, atMs, ttlMs }) {
      const verdict = judgeBreak({
        snapshot,
        usage,
        atMs,
        ttlMs,
        previous: last?.snapshot ?? null,
        previousUsage: last?.usage ?? null,
        previousAtMs: last?.atMs ?? null,
      });
      last = { snapshot, usage, atMs };
      // Not at `before`: a request that fails must not use up what was announced; what came since stays for the next.
      announced = announced.filter((announcement) => !snapshot.announced.includes(announcement));
      return verdict;
    },
    announceBreak(reason) {
      announced = [...announced, { reason }];
    },
  };
}

/** All that the last request left in the cache; the next one repeats it, so it can read all of it. */
export function expectedReads(previousUsage: Usage): number {
  return previousUsage.cacheReadTokens + previousUsage.cacheWriteTokens;
}

export function judgeBreak(facts: {
  readonly snapshot: PrefixSnapshot;
  readonly previous: PrefixSnapshot | null;
  readonly usage: Usage;
  readonly previousUsage: Usage | null;
  readonly atMs: number;
  readonly previousAtMs: number | null;
  readonly ttlMs: number;
}): BreakVerdict {
  const { snapshot, previous, usage, previousUsage } = facts;
  const readTokens = usage.cacheReadTokens;
  const expectedTokens = previousUsage === null ? 0 : expectedReads(previousUsage);
  const missing = expectedTokens - readTokens;
  const isBreak =
    missing > expectedTokens * PROMPT_CACHE_LIMITS.breakShare && missing > PROMPT_CACHE_LIMITS.breakTokens;
  if (!isBreak || previous === null) return { kind: 'kept', expectedTokens, readTokens };

  const changes = changesBetween(previous, snapshot);
  const broken = { kind: 'broken', changes, expectedTokens, readTokens } as const;
  if (snapshot.announced.length > 0) {
    return { ...broken, cause: 'announced', reason: snapshot.announced.map(({ reason }) => reason).join(', ') };
  }
  const idleMs = facts.atMs - (facts.previousAtMs ?? facts.atMs);
  if (idleMs > facts.ttlMs) {
    return {
      ...broken,
      cause: 'ttl',
      reason: `idle for ${Math.round(idleMs / 1_000)} s, the cache lives ${Math.round(facts.ttlMs / 1_000)} s`,
    };
  }
  const [first] = changes;
  return first === undefined
    ? { ...broken, cause: 'server', reason: 'the server dropped it: nothing changed in the request' }
    : { ...broken, cause: 'client', reason: first };
}
