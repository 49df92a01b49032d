/** Holds the model of the cache against a recording that has its usage: what it says the session cost, and what was counted. */

import { type Message, NO_USAGE } from '../../conversation/message.ts';
import { PROMPT_CACHE_LIMITS } from '../../limits.ts';
import { costOf, type Price } from '../../model/prices.ts';
import { ttlMsOf } from '../../model/prompt-cache.ts';
import { createCacheModel } from './cache-model.ts';
import type { ReplaySession, Step } from './session.ts';
import { promptOf } from './sizes.ts';

export interface RecordingCheck {
  /** Dollars of the recorded usage. */
  readonly recordedCost: number;
  /** Dollars of the same requests by the model of the cache. */
  readonly modelledCost: number;
  /** Of the recorded cost; positive when the model says more. */
  readonly difference: number;
  /** Breaks that were recorded and that no idle time explains: the client or the server made them, and they are taken as they were. */
  readonly unexplainedBreaks: number;
}

/** Null where usage was not recorded throughout. The prefix, and what of it others keep warm, are taken from the first request. */
export function checkRecording(session: ReplaySession, price: Price): RecordingCheck | null {
  const { steps, sizes } = session;
  const first = steps[0];
  if (first === undefined || steps.some(({ recorded }) => recorded === null)) return null;
  const openingTokens = first.before.reduce((sum, { message }) => sum + sizes.of(message), 0);
  const isHourLong = steps.some(({ recorded }) => (recorded?.cacheWriteHourTokens ?? 0) > 0);
  const cacheFacts = {
    prefixTokens: Math.max(0, promptOf(first) - openingTokens),
    warmTokens: first.recorded?.cacheReadTokens ?? 0,
    ttl: isHourLong ? ('1h' as const) : ('5m' as const),
    sizeOf: sizes.of,
  };
  const cache = createCacheModel(cacheFacts);
  let messages: readonly Message[] = [];
  let modelledCost = 0;
  let unexplainedBreaks = 0;
  let before: Step | null = null;
  for (const step of steps) {
    messages = [...messages, ...step.before.map(({ message }) => message)];
    const isBroken = before !== null && isBreakInUse(before, step, ttlMsOf(cacheFacts.ttl));
    const read = step.recorded?.cacheReadTokens ?? 0;
    const priced = cache.request(messages, { atMs: step.atMs, ...(isBroken ? { mostReadTokens: read } : {}) });
    unexplainedBreaks += Number(isBroken);
    modelledCost += costOf({ ...priced, outputTokens: step.outputTokens }, price);
    before = step;
    messages = [...messages, step.answer.message];
  }
  const recordedCost = steps.reduce((sum, { recorded }) => sum + costOf(recorded ?? NO_USAGE, price), 0);
  const difference = recordedCost === 0 ? 0 : modelledCost / recordedCost - 1;
  return { recordedCost, modelledCost, difference, unexplainedBreaks };
}

/** By the rule of the break detector, where the cache had no time to be lost. */
function isBreakInUse(before: Step, { recorded, atMs }: Step, ttlMs: number): boolean {
  const couldRead = promptOf(before);
  const missed = couldRead - (recorded?.cacheReadTokens ?? 0);
  const isBreak = missed > PROMPT_CACHE_LIMITS.breakTokens && missed > couldRead * PROMPT_CACHE_LIMITS.breakShare;
  return isBreak && atMs - before.atMs < ttlMs;
}
