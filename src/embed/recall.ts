/** Memories for a host's conversation: certain ones join the user's newest message, once each, within a budget, and never hold it up for long. */

import { relative, sep } from 'node:path';
import { createBreaker } from '../base/async/breaker.ts';
import { withoutInjected } from '../base/text/injected-text.ts';
import { messageOf } from '../base/values.ts';
import type { ToolUseBlock } from '../conversation/message.ts';
import { HOOK_LIMITS, type Limits } from '../limits.ts';
import type { Memory, Recalled } from '../memory/memory.ts';
import { decideRecall } from '../recall/gates.ts';
import { whenTripped } from '../toolbox/breakers.ts';
import type { LayerLedger } from '../toolbox/meter.ts';
import type { SurfacedMemory } from './state.ts';

export interface HostRecall {
  /** What joins this message. `words` are the user's own; empty where there are none, and what came too late before joins now. */
  take(words: string): Promise<readonly Recalled[]>;
  /** They joined with this entry. */
  joined(memories: readonly Recalled[], uuid: string): void;
  /** What the agent has read itself need not be told. */
  onCalls(calls: readonly ToolUseBlock[], uuid: string): void;
  /** Only what joined with these entries is still there. */
  keepOnly(isThere: (uuid: string) => boolean): void;
  surfaced(): readonly SurfacedMemory[];
}

export function createHostRecall(facts: {
  readonly memory: Memory | undefined;
  readonly isOn: () => boolean;
  readonly resumed: readonly SurfacedMemory[];
  readonly limits: Pick<Limits, 'recall' | 'prefetch' | 'host' | 'hooks'>;
  readonly onProblem: (line: string) => void;
  readonly ledger: LayerLedger;
  /** A memory joined. */
  readonly onJoined: (memory: Recalled) => void;
}): HostRecall {
  const { memory, limits, ledger } = facts;
  const breaker = createBreaker({
    limit: limits.prefetch.failures,
    onTrip: whenTripped('ranking', { ledger, tell: facts.onProblem }),
  });
  let surfaced = [...facts.resumed];
  let settled: Recalled[] = [];

  const bytesSurfaced = () => surfaced.reduce((sum, { bytes }) => sum + bytes, 0);

  async function ask(from: Memory, query: string): Promise<void> {
    try {
      const hits = await from.recall(query, { exclude: surfaced.map(({ key }) => key) });
      breaker.succeeded();
      settled.push(...hits.filter(({ certain }) => certain));
    } catch (error) {
      const message = messageOf(error);
      facts.onProblem(`recall: ${message}`);
      ledger.recordEvent('recall-failed', {});
      breaker.failed(message);
    }
  }

  /** What was recalled late may have joined, or been read, meanwhile. */
  function fitting(): readonly Recalled[] {
    const known = new Set(surfaced.map(({ key }) => key));
    let left = limits.recall.sessionBytes - bytesSurfaced();
    const chosen = settled.filter((memory) => {
      const bytes = Buffer.byteLength(memory.text);
      if (known.has(keyOf(memory)) || bytes > left) return false;
      known.add(keyOf(memory));
      left -= bytes;
      return true;
    });
    settled = [];
    return chosen;
  }

  return {
    async take(words) {
      if (memory === undefined || !memory.enabled || !facts.isOn() || breaker.isPaused()) return [];
      const query = withoutInjected(words).trim().slice(0, HOOK_LIMITS.queryCharacters);
      const gate = decideRecall({ query, bytesSurfaced: bytesSurfaced(), hasMemories: true }, limits.recall);
      if (gate.open) await atMost(ask(memory, query), limits.host.recallHoldMs);
      return fitting();
    },
    joined(memories, uuid) {
      if (memories.length > 0) ledger.recordEvent('recall', { memories: memories.length });
      for (const memory of memories) facts.onJoined(memory);
      surfaced.push(...memories.map((memory) => ({ key: keyOf(memory), bytes: Buffer.byteLength(memory.text), uuid })));
    },
    onCalls(calls, uuid) {
      const folders = Object.entries(memory?.folders ?? {});
      if (folders.length === 0) return;
      for (const path of calls.flatMap(({ input }) => Object.values(input))) {
        if (typeof path !== 'string') continue;
        for (const [scope, folder] of folders) {
          if (!path.startsWith(`${folder}${sep}`)) continue;
          surfaced.push({ key: `${scope}:${relative(folder, path).split(sep).join('/')}`, bytes: 0, uuid });
        }
      }
    },
    keepOnly(isThere) {
      surfaced = surfaced.filter(({ uuid }) => isThere(uuid));
    },
    surfaced: () => surfaced,
  };
}

function keyOf({ scope, file }: Recalled): string {
  return `${scope}:${file}`;
}

/** Waits no longer; the work goes on. */
export async function atMost(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
