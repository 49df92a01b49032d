/**
 * Collapse: shows each finished round of work as a line; no model call.
 *
 * When      before a request that would fill nine tenths of the effective window, and when a provider refuses one as too long.
 * Cost      well below a millisecond; a folded batch breaks the cache once, announced.
 * Prevents  compaction, which does not start by itself while this is on.
 * On error  the messages go out as they last were; after three failures in a row compaction makes room instead.
 */

import { createBreaker, type Trip } from '../../base/async/breaker.ts';
import type { Message } from '../../conversation/message.ts';
import type { Limits } from '../../limits.ts';
import { type CollapseDecision, decideCollapse } from './decide.ts';
import { roundsOf } from './fold.ts';
import { type CollapseState, EMPTY_COLLAPSE, type Fold, isUntouched } from './state.ts';
import { createFoldedView } from './view.ts';

export { type CollapseDecision, decideCollapse } from './decide.ts';
export { type CollapseState, type Fold, isUntouched, readCollapseState } from './state.ts';

export interface CollapsePorts {
  isOn(): boolean;
  announceBreak(reason: string): void;
  onState(state: CollapseState): void;
  /** Rounds were folded. */
  onFolded?(folded: { readonly folds: number; readonly freedTokens: number }): void;
  onProblem?(line: string): void;
  /** After this many failures in a row nothing new is folded. */
  onPaused?(trip: Trip): void;
  readonly limits: Limits['collapse'];
}

export interface CollapseFacts {
  readonly messages: readonly Message[];
  /** As counted, still including what was folded since the last count. */
  readonly windowTokens: number;
  readonly effectiveTokens: number;
}

export interface Collapsed {
  readonly messages: readonly Message[];
  readonly windowTokens: number;
  readonly decision: CollapseDecision;
}

export interface Collapse {
  /** What is sent instead of these messages. Never throws. */
  prepare(facts: CollapseFacts): Collapsed;
  /** Call after each response that counted the window. */
  counted(): void;
  /** Call when the conversation was replaced: only folds of what is still there are remembered. */
  compacted(messages: readonly Message[]): void;
  /** Shows a round whole again, or all of them, for good; returns how many. */
  unfold(id: string): number;
  state(): CollapseState;
  /** How much longer each request would be without this layer. */
  savedTokens(): number;
  /** It failed too often in this session, and others have to make room. */
  isPaused(): boolean;
  /** For a fork: starts from the same view, then goes its own way. */
  clone(ports: Partial<CollapsePorts>): Collapse;
}

export function createCollapse(ports: CollapsePorts, resumed: CollapseState = EMPTY_COLLAPSE): Collapse {
  let state = resumed;
  let view = createFoldedView(state.folds);
  const breaker = createBreaker({ limit: ports.limits.failures, onTrip: (trip) => ports.onPaused?.(trip) });

  function become(next: CollapseState): void {
    if (next.folds !== state.folds) view = createFoldedView(next.folds);
    state = next;
    ports.onState(state);
  }

  function decide(facts: CollapseFacts): CollapseDecision {
    if (breaker.isPaused()) return { kind: 'wait', reason: 'failed-too-often' };
    const windowTokens = Math.max(0, facts.windowTokens - state.uncountedTokens);
    return decideCollapse({ ...facts, windowTokens, isOn: ports.isOn(), state });
  }

  function carryOut(decision: CollapseDecision): void {
    if (decision.kind === 'wait') return;
    ports.announceBreak('collapse');
    const uncountedTokens = state.uncountedTokens + decision.freedTokens;
    become({ ...state, folds: [...state.folds, ...decision.folds], uncountedTokens });
    ports.onFolded?.({ folds: decision.folds.length, freedTokens: decision.freedTokens });
  }

  return {
    prepare(facts) {
      let decision: CollapseDecision = { kind: 'wait', reason: 'off' };
      try {
        decision = decide(facts);
        carryOut(decision);
        if (decision.kind === 'fold') breaker.succeeded();
      } catch (error) {
        ports.onProblem?.(`collapse: ${String(error)}`);
        breaker.failed(String(error));
      }
      const windowTokens = Math.max(0, facts.windowTokens - state.uncountedTokens);
      return { messages: view.of(facts.messages), windowTokens, decision };
    },
    counted() {
      if (state.uncountedTokens !== 0) become({ ...state, uncountedTokens: 0 });
    },
    compacted(messages) {
      if (isUntouched(state)) return;
      const there = new Set(roundsOf(messages).map(({ id }) => id));
      const folds = state.folds.filter(({ id }) => there.has(id));
      const unfolded = state.unfolded.filter((id) => there.has(id));
      // Nothing of the new conversation was counted yet: what is folded in it is estimated as if it were there.
      become({ folds, unfolded, uncountedTokens: freedBy(folds) });
    },
    unfold(id) {
      const opened = state.folds.filter((fold) => id === 'all' || fold.id === id);
      if (opened.length === 0) return 0;
      ports.announceBreak('unfolding');
      become({
        folds: state.folds.filter((fold) => !opened.includes(fold)),
        unfolded: [...state.unfolded, ...opened.map((fold) => fold.id)],
        uncountedTokens: state.uncountedTokens - freedBy(opened),
      });
      return opened.length;
    },
    state: () => state,
    savedTokens: () => freedBy(state.folds),
    isPaused: breaker.isPaused,
    clone: (other) => createCollapse({ ...ports, ...other }, state),
  };
}

function freedBy(folds: readonly Fold[]): number {
  return folds.reduce((total, { freedTokens }) => total + freedTokens, 0);
}
