/** What a session in somebody else's loop tells of itself: counted as it happens, bounded, without a look at the conversation. */

import { addUsage, NO_USAGE, type Usage } from '../conversation/message.ts';
import type { CacheBreak } from '../toolbox/cache-watch.ts';
import type { SessionStats } from './session.ts';

/** Lines and breaks that the figures of a session keep, the newest. */
const KEPT_LINES = 100;

export interface HostFigures {
  note(line: string): void;
  announced(reason: string): void;
  broken(found: CacheBreak): void;
  compacted(): void;
  sent(): void;
  answered(usage: Usage): void;
  read(): Pick<
    SessionStats,
    'requests' | 'usage' | 'cacheReadShare' | 'cacheBreaks' | 'announced' | 'compactions' | 'notes'
  >;
}

export function createHostFigures(): HostFigures {
  const notes: string[] = [];
  const announced: { readonly request: number; readonly reason: string }[] = [];
  const cacheBreaks: CacheBreak[] = [];
  let [requests, compactions, usage] = [0, 0, NO_USAGE];

  function keep<Item>(items: Item[], item: Item): void {
    items.push(item);
    if (items.length > KEPT_LINES) items.shift();
  }

  return {
    note: (line) => keep(notes, line),
    // It is the next request that differs.
    announced: (reason) => keep(announced, { request: requests + 1, reason }),
    broken: (found) => keep(cacheBreaks, found),
    compacted() {
      compactions += 1;
    },
    sent() {
      requests += 1;
    },
    answered(more) {
      usage = addUsage(usage, more);
    },
    read: () => ({
      requests,
      usage,
      cacheReadShare: readShare(usage),
      cacheBreaks: [...cacheBreaks],
      announced: [...announced],
      compactions,
      notes: [...notes],
    }),
  };
}

function readShare({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number | null {
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  return promptTokens === 0 ? null : cacheReadTokens / promptTokens;
}
