/** After which messages the prompt cache is written. */

import { PROMPT_CACHE_LIMITS } from '../limits.ts';
import type { Message } from './message.ts';

/**
 * The last message always: the next request repeats everything up to it. From that breakpoint the server looks back
 * over only 20 blocks for what an earlier request wrote. When more were appended (a round of many parallel tools), it
 * would not reach the end of the last request and would bill the whole conversation again; so another breakpoint goes
 * right there. With the system's own that makes three of the four a request may have.
 */
export function chooseBreakpoints(facts: {
  readonly messages: readonly Message[];
  /** How many of them the previous request had; 0 when there was none. */
  readonly sentBefore: number;
}): number[] {
  const { messages, sentBefore } = facts;
  if (messages.length === 0) return [];
  const last = messages.length - 1;
  const previousEnd = Math.min(sentBefore, messages.length) - 1;
  const isOutOfSight = previousEnd >= 0 && appendedBlocks(messages, sentBefore) > PROMPT_CACHE_LIMITS.lookBackBlocks;
  return isOutOfSight ? [previousEnd, last] : [last];
}

/** Stops counting once there are enough to decide. */
function appendedBlocks(messages: readonly Message[], from: number): number {
  let blocks = 0;
  for (let at = from; at < messages.length && blocks <= PROMPT_CACHE_LIMITS.lookBackBlocks; at++) {
    blocks += messages[at]!.content.length;
  }
  return blocks;
}
