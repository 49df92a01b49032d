/** What a dream by itself is expected to take, against what the caps leave: a modest guess, so that none begins that could not end. */

import { NO_USAGE, type Usage } from '../conversation/message.ts';
import type { DreamRoom } from '../layers/6-dreaming/index.ts';
import type { Limits } from '../limits.ts';
import { equivalentTokens } from '../model/metered-usage.ts';
import { costOf, type Price } from '../model/prices.ts';
import type { RoomLeft } from '../store/ledger-tally.ts';

export interface RoomFacts {
  /** Of the conversation that it is forked from: each round reads them from the cache. */
  readonly prefixTokens: number;
  readonly left: RoomLeft;
  readonly price: Price | null;
  readonly limits: Pick<Limits, 'caps' | 'dreaming' | 'loop'>;
}

export function dreamRooms({ prefixTokens, left, price, limits }: RoomFacts): readonly DreamRoom[] {
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
    outputTokens: limits.loop.outputTokens,
  };
  const day = tokens + equivalentTokens(reserved, limits.caps);
  const rooms: DreamRoom[] = [{ cap: 'day', unit: 'tokens', needed: day, left: left.dayTokens }];
  if (left.session === null) return rooms;
  const { unit } = left.session;
  const needed = unit === 'tokens' || price === null ? tokens : costOf(usage, price);
  return [...rooms, { cap: 'session', unit, needed, left: left.session.left }];
}
