/**
 * Whether notes should replace a conversation before its window is full, because reading all of it again with every
 * request has become dearer than writing a short one to the cache.
 *
 * What old context costs beyond what would stay is added up request by request; once it has cost as much as breaking
 * the cache does, the cache is broken. For a conversation that grows steadily that is the cheapest moment there is, and
 * for any other it costs at most twice what knowing the future would: nobody has to guess how long it will go on.
 */

import type { Limits } from '../../limits.ts';
import type { Economy } from './decide.ts';

/** What a token costs, in any one unit. */
export interface ThriftRates {
  /** Repeated in a request. */
  readonly repeated: number;
  /** Had in the cache again, beyond repeating it. */
  readonly rewritten: number;
}

export interface ThriftState {
  /** Paid since the last compaction for reading what it would take out, in the unit of the rates, times a million. */
  readonly paid: number;
}

export const NOTHING_PAID: ThriftState = { paid: 0 };

/** What a transcript says, if it is what we wrote. */
export function isThriftState(value: unknown): value is ThriftState {
  return typeof value === 'object' && value !== null && 'paid' in value && Number.isFinite(value.paid);
}

export type ThriftDecision =
  | { readonly kind: 'compact'; readonly reason: 'pays' | 'cache-cold' }
  /** It would pay, but notes must be brought up to date first: too much would stay behind them. */
  | { readonly kind: 'write-notes'; readonly reason: 'tail-too-long' | 'no-notes' }
  | { readonly kind: 'wait'; readonly reason: 'economy-off' | 'little-to-gain' | 'not-yet' };

export interface ThriftFacts {
  readonly economy: Economy;
  readonly state: ThriftState;
  readonly windowTokens: number;
  /** System prompt and tools: they stay in the cache whatever happens. */
  readonly prefixTokens: number;
  /** What would take the place of the messages that go: notes and carried words. */
  readonly summaryTokens: number;
  /** Of the messages that the notes do not cover and those kept before them; null without notes. Asked only when it matters. */
  readonly tailTokens: () => number | null;
  readonly isCacheCold: boolean;
  readonly rates: ThriftRates;
  readonly limits: Pick<Limits, 'economy' | 'compaction'>;
}

/** To be asked before every request: the state counts each once. */
export function decideThrift(facts: ThriftFacts): { readonly decision: ThriftDecision; readonly state: ThriftState } {
  const { economy, windowTokens, prefixTokens, rates } = facts;
  const { economy: limits, compaction } = facts.limits;
  if (economy === 'off') return { decision: wait('economy-off'), state: facts.state };
  const { keptTokens } = thriftyCompaction(economy, facts.limits);
  const staysTokens = prefixTokens + facts.summaryTokens + keptTokens;
  const state = { paid: facts.state.paid + Math.max(0, windowTokens - staysTokens) * rates.repeated };
  const answer = (decision: ThriftDecision) => ({ decision, state });
  if (windowTokens <= staysTokens * limits.leastShrink) return answer(wait('little-to-gain'));
  if (facts.isCacheCold) {
    const coldTokens = compaction.coldTokens * (economy === 'max' ? compaction.eagerShare : 1);
    if (windowTokens <= coldTokens || facts.tailTokens() === null) return answer(wait('little-to-gain'));
    return answer({ kind: 'compact', reason: 'cache-cold' });
  }
  const patience = economy === 'max' ? limits.maxPatience : limits.balancedPatience;
  const rewriting = (tokens: number) => tokens * rates.rewritten * patience;
  if (state.paid < rewriting(staysTokens - prefixTokens)) return answer(wait('not-yet'));
  const tailTokens = facts.tailTokens();
  if (tailTokens === null) return answer({ kind: 'write-notes', reason: 'no-notes' });
  const isShort = tailTokens <= keptTokens * limits.tailFactor;
  const isWorthIt = state.paid >= rewriting(facts.summaryTokens + tailTokens) * limits.forcedFactor;
  return answer(
    isShort || isWorthIt ? { kind: 'compact', reason: 'pays' } : { kind: 'write-notes', reason: 'tail-too-long' },
  );
}

/** What an early compaction keeps: less than one that must be, since it comes more often and the notes are fresher. */
export function thriftyCompaction(
  economy: Economy,
  limits: Pick<Limits, 'economy' | 'compaction'>,
): Limits['compaction'] {
  const { economy: early, compaction } = limits;
  if (economy === 'off') return compaction;
  const keptTokens = economy === 'max' ? Math.min(compaction.keptTokens, early.maxKeptTokens) : compaction.keptTokens;
  return { ...compaction, keptTokens, keptMessages: Math.min(compaction.keptMessages, early.keptMessages) };
}

function wait(reason: Extract<ThriftDecision, { kind: 'wait' }>['reason']): ThriftDecision {
  return { kind: 'wait', reason };
}
