/** A provider's prompt cache as documented: computes what a request would read from it, write to it and pay in full. */

import type { Usage } from '../conversation/message.ts';
import { type Chain, createMessageChain, hashObject, hashText } from '../conversation/prefix-chain.ts';
import { estimateJsonTokens, estimateTextTokens } from '../conversation/tokens.ts';
import { PROMPT_CACHE_LIMITS } from '../limits.ts';
import type { CacheTtl, ModelRequest } from './model.ts';

export type PromptPrice = Omit<Usage, 'outputTokens'>;

export interface PromptCache {
  /** The cost of the request's prompt at this moment; the next request can read what it writes. */
  price(request: ModelRequest): PromptPrice;
}

/** The end of a prefix: its key, its length, and its position in blocks. */
interface Place {
  readonly key: string;
  readonly tokens: number;
  readonly block: number;
  /** The message before it; -1 before the first. */
  readonly at: number;
}

export function ttlMsOf(ttl: CacheTtl): number {
  return ttl === '1h' ? PROMPT_CACHE_LIMITS.oneHourMs : PROMPT_CACHE_LIMITS.fiveMinutesMs;
}

/** One for each model: models share no cache. `ttlMs` overrides what requests ask for, so that a test need not wait. */
export function createPromptCache(options: { readonly now: () => number; readonly ttlMs?: number }): PromptCache {
  const chain = createMessageChain();
  /** When each written prefix expires, the least recently used first. */
  const losses = new Map<string, number>();

  function touch(key: string, untilMs: number): void {
    losses.delete(key);
    losses.set(key, untilMs);
  }

  return {
    price(request) {
      const now = options.now();
      forgetLost(losses, now);
      const head = headPlaces(request);
      const messages = chain(request.messages);
      const breakpoints = breakpointsOf({ request, head, messages });
      const isLive = (place: Place) => (losses.get(place.key) ?? 0) > now;

      const read = longestRead({ head, messages, breakpoints, isLive });
      const untilMs = now + (options.ttlMs ?? ttlMsOf(request.cache.ttl));
      if (read) touch(read.key, untilMs);
      const cacheable = breakpoints.filter(isLongEnough);
      for (const place of cacheable) touch(place.key, untilMs);

      const readTokens = read?.tokens ?? 0;
      const writtenTo = Math.max(readTokens, ...cacheable.map((place) => place.tokens));
      const total = (head.places.at(-1)?.tokens ?? 0) + (messages.links[messages.length - 1]?.tokens ?? 0);
      return {
        inputTokens: total - writtenTo,
        cacheReadTokens: readTokens,
        cacheWriteTokens: writtenTo - readTokens,
        cacheWriteHourTokens: request.cache.ttl === '1h' ? writtenTo - readTokens : 0,
      };
    },
  };
}

interface Head {
  /** After each system block; after the tools alone if there is no system. */
  readonly places: readonly Place[];
  /** What messages are keyed with: a change of tool choice or thinking loses them, but neither tools nor system. */
  readonly messageKey: string;
}

function headPlaces(request: ModelRequest): Head {
  let key = hashText(request.tools.map(hashObject).join(' '));
  let tokens = request.tools.reduce((sum, tool) => sum + estimateJsonTokens(tool), 0);
  const places: Place[] = [{ key, tokens, block: 0, at: -1 }];
  for (const { text } of request.system) {
    key = hashText(`${key} ${hashText(text)}`);
    tokens += estimateTextTokens(text);
    places.push({ key, tokens, block: places.length, at: -1 });
  }
  const { toolChoice, thinking, contextEdits, answerSchema } = request;
  return {
    places,
    messageKey: hashText(`${key} ${JSON.stringify([toolChoice, thinking, contextEdits, answerSchema])}`),
  };
}

function messagePlace(prefix: { head: Head; messages: Chain }, at: number): Place {
  const [system, link] = [prefix.head.places.at(-1)!, prefix.messages.links[at]!];
  return {
    at,
    key: `${prefix.head.messageKey} ${link.hash}`,
    tokens: system.tokens + link.tokens,
    block: system.block + link.blocks,
  };
}

function breakpointsOf(facts: { request: ModelRequest; head: Head; messages: Chain }): Place[] {
  const { request, head, messages } = facts;
  const system = request.system.flatMap((block, at) => (block.endsStaticPart ? [head.places[at + 1]!] : []));
  const marked = request.cache.breakpoints.filter((at) => at >= 0 && at < messages.length);
  return [...system, ...marked.map((at) => messagePlace({ head, messages }, at))];
}

/** From every breakpoint the server looks back over a few blocks for a prefix that was written before. */
function longestRead(facts: {
  head: Head;
  messages: Chain;
  breakpoints: readonly Place[];
  isLive: (place: Place) => boolean;
}): Place | null {
  const { head, messages, breakpoints, isLive } = facts;
  const ordered = [...breakpoints].sort((one, other) => other.block - one.block);
  for (const breakpoint of ordered) {
    for (const place of placesBefore({ head, messages, breakpoint })) {
      if (breakpoint.block - place.block > PROMPT_CACHE_LIMITS.lookBackBlocks) break;
      if (isLive(place)) return place;
    }
  }
  return null;
}

/** Nearest first, including the breakpoint itself. Lazy: only what is looked at is computed. */
function* placesBefore(facts: { head: Head; messages: Chain; breakpoint: Place }): Iterable<Place> {
  const { head, messages, breakpoint } = facts;
  for (let at = breakpoint.at; at >= 0; at--) yield messagePlace({ head, messages }, at);
  for (const place of head.places.toReversed()) if (place.block <= breakpoint.block) yield place;
}

function isLongEnough(place: Place): boolean {
  return place.tokens >= PROMPT_CACHE_LIMITS.leastTokens;
}

function forgetLost(losses: Map<string, number>, now: number): void {
  for (const [key, lostAtMs] of losses) {
    if (lostAtMs > now) return;
    losses.delete(key);
  }
}
