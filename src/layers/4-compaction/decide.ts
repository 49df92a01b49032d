/** Whether to compact before a request, from what, and why; or why not. */

import type { Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import { type CompactionState, isPaused } from './state.ts';
import type { ThriftDecision } from './thrift.ts';

/** `auto`: the window is filling up; `manual`: the user asked; `reactive`: the provider refused the request as too long. */
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
      /** One line for the user when something is wrong; null when waiting is right. */
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
  /** Whether notes should act before the window is full; otherwise they do not. */
  readonly thrift?: ThriftDecision;
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

/** Notes cost no model call: they only cost the cache, and nothing if it is lost anyway. */
function decideEarly({ state, limits, notes, thrift }: CompactionFacts): CompactionDecision {
  // A conversation that was just compacted has nothing to give yet.
  const mayBeEarly = notes === 'ready' && !state.isFresh && !isPaused(state, limits);
  if (!mayBeEarly || thrift?.kind !== 'compact') return wait('room-left');
  return { kind: 'compact', from: 'notes', reason: thrift.reason === 'pays' ? 'thrift' : 'cache-cold' };
}

function wait(
  reason: Extract<CompactionDecision, { kind: 'wait' }>['reason'],
  problem: string | null = null,
): CompactionDecision {
  return { kind: 'wait', reason, problem };
}
