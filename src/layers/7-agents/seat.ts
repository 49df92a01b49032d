/** One conversation's place among the agents: the tool it starts them with, and the way of their results back to it. */

import type { Tool, ToolResult } from '../../agent/tool.ts';
import { toolUsesOf } from '../../conversation/message.ts';
import { AGENT_TOOL, AGENT_TOOL_SCHEMA, agentToolText, backgroundText, movedText, wishOf } from './agent-tool.ts';
import type { Seat, SeatFacts } from './ports.ts';
import { createResults, resultText } from './results.ts';
import { sendTool } from './send-tool.ts';
import { type RunningAgent, type Starting, startAgent, type TreeCore } from './start.ts';
import type { SpawnWish } from './tree.ts';

export function openSeat<Parent>(core: TreeCore<Parent>, facts: SeatFacts<Parent>): Seat {
  const { ports, running } = core;
  const seat = Symbol();
  const waiting = new Set<() => void>();
  /** Calls whose message is not in the conversation yet. */
  const unsaid = new Map<string, () => void>();
  const wake = () => {
    for (const each of [...waiting]) each();
  };
  const results = createResults({
    ...{ record: facts.record, now: ports.now },
    onQueued() {
      wake();
      if (!isResuming) facts.onQueued?.();
    },
  });
  /** What was left behind waits for the user's next word. */
  let isResuming = false;
  const own = () => [...running.values()].filter((each) => each.seat === seat);

  let isClosed = false;
  const box = core.post.join(facts.name, () => {
    wake();
    facts.onQueued?.();
  });
  const hasQueued = () => results.hasQueued() || box.hasQueued();

  function start(wish: SpawnWish, how: Pick<Starting<Parent>, 'toolUseId' | 'startedBy' | 'isDelivered'>) {
    return startAgent(core, wish, { seat, facts, results, onEnded: wake, isOpen: () => !isClosed, ...how });
  }

  /** A fork carries the message that asks for it, which is still being said when its call starts. */
  function untilSaid(toolUseId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        unsaid.delete(toolUseId);
        signal.removeEventListener('abort', go);
        resolve();
      };
      unsaid.set(toolUseId, go);
      signal.addEventListener('abort', go, { once: true });
      if (signal.aborted) go();
    });
  }

  async function waitFor(each: RunningAgent, signal: AbortSignal): Promise<ToolResult> {
    const moved = new Promise<null>((resolve) => {
      each.moveToBackground = () => resolve(null);
    });
    const timer = setTimeout(() => each.moveToBackground?.(), ports.limits.foregroundMs);
    const stop = () => each.abort.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const result = await Promise.race([each.done, moved]);
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    each.moveToBackground = null;
    if (result === null) {
      each.isBackground = true;
      results.movedToBackground(each.id);
      return { content: movedText(each.name) };
    }
    const isError = result.state === 'failed' || result.state === 'stopped';
    return { content: resultText(result), ...(isError ? { isError } : {}) };
  }

  const tool: Tool = {
    name: AGENT_TOOL,
    description: agentToolText(ports.found().definitions),
    inputSchema: AGENT_TOOL_SCHEMA,
    // What an agent does is asked about as it does it; and several run side by side.
    isReadOnly: () => true,
    async run(input, { signal, toolUseId }) {
      const wish = wishOf(input);
      if (wish.isFork) await untilSaid(toolUseId, signal);
      const started = start(wish, {
        ...{ toolUseId: wish.isBackground ? null : toolUseId, startedBy: toolUseId, isDelivered: true },
      });
      if ('refused' in started) {
        results.refused(toolUseId);
        return { content: started.refused, isError: true };
      }
      return wish.isBackground ? { content: backgroundText(started.name) } : waitFor(started, signal);
    },
  };

  return {
    tools: [tool, sendTool(facts.name, core.post.send)],
    box,
    spawn: (wish, { isDelivered = false } = {}) => start(wish, { toolUseId: null, startedBy: null, isDelivered }),
    resume(undelivered) {
      isResuming = true;
      for (const result of undelivered) results.ended(result);
      isResuming = false;
    },
    offered: () => [...results.offered(), ...box.offered()],
    entered(entry) {
      results.entered(entry);
      box.entered(entry);
      if (unsaid.size === 0 || entry.message.role !== 'assistant') return;
      for (const { id } of toolUsesOf(entry.message.content)) unsaid.get(id)?.();
    },
    hasQueued,
    async next(signal) {
      while (!hasQueued() || box.isLeaving()) {
        if (signal.aborted || box.isLeaving() || !own().some(({ isDelivered }) => isDelivered)) {
          // An agent has ended with this: what is sent to it from here on lets it begin again.
          if (facts.id !== null) box.leave();
          return false;
        }
        await new Promise<void>((resolve) => {
          const go = () => {
            waiting.delete(go);
            signal.removeEventListener('abort', go);
            resolve();
          };
          waiting.add(go);
          signal.addEventListener('abort', go, { once: true });
        });
      }
      return true;
    },
    async close() {
      isClosed = true;
      box.leave();
      const left = own();
      for (const { abort } of left) abort.abort();
      await Promise.allSettled(left.map(({ done }) => done));
    },
  };
}
