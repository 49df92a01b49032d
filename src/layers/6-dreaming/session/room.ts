/** What a dream by itself is expected to take, against what the caps leave: a modest guess, so that none begins that could not end. */

import { NO_USAGE, type Usage } from '../../../conversation/message.ts';
import type { Limits } from '../../../limits.ts';
import { equivalentTokens } from '../../../model/metered-usage.ts';
import type { DreamRoom } from '../index.ts';

export interface RoomFacts {
  /** Of the conversation that it is forked from: each round reads them from the cache. */
  readonly prefixTokens: number;
  readonly dayTokensLeft: number;
  readonly limits: Pick<Limits, 'caps' | 'dreaming' | 'loop'>;
}

/** It belongs to no session: its own cap binds it and the day's, and no share of the conversation. */
export function dreamRooms({ prefixTokens, dayTokensLeft, limits }: RoomFacts): readonly DreamRoom[] {
  const { expectedRounds, expectedNewTokens, expectedOutputTokens } = limits.dreaming;
  const usage: Usage = {
    ...NO_USAGE,
    cacheReadTokens: prefixTokens * expectedRounds,
    cacheWriteTokens: expectedNewTokens,
    outputTokens: expectedOutputTokens,
  };
  const tokens = equivalentTokens(usage, limits.caps);
  // Of the day, each call is reserved as if nothing of it were cached and its answer as long as it may be.
  const reserved = {
    ...NO_USAGE,
    inputTokens: prefixTokens + expectedNewTokens,
    outputTokens: Math.min(limits.loop.outputTokens, limits.dreaming.outputTokens),
  };
  const day = tokens + equivalentTokens(reserved, limits.caps);
  return [
    { cap: 'dream', needed: tokens, left: limits.dreaming.equivalentTokens },
    { cap: 'day', needed: day, left: dayTokensLeft },
  ];
}
