/**
 * Whether notes should replace a conversation before its window is full, because reading all of it again with every
 * request has become more expensive than writing a short one to the cache.
 *
 * What old context costs beyond what would stay is added up request by request; once it has cost as much as breaking
 * the cache does, the cache is broken. For a conversation that grows steadily that is the cheapest moment, and for any
 * other it costs at most twice what knowing the future would: nobody has to guess how long it will continue.
 */

import type { Window } from '../../conversation/window.ts';
import { ECONOMY_LIMITS, type Limits } from '../../limits.ts';
import type { Economy } from './decide.ts';

/** At `balanced` nothing is summarised below this share of the effective window, or this many tokens of a very large one. */
const BALANCED_SHARE = 0.5;
const BALANCED_MOST_TOKENS = 200_000;
/** Early compaction from notes: how many times its cost must have been paid for reading what it would remove. */
const BALANCED_PATIENCE = 2;
const MAX_PATIENCE = 1;
/** Messages with text that are kept after the notes when they replace a conversation early at `max`. */
const MAX_KEPT_MESSAGES = 1;
/** What would stay after the notes may be this much longer than necessary; beyond that, it waits until `forcedFactor` times more was paid. */
const TAIL_FACTOR = 2;

/** What a token costs, in any one unit. */
export interface ThriftRates {
  /** Repeated in a request. */
  readonly repeated: number;
  /** Put into the cache again, beyond repeating it. */
  readonly rewritten: number;
}

export interface ThriftState {
  /** Paid since the last compaction for reading what it would remove, in the unit of the rates, times a million. */
  readonly paid: number;
}

export const NOTHING_PAID: ThriftState = { paid: 0 };

/** Read from a transcript, if it is what we wrote. */
export function isThriftState(value: unknown): value is ThriftState {
  return typeof value === 'object' && value !== null && 'paid' in value && Number.isFinite(value.paid);
}

export type ThriftDecision =
  | { readonly kind: 'compact'; readonly reason: 'pays' | 'cache-cold' }
  /** It would pay, but notes must be updated first: too much would stay after them. */
  | { readonly kind: 'write-notes'; readonly reason: 'tail-too-long' | 'no-notes' }
  | { readonly kind: 'wait'; readonly reason: 'economy-off' | 'enough-room' | 'little-to-gain' | 'not-yet' };

export interface ThriftFacts {
  readonly economy: Economy;
  readonly state: ThriftState;
  readonly windowTokens: number;
  readonly window: Pick<Window, 'effective'>;
  /** System prompt and tools: they stay in the cache whatever happens. */
  readonly prefixTokens: number;
  /** What would replace the removed messages: notes and carried words. */
  readonly summaryTokens: number;
  /** Tokens of the messages that the notes do not cover and those kept before them; null without notes. Called only when it matters. */
  readonly tailTokens: () => number | null;
  readonly isCacheCold: boolean;
  readonly rates: ThriftRates;
  readonly limits: Pick<Limits, 'economy' | 'compaction'>;
}

/** Call before every request: the state counts each once. */
export function decideThrift(facts: ThriftFacts): { readonly decision: ThriftDecision; readonly state: ThriftState } {
  const { economy, windowTokens, prefixTokens, rates } = facts;
  const { economy: limits, compaction } = facts.limits;
  if (economy === 'off') return { decision: wait('economy-off'), state: facts.state };
  const { keptTokens } = thriftyCompaction(economy, facts.limits);
  const staysTokens = prefixTokens + facts.summaryTokens + keptTokens;
  const state = { paid: facts.state.paid + Math.max(0, windowTokens - staysTokens) * rates.repeated };
  const answer = (decision: ThriftDecision) => ({ decision, state });
  if (windowTokens <= staysTokens * limits.leastShrink) return answer(wait('little-to-gain'));
  if (economy === 'balanced' && windowTokens < balancedFrom(facts.window)) return answer(wait('enough-room'));
  if (facts.isCacheCold) {
    const isLarge = economy === 'balanced' || windowTokens > compaction.coldTokens;
    if (!isLarge || facts.tailTokens() === null) return answer(wait('little-to-gain'));
    return answer({ kind: 'compact', reason: 'cache-cold' });
  }
  const patience = economy === 'max' ? MAX_PATIENCE : BALANCED_PATIENCE;
  const rewriting = (tokens: number) => tokens * rates.rewritten * patience;
  if (state.paid < rewriting(staysTokens - prefixTokens)) return answer(wait('not-yet'));
  const tailTokens = facts.tailTokens();
  if (tailTokens === null) return answer({ kind: 'write-notes', reason: 'no-notes' });
  const isShort = tailTokens <= keptTokens * TAIL_FACTOR;
  const isWorthIt = state.paid >= rewriting(facts.summaryTokens + tailTokens) * limits.forcedFactor;
  return answer(
    isShort || isWorthIt ? { kind: 'compact', reason: 'pays' } : { kind: 'write-notes', reason: 'tail-too-long' },
  );
}

/** The number of tokens from which on notes may replace a conversation at `balanced`. */
function balancedFrom({ effective }: Pick<Window, 'effective'>): number {
  return Math.min(effective * BALANCED_SHARE, BALANCED_MOST_TOKENS);
}

/** What an early compaction keeps: at `max` less than a necessary one, since it comes more often and the notes are fresher. */
export function thriftyCompaction(economy: Economy, { compaction }: Pick<Limits, 'compaction'>): Limits['compaction'] {
  if (economy !== 'max') return compaction;
  return {
    ...compaction,
    keptTokens: Math.min(compaction.keptTokens, ECONOMY_LIMITS.maxKeptTokens),
    keptMessages: Math.min(compaction.keptMessages, MAX_KEPT_MESSAGES),
  };
}

function wait(reason: Extract<ThriftDecision, { kind: 'wait' }>['reason']): ThriftDecision {
  return { kind: 'wait', reason };
}
