/** What a result that has come does to the session: an idle one wakes, and a turn that waits for it goes on. */

import type { SessionContext } from '../../toolbox/session-context.ts';
import type { AgentOptions } from '../agent.ts';
import type { AgentTurns } from '../turns.ts';
import type { AgentChildren } from './open-children.ts';

/** Called when a result is queued and when a turn has ended; results that come together are told together. */
export function wakening(
  { onWake, onShutdown }: Pick<AgentOptions, 'onWake' | 'onShutdown'>,
  facts: {
    readonly children: Pick<AgentChildren, 'hasQueued' | 'isLeaving'>;
    readonly turns: () => Pick<AgentTurns, 'isIdle' | 'wake'>;
  },
): () => void {
  if (onWake === undefined && onShutdown === undefined) return () => {};
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      const { isIdle, wake } = facts.turns();
      if (!isIdle()) return;
      if (facts.children.isLeaving()) onShutdown?.();
      else if (facts.children.hasQueued()) onWake?.(wake);
    });
  };
}

/** Waiting costs no request; it ends with the time that all waits of the session have together. */
export function awaiting(
  { awaitsAgents }: Pick<AgentOptions, 'awaitsAgents'>,
  {
    children,
    place,
    tell,
  }: { readonly children: Pick<AgentChildren, 'next'> } & Pick<SessionContext, 'place' | 'tell'>,
): (signal: AbortSignal) => Promise<boolean> {
  let leftMs = place.limits.agents.printWaitMs;
  return async (signal) => {
    if (awaitsAgents !== true) return false;
    const fromMs = performance.now();
    const enough = AbortSignal.timeout(Math.max(0, Math.ceil(leftMs)));
    const hasMore = await children.next(AbortSignal.any([signal, enough]));
    leftMs -= performance.now() - fromMs;
    if (!hasMore && enough.aborted)
      tell('Agents in the background take too long: they end with this turn, unfinished.');
    return hasMore;
  };
}
