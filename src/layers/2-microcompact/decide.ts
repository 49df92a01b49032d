/** Whether to clear results, and which: because the cache is lost anyway, or because the window needs room and it pays. */

import type { Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import type { CacheTtl, ModelCapabilities } from '../../model/model.ts';
import { type ClearingRates, type ClearingSums, sumsOf } from './price.ts';

/** Below this share of the compaction point, or this many tokens, too little is saved to risk that a result is read again. */
const EARLY_SHARE = 0.25;
const EARLY_MOST_TOKENS = 50_000;
/** Share of the window that clearing must free, so that it is not needed again at once. */
const RELIEF_SHARE = 0.2;

export type Economy = 'off' | 'balanced' | 'max';

export type ClearingDecision =
  | {
      readonly kind: 'clear';
      readonly reason: 'idle' | 'pays' | 'many-results';
      readonly toolUseIds: readonly string[];
      readonly freedTokens: number;
      readonly sums: ClearingSums | null;
    }
  | { readonly kind: 'wait'; readonly reason: WaitReason; readonly sums: ClearingSums | null };

export type WaitReason =
  | 'off' // a switch says so, or three failures
  | 'no-answer-yet'
  | 'not-idle'
  | 'few-results'
  | 'server-clears'
  | 'enough-room'
  | 'nothing-to-clear'
  | 'too-little' // the window would be full again at once
  | 'does-not-pay';

/** A result that may be cleared; results that must stay are not among them. */
export interface Candidate {
  readonly id: string;
  readonly freedTokens: number;
  /** Estimated tokens of the conversation from the result's message on: what is written again when it changes. */
  readonly tokensFromHere: number;
  /** A later result shows the same. */
  readonly isSuperseded: boolean;
}

export function wait(reason: WaitReason, sums: ClearingSums | null = null): ClearingDecision {
  return { kind: 'wait', reason, sums };
}

export function isCacheLost(
  idleMs: number | null,
  facts: { readonly cacheTtl: CacheTtl; readonly limits: Limits['microcompact'] },
): boolean {
  const { hourIdleMinutes, shortIdleMinutes } = facts.limits;
  const minutes = facts.cacheTtl === '1h' ? hourIdleMinutes : shortIdleMinutes;
  return idleMs !== null && idleMs > minutes * 60_000;
}

/** `candidates` is only called when there is reason to: finding them is the work. */
export function decideByTime(facts: {
  readonly idleMs: number | null;
  readonly cacheTtl: CacheTtl;
  readonly candidates: () => readonly Candidate[];
  readonly limits: Limits['microcompact'];
}): ClearingDecision {
  if (facts.idleMs === null) return wait('no-answer-yet');
  if (!isCacheLost(facts.idleMs, facts)) return wait('not-idle');
  const cleared = facts.candidates().filter(({ freedTokens }) => freedTokens > 0);
  if (cleared.length === 0) return wait('nothing-to-clear');
  return {
    kind: 'clear',
    reason: 'idle',
    toolUseIds: cleared.map(({ id }) => id),
    freedTokens: sumFreed(cleared),
    sums: null,
  };
}

/** The number of tokens above which clearing is considered: without economy once the window is full, else as soon as it pays. */
export function clearFrom(economy: Economy, { compactAt }: Pick<Window, 'compactAt'>): number {
  return economy === 'off' ? compactAt : Math.min(Math.floor(compactAt * EARLY_SHARE), EARLY_MOST_TOKENS);
}

/** A conversation is expected to go on for as long as it has lasted, within bounds: what is freed may be summarised before that. */
export function expectedRequestsOf(requests: number, limits: Limits['microcompact']): number {
  return Math.min(limits.mostExpectedRequests, Math.max(limits.leastExpectedRequests, requests));
}

export interface ClearingFacts {
  readonly windowTokens: number;
  /** See `clearFrom`. */
  readonly clearFromTokens: number;
  readonly compactAt: number;
  /** Results were cleared that no response has counted yet: unless the window is full, that is enough for one request. */
  readonly hasJustCleared: boolean;
  /** Oldest first. */
  readonly candidates: () => readonly Candidate[];
  readonly promptCache: ModelCapabilities['promptCache'];
  /** Then nothing is broken. */
  readonly isCacheLost: boolean;
  readonly rates: ClearingRates;
  readonly expectedRequests: number;
}

/**
 * The smallest batch, worthless results first and then the oldest, that both pays for the cache it breaks and leaves
 * enough room not to be needed again at once. If there is none, nothing is cleared: the next layer does it better.
 */
export function decideClearing(facts: ClearingFacts): ClearingDecision {
  const { windowTokens, clearFromTokens } = facts;
  if (windowTokens < clearFromTokens) return wait('enough-room');
  if (facts.hasJustCleared && windowTokens < facts.compactAt) return wait('enough-room');
  const candidates = inOrder(facts.candidates());
  if (candidates.length === 0) return wait('nothing-to-clear');

  const roomyTokens = Math.min(windowTokens, facts.compactAt) * (1 - RELIEF_SHARE);
  let [freedTokens, tokensFromFirst] = [0, 0];
  for (const [at, candidate] of candidates.entries()) {
    freedTokens += candidate.freedTokens;
    tokensFromFirst = Math.max(tokensFromFirst, candidate.tokensFromHere);
    if (windowTokens - freedTokens > roomyTokens) continue;
    const sums = sumsWith(facts, { freedTokens, tokensFromFirst });
    if (sums.gain < sums.cost) continue;
    const toolUseIds = candidates.slice(0, at + 1).map(({ id }) => id);
    return { kind: 'clear', reason: 'pays', toolUseIds, freedTokens, sums };
  }
  const isRoomy = windowTokens - freedTokens <= roomyTokens;
  return wait(isRoomy ? 'does-not-pay' : 'too-little', sumsWith(facts, { freedTokens, tokensFromFirst }));
}

interface Batch {
  readonly freedTokens: number;
  readonly tokensFromFirst: number;
}

function sumsWith(facts: ClearingFacts, batch: Batch): ClearingSums {
  const { expectedRequests, rates } = facts;
  const { freedTokens } = batch;
  return sumsOf({ freedTokens, rewrittenTokens: rewritten(facts, batch), expectedRequests, rates });
}

function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  const worth = candidates.filter(({ freedTokens }) => freedTokens > 0);
  return [...worth.filter(({ isSuperseded }) => isSuperseded), ...worth.filter(({ isSuperseded }) => !isSuperseded)];
}

/**
 * An automatic cache keeps what comes before the first change. One with breakpoints has none there: the server looks
 * back over a few blocks only, so the whole prompt counts.
 */
function rewritten(facts: ClearingFacts, batch: Batch): number {
  if (facts.isCacheLost) return 0;
  switch (facts.promptCache) {
    case 'none':
      return 0;
    case 'automatic':
      return Math.max(0, batch.tokensFromFirst - batch.freedTokens);
    case 'breakpoints':
      return Math.max(0, facts.windowTokens - batch.freedTokens);
  }
}

function sumFreed(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { freedTokens }) => sum + freedTokens, 0);
}
