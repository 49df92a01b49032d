/** The messages of consecutive requests as a chain of hashes; only what is new is hashed. */

import { createHash } from 'node:crypto';
import type { Message } from './message.ts';
import { estimateTokens } from './tokens.ts';

export interface ChainLink {
  readonly message: Message;
  /** Of this message and all before it. */
  readonly hash: string;
  /** Blocks and estimated tokens of this message and all before it. */
  readonly blocks: number;
  readonly tokens: number;
}

/** A request's messages. `links` may be shared with later requests and then continues beyond `length`. */
export interface Chain {
  readonly links: readonly ChainLink[];
  readonly length: number;
}

/** A cache, not state: hashed objects never change in place, so a hash holds as long as its object lives. */
const hashes = new WeakMap<object, string>();

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function hashObject(value: object): string {
  const known = hashes.get(value);
  if (known !== undefined) return known;
  const hash = hashText(JSON.stringify(value));
  hashes.set(value, hash);
  return hash;
}

/**
 * A conversation that only grows shares one list between all its requests. Checking that it only grew takes a comparison
 * of references, a few microseconds for thousands of messages.
 */
export function createMessageChain(): (messages: readonly Message[]) => Chain {
  let links: ChainLink[] = [];
  return (messages) => {
    let same = 0;
    while (same < links.length && links[same]!.message === messages[same]) same++;
    // An earlier request still owns what it had beyond this point: it keeps its list, this one gets a new one.
    if (same < links.length) links = links.slice(0, same);
    for (let at = same; at < messages.length; at++) links.push(linkOf(messages[at]!, links.at(-1)));
    return { links, length: messages.length };
  };
}

function linkOf(message: Message, before: ChainLink | undefined): ChainLink {
  return {
    message,
    hash: hashText(`${before?.hash ?? ''} ${hashObject(message)}`),
    blocks: (before?.blocks ?? 0) + message.content.length,
    tokens: (before?.tokens ?? 0) + estimateTokens(message),
  };
}

/** The position of the first message that differs; null when one chain begins with the other. */
export function firstDifference(one: Chain, other: Chain): number | null {
  const shorter = Math.min(one.length, other.length);
  if (shorter === 0 || one.links[shorter - 1]!.hash === other.links[shorter - 1]!.hash) return null;
  // Each hash covers everything before it, so equal ones come before the difference and unequal ones after it.
  let [low, high] = [0, shorter - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (one.links[middle]!.hash === other.links[middle]!.hash) low = middle + 1;
    else high = middle;
  }
  return low;
}
