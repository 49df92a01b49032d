/** A provider's prompt cache for one conversation that mostly grows: the work for a request grows with what changed in it. */

import type { Message, Usage } from '../../conversation/message.ts';
import { PROMPT_CACHE_LIMITS } from '../../limits.ts';
import type { CacheTtl } from '../../model/model.ts';
import { ttlMsOf } from '../../model/prompt-cache.ts';

export type PromptUsage = Omit<Usage, 'outputTokens'>;

export interface PricedRequest extends PromptUsage {
  /** Tokens that the previous request had in the cache and this one did not find there, if there are enough to matter. */
  readonly missedTokens: number;
}

export interface RequestFacts {
  readonly atMs: number;
  /** After the messages, not part of the conversation and not cached: an instruction to a fork. */
  readonly addedTokens?: number;
  /** No more than this can be read, whatever was written: a recorded break. */
  readonly mostReadTokens?: number;
}

export interface CacheModel {
  request(messages: readonly Message[], facts: RequestFacts): PricedRequest;
}

/** The end of a written prefix, by its number of messages. */
interface Written {
  readonly length: number;
  readonly lostAtMs: number;
}

export function createCacheModel(facts: {
  readonly prefixTokens: number;
  readonly ttl: CacheTtl;
  readonly sizeOf: (message: Message) => number;
  /** Tokens of the prefix that other sessions keep in the cache. */
  readonly warmTokens?: number;
}): CacheModel {
  const { prefixTokens, sizeOf } = facts;
  const ttlMs = ttlMsOf(facts.ttl);
  let last: readonly Message[] = [];
  /** Tokens and blocks up to and including each message of `last`. */
  const tokens: number[] = [];
  const blocks: number[] = [];
  /** Shortest first. */
  let written: readonly Written[] = [];
  let prefixLostAtMs: number | null = null;

  const tokensTo = (length: number) => prefixTokens + (tokens[length - 1] ?? 0);
  const blocksTo = (length: number) => blocks[length - 1] ?? 0;

  /** How many messages are the same as last time. */
  function follow(messages: readonly Message[]): number {
    const most = Math.min(last.length, messages.length);
    let same = 0;
    while (same < most && last[same] === messages[same]) same++;
    tokens.length = same;
    blocks.length = same;
    for (let at = same; at < messages.length; at++) {
      tokens.push((tokens[at - 1] ?? 0) + sizeOf(messages[at]!));
      blocks.push((blocks[at - 1] ?? 0) + messages[at]!.content.length);
    }
    last = messages;
    return same;
  }

  /** The longest prefix that is there and within reach of a breakpoint; null when only the fixed prefix may be. */
  function longestRead(live: readonly Written[], breakpoints: readonly number[]): number | null {
    const seen = breakpoints.flatMap((end) => {
      const found = live.findLast(({ length }) => length <= end)?.length;
      const isInSight = found !== undefined && blocksTo(end) - blocksTo(found) <= PROMPT_CACHE_LIMITS.lookBackBlocks;
      return isInSight ? [found] : [];
    });
    return seen.length === 0 ? null : Math.max(...seen);
  }

  function readOfPrefix(atMs: number): number {
    const isLive = prefixLostAtMs !== null && prefixLostAtMs > atMs;
    return isLive ? prefixTokens : Math.min(facts.warmTokens ?? 0, prefixTokens);
  }

  return {
    request(messages, { atMs, addedTokens = 0, mostReadTokens = Number.POSITIVE_INFINITY }) {
      const formerEnd = last.length;
      const couldRead = prefixLostAtMs === null ? 0 : tokensTo(formerEnd);
      const same = follow(messages);
      const live = written.filter(({ length, lostAtMs }) => length <= same && lostAtMs > atMs);
      const read = longestRead(live, [messages.length, Math.min(formerEnd, messages.length)]);
      const readTokens = Math.min(mostReadTokens, read === null ? readOfPrefix(atMs) : tokensTo(read));
      const lostAtMs = atMs + ttlMs;
      prefixLostAtMs = lostAtMs;
      const ends = [...new Set([Math.min(formerEnd, messages.length), messages.length])].filter((end) => end > 0);
      const untouched = live.filter(({ length }) => length !== read && !ends.includes(length));
      const touched = [...new Set([...(read === null ? [] : [read]), ...ends])];
      written = [...untouched, ...touched.map((length) => ({ length, lostAtMs }))].sort(
        (one, other) => one.length - other.length,
      );
      const all = tokensTo(messages.length);
      const missed = couldRead - readTokens;
      const { breakShare, breakTokens } = PROMPT_CACHE_LIMITS;
      return {
        inputTokens: addedTokens,
        cacheReadTokens: readTokens,
        cacheWriteTokens: all - readTokens,
        cacheWriteHourTokens: facts.ttl === '1h' ? all - readTokens : 0,
        missedTokens: missed > breakTokens && missed > couldRead * breakShare ? missed : 0,
      };
    },
  };
}
