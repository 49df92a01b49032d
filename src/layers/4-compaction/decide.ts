/** Whether to compact before a request, from what, and why; or why not. */

import type { Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import { type CompactionState, isPaused } from './state.ts';

/** `auto`: the window fills; `manual`: the user asked; `reactive`: the provider refused the request as too long. */
export type CompactionTrigger = 'auto' | 'manual' | 'reactive';

export type Economy = 'off' | 'balanced' | 'max';

export type CompactionDecision =
  | {
      readonly kind: 'compact';
      readonly from: 'notes' | 'model';
      readonly reason: 'window-full' | 'asked' | 'too-long' | 'cache-cold' | 'thrift';
    }
  | {
      readonly kind: 'wait';
      readonly reason: 'fork' | 'off' | 'room-left' | 'failed-too-often' | 'fills-at-once';
      /** One line for the user where something is wrong; null where waiting is as it should be. */
      readonly problem: string | null;
    };

export interface CompactionFacts {
  readonly windowTokens: number;
  readonly window: Window;
  readonly trigger: CompactionTrigger;
  /** As `stateAtLook` left it. */
  readonly state: CompactionState;
  readonly isFork: boolean;
  readonly enabled: boolean;
  /** Whether the session's notes hold more than their template. */
  readonly notes: 'ready' | 'none';
  /** Idle for longer than the cache lives: rewriting the prefix costs nothing. */
  readonly isCacheCold?: boolean;
  readonly economy?: Economy;
  readonly limits: Limits['compaction'];
}

export function decideCompaction(facts: CompactionFacts): CompactionDecision {
  const { trigger, state, limits, window, windowTokens } = facts;
  if (facts.isFork) return wait('fork');
  if (trigger === 'manual') return { kind: 'compact', from: 'model', reason: 'asked' };
  if (!facts.enabled) return wait('off');
  if (state.refills >= limits.refills) {
    return wait(
      'fills-at-once',
      `The window was full again right after each of the last ${limits.refills} compactions, so that no more are made: something large is read again each time. Use /compact with what to leave out, or /clear.`,
    );
  }
  const from = facts.notes === 'ready' ? 'notes' : 'model';
  if (trigger === 'reactive') return { kind: 'compact', from, reason: 'too-long' };
  if (windowTokens >= window.compactAt) {
    if (!isPaused(state, limits)) return { kind: 'compact', from, reason: 'window-full' };
    return wait(
      'failed-too-often',
      `Compaction failed ${limits.failures} times in a row and is off for this session. Use /compact to try again, or /clear.`,
    );
  }
  return decideEarly(facts);
}

/** Notes cost no model call: where the cache is lost anyway they also cost no cache. */
function decideEarly(facts: CompactionFacts): CompactionDecision {
  const { state, limits, window, windowTokens, economy = 'balanced' } = facts;
  // A conversation that was just compacted has nothing to give yet.
  const mayBeEarly = facts.notes === 'ready' && economy !== 'off' && !state.isFresh && !isPaused(state, limits);
  if (!mayBeEarly) return wait('room-left');
  const coldTokens = economy === 'max' ? limits.coldTokens * limits.eagerShare : limits.coldTokens;
  if (facts.isCacheCold === true && windowTokens > coldTokens) {
    return { kind: 'compact', from: 'notes', reason: 'cache-cold' };
  }
  if (economy === 'max' && windowTokens >= window.warnAt) return { kind: 'compact', from: 'notes', reason: 'thrift' };
  return wait('room-left');
}

function wait(
  reason: Extract<CompactionDecision, { kind: 'wait' }>['reason'],
  problem: string | null = null,
): CompactionDecision {
  return { kind: 'wait', reason, problem };
}
