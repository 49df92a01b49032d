/**
 * Layer 2, microcompaction: old tool results leave the context; no summary, no model call.
 *
 * When      before every request: by time when the cache is lost anyway, by the provider if it can, else when the
 *           window needs room and the sums say that it pays.
 * Cost      well below a millisecond; a cleared batch breaks the cache once, deliberately and announced.
 * Prevents  compaction.
 * On error  the messages go out as they last were; after three failures in a row nothing new is cleared in this session.
 */

import { createBreaker } from '../../base/async/breaker.ts';
import type { Message } from '../../conversation/message.ts';
import { totalTokens } from '../../conversation/tokens.ts';
import { contextEditsOf, withoutOldThinking } from './context-edits.ts';
import { type ClearingDecision, clearFrom, decideByTime, decideClearing, isCacheLost, wait } from './decide.ts';
import {
  type Answered,
  effectiveEdits,
  type Mechanism,
  type MicrocompactEvent,
  type MicrocompactPorts,
  type PreparedRequest,
  type RequestFacts,
} from './ports.ts';
import { ratesOf } from './price.ts';
import { createClearings } from './run.ts';
import { EMPTY_STATE, type MicrocompactState } from './state.ts';

export { CLEARED_TEXT, isClearable } from './clearable.ts';
export { type ClearingDecision, decideClearing, type Economy, expectedRequestsOf } from './decide.ts';
export type { MicrocompactEvent, MicrocompactPorts, PreparedRequest, RequestFacts } from './ports.ts';
export { type MicrocompactState, readMicrocompactState } from './state.ts';

export interface Microcompact {
  /** What is sent instead of the conversation's messages. Never throws. */
  prepare(facts: RequestFacts): PreparedRequest;
  /** Call after each response: its usage counts what was freed, and it says what the server cleared. */
  /** True when the API reports a clearing that it had not reported before. */
  answered(response: Answered): boolean;
  /** Call when the conversation was replaced: latches open, and only what is still there is remembered. */
  compacted(messages: readonly Message[]): void;
  state(): MicrocompactState;
  /** How much longer each request would be without this layer. */
  savedTokens(): number;
  /** For a fork: starts from the same view, then goes its own way; `ports` replace the parent's where given. */
  clone(ports?: Partial<MicrocompactPorts>): Microcompact;
}

interface Outcome {
  readonly decision: ClearingDecision;
  readonly event?: MicrocompactEvent;
}

export function createMicrocompact(ports: MicrocompactPorts, resumed: MicrocompactState = EMPTY_STATE): Microcompact {
  const limits = ports.limits.microcompact;
  const clearings = createClearings({ ...ports, announceBreak }, resumed);
  let announced = '';
  let lastApplied = '';
  const breaker = createBreaker({ limit: limits.failures, onTrip: (trip) => ports.onPaused?.(trip) });

  /** Results and thinking may be cleared for one reason at one time. */
  function announceBreak(reason: string): void {
    if (reason === announced) return;
    announced = reason;
    ports.announceBreak(reason);
  }

  const economy = () => ports.economy?.() ?? 'balanced';
  const isOn = (mechanism: Mechanism) =>
    !breaker.isPaused() &&
    (ports.isOn?.('microcompact') ?? true) &&
    (ports.isOn?.(mechanism) ?? mechanism !== 'cache-edits');
  const isLost = ({ idleMs, cacheTtl }: RequestFacts) => isCacheLost(idleMs, { cacheTtl, limits });
  const ratesAt = (promptTokens: number, { capabilities: { promptCache }, cacheTtl }: RequestFacts) =>
    ratesOf({ price: ports.price(), promptTokens, promptCache, cacheTtl });

  /** Part of every request, so it changes only when the cache is lost anyway. */
  function latchEdits(facts: RequestFacts): void {
    if (!facts.capabilities.contextEdits) return;
    if (clearings.contextEdits() === null) clearings.latch(firstEdits(facts));
    if (!isLost(facts) || !isOn('time-clearing')) return;
    const without = withoutOldThinking(clearings.contextEdits() ?? [], limits);
    if (without === null) return;
    announceBreak('microcompaction by time');
    clearings.latch(without);
  }

  function firstEdits(facts: RequestFacts) {
    if (!isOn('api-clearing')) return [];
    const rates = ratesAt(facts.window.compactAt, facts);
    return contextEditsOf({
      ...facts,
      rates,
      toolNames: ports.toolNames(),
      economy: economy(),
      limits: ports.limits,
    });
  }

  /** The first mechanism that can act does; at most one of them changes a request. */
  function act(facts: RequestFacts, hasApiClearing: boolean): Outcome {
    if (isOn('time-clearing')) {
      const decision = decideByTime({ ...facts, candidates: () => clearings.candidates('deleted'), limits });
      if (decision.kind === 'clear') return { decision, event: clearings.clear(decision, 'time') };
    }
    if (facts.capabilities.cacheEdits === true && isOn('cache-edits')) return editCache();
    if (hasApiClearing) return { decision: wait('server-clears') };
    return isOn('priced-clearing') ? clearByNeed(facts) : { decision: wait('off') };
  }

  function editCache(): Outcome {
    const decision = clearings.decideCacheEdit();
    if (decision.kind === 'wait') return { decision: wait(decision.reason) };
    const event = clearings.pin(decision);
    const { toolUseIds, freedTokens } = event;
    return { decision: { kind: 'clear', reason: 'many-results', toolUseIds, freedTokens, sums: null }, event };
  }

  function clearByNeed(facts: RequestFacts): Outcome {
    const windowTokens = windowOf(facts);
    const decision = decideClearing({
      windowTokens,
      clearFromTokens: clearFrom(economy(), facts.window),
      compactAt: facts.window.compactAt,
      hasJustCleared: clearings.uncountedTokens() > 0,
      candidates: () => clearings.candidates('live'),
      promptCache: facts.capabilities.promptCache,
      isCacheLost: isLost(facts),
      rates: ratesAt(windowTokens, facts),
      expectedRequests: Math.max(0, facts.expectedRequests),
    });
    return decision.kind === 'clear' ? { decision, event: clearings.clear(decision, 'need') } : { decision };
  }

  function windowOf({ windowTokens }: RequestFacts): number {
    return Math.max(0, windowTokens - clearings.uncountedTokens());
  }

  function guarded<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      ports.onProblem?.(`microcompaction: ${String(error)}`);
      breaker.failed(String(error));
      return otherwise;
    }
  }

  return {
    prepare(facts) {
      announced = '';
      clearings.follow(facts.messages);
      guarded(() => latchEdits(facts), undefined);
      const edits = (facts.capabilities.contextEdits ? clearings.contextEdits() : null) ?? [];
      const outcome = guarded<Outcome>(() => act(facts, edits.length > 0), { decision: wait('off') });
      if (outcome.event !== undefined) breaker.succeeded();
      const pinned = facts.capabilities.cacheEdits === true ? clearings.pinnedEdits() : [];
      return {
        messages: clearings.view(),
        ...(edits.length > 0 ? { contextEdits: edits } : {}),
        ...(pinned.length > 0 ? { cacheEdits: pinned } : {}),
        windowTokens: windowOf(facts),
        ...outcome,
      };
    },
    answered({ usage, appliedEdits }) {
      return guarded(() => {
        if (totalTokens(usage) > 0) clearings.counted();
        const applied = effectiveEdits(appliedEdits);
        const text = JSON.stringify(applied);
        const isNew = applied.length > 0 && text !== lastApplied;
        lastApplied = text;
        if (isNew) ports.onApplied(applied);
        return isNew;
      }, false);
    },
    compacted: (messages) => guarded(() => clearings.compacted(messages), undefined),
    state: clearings.state,
    savedTokens: clearings.savedTokens,
    clone: (other) => createMicrocompact({ ...ports, ...other }, clearings.state()),
  };
}
