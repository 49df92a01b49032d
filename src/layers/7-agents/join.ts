/** The agents of one session, as one tree: who runs, stopping one, and a seat in it for each conversation. */

import { createBudget } from './budget.ts';
import type { AgentTree, TreePorts } from './ports.ts';
import { createPost } from './post.ts';
import { openSeat } from './seat.ts';
import { createSiblingGate } from './siblings.ts';
import type { Revive, RunningAgent, TreeCore } from './start.ts';
import { createRegistry } from './tree.ts';

export function openAgentTree<Parent>(ports: TreePorts<Parent>): AgentTree<Parent> {
  const { limits, found, allTools } = ports;
  const budget = createBudget(limits);
  const running = new Map<string, RunningAgent>();
  const finished = new Map<string, Revive>();
  const post = createPost({
    ...{ now: ports.now, storeLong: ports.storeLong, onMessage: ports.onMessage, outside: ports.outside },
    ...{ ...ports.mail, isClosing: () => isClosed },
    revive: (to, prompt) => finished.get(registry.find(to) ?? '')?.(prompt) ?? null,
  });
  const registry = createRegistry({ limits, budget, found, allTools, taken: post.names });
  let isClosed = false;
  const core: TreeCore<Parent> = {
    ...{ ports, budget, registry, running, post, finished, isClosed: () => isClosed },
    gate: createSiblingGate({ waitMs: limits.siblingWaitMs }),
  };
  const runningNamed = (word: string) => running.get(registry.find(word) ?? '');

  return {
    seat: (facts) => openSeat(core, facts),
    views: registry.views,
    stop(word) {
      const each = runningNamed(word);
      each?.abort.abort();
      return each !== undefined;
    },
    moveToBackground(word) {
      const move = runningNamed(word)?.moveToBackground ?? null;
      move?.();
      return move !== null;
    },
    send: post.send,
    messages: post.recent,
    async close() {
      isClosed = true;
      const all = [...running.values()];
      for (const { abort } of all) abort.abort();
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
}
