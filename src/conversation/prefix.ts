/** Watches the prompt cache: when much less is read from it than could be, it names what broke it. */

import { PROMPT_CACHE_LIMITS } from '../limits.ts';
import type { Usage } from './message.ts';
import { createMessageChain, firstDifference, hashObject } from './prefix-chain.ts';
import { type PrefixParts, type PrefixSnapshot, snapshotOf } from './prefix-snapshot.ts';

export type { PrefixParts, PrefixSnapshot } from './prefix-snapshot.ts';

export type BreakVerdict =
  | { readonly kind: 'kept'; readonly expectedTokens: number; readonly readTokens: number }
  | {
      readonly kind: 'broken';
      readonly cause: 'announced' | 'ttl' | 'client' | 'server';
      /** In words: `compaction`, `system block 1 changed near "…12:04:05…"`. */
      readonly reason: string;
      /** Everything that differs from the previous request, in prefix order. */
      readonly changes: readonly string[];
      readonly expectedTokens: number;
      readonly readTokens: number;
    };

export interface PrefixWatch {
  /** Before a request is sent. */
  before(parts: PrefixParts): PrefixSnapshot;
  /** After it was answered; a failed request is left out. `atMs` is when it was sent. */
  after(answered: {
    readonly snapshot: PrefixSnapshot;
    readonly usage: Usage;
    readonly atMs: number;
    readonly ttlMs: number;
    /** What the answer itself says broke the cache. */
    readonly because?: string | undefined;
  }): BreakVerdict;
  /** Call before rewriting the prefix on purpose: the next answered request may break the cache. */
  announceBreak(reason: string): void;
}

export function createPrefixWatch(): PrefixWatch {
  const chain = createMessageChain();
  let announced: PrefixSnapshot['announced'] = [];
  let last: { snapshot: PrefixSnapshot; usage: Usage; atMs: number } | null = null;
  return {
    before: (parts) => snapshotOf(parts, { messages: chain(parts.messages), announced }),
    after({ snapshot, usage, atMs, ttlMs, because }) {
      const verdict = judgeBreak({
        snapshot:
          because === undefined ? snapshot : { ...snapshot, announced: [...snapshot.announced, { reason: because }] },
        usage,
        atMs,
        ttlMs,
        previous: last?.snapshot ?? null,
        previousUsage: last?.usage ?? null,
        previousAtMs: last?.atMs ?? null,
      });
      last = { snapshot, usage, atMs };
      // Not at `before`: a failed request must not use up the announcement; what came since stays for the next.
      announced = announced.filter((announcement) => !snapshot.announced.includes(announcement));
      return verdict;
    },
    announceBreak(reason) {
      announced = [...announced, { reason }];
    },
  };
}

/** Everything that the last request left in the cache; the next one repeats it, so it can read all of it. */
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

// What differs in the prefix between two requests, described in words.

/** In prefix order: the cache broke at the first one. */
function changesBetween(before: PrefixSnapshot, after: PrefixSnapshot): string[] {
  return [
    ...(before.model === after.model ? [] : [`model changed from ${before.model} to ${after.model}`]),
    ...toolChanges(before.tools, after.tools),
    ...systemChanges(before.system, after.system),
    ...optionChanges(before.options, after.options),
    ...messageChanges(before, after),
  ];
}

function systemChanges(before: PrefixSnapshot['system'], after: PrefixSnapshot['system']): string[] {
  const changed: string[] = [];
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const [old, current] = [before[at]?.text, after[at]?.text];
    if (old === current) continue;
    const name = `system block ${at + 1}`;
    if (old === undefined) changed.push(`${name} was added`);
    else if (current === undefined) changed.push(`${name} was removed`);
    else changed.push(`${name} changed ${excerptOf(old, current)}`);
  }
  return changed;
}

function toolChanges(before: PrefixSnapshot['tools'], after: PrefixSnapshot['tools']): string[] {
  const [old, current] = [byName(before), byName(after)];
  const gone = before.filter((tool) => !current.has(tool.name)).map((tool) => `tool ${tool.name} was removed`);
  const come = after.filter((tool) => !old.has(tool.name)).map((tool) => `tool ${tool.name} was added`);
  const changed = after.flatMap((tool) => {
    const previous = old.get(tool.name);
    if (!previous || hashObject(previous) === hashObject(tool)) return [];
    return [`tool ${tool.name} changed ${excerptOf(JSON.stringify(previous), JSON.stringify(tool))}`];
  });
  const stayed = (tools: PrefixSnapshot['tools'], others: ReadonlyMap<string, unknown>) =>
    JSON.stringify(tools.map((tool) => tool.name).filter((name) => others.has(name)));
  const moved = stayed(before, current) === stayed(after, old) ? [] : ['tools were reordered'];
  return [...gone, ...come, ...changed, ...moved];
}

function byName(tools: PrefixSnapshot['tools']): Map<string, PrefixSnapshot['tools'][number]> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function optionChanges(before: PrefixSnapshot['options'], after: PrefixSnapshot['options']): string[] {
  return Object.keys(after).flatMap((name) =>
    before[name] === after[name] ? [] : [`${name} changed from ${before[name]} to ${after[name]}`],
  );
}

/** Without an excerpt: a message may hold what no log should. */
function messageChanges(before: PrefixSnapshot, after: PrefixSnapshot): string[] {
  const at = firstDifference(before.messages, after.messages);
  if (at !== null) return [`message ${at + 1} changed`];
  const kept = after.messages.length;
  return kept < before.messages.length ? [`messages after ${kept} were removed`] : [];
}

/** Showing its digits makes a clock in a prompt obvious. */
function excerptOf(before: string, after: string): string {
  let at = 0;
  while (at < after.length && before[at] === after[at]) at++;
  const start = Math.max(0, at - PROMPT_CACHE_LIMITS.excerptBefore);
  const end = at + PROMPT_CACHE_LIMITS.excerptAfter;
  // Half of a surrogate pair left by the cut would not print.
  const piece = after
    .slice(start, end)
    .replace(/\p{Surrogate}/gu, '')
    .replace(/\s+/g, ' ');
  return `near "${start > 0 ? '…' : ''}${piece}${end < after.length ? '…' : ''}"`;
}
