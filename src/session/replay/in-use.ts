/** Which paths, identifiers and values the work is about right now: those that calls used, the more often and the later the better. */

import type { ContentBlock } from '../../conversation/message.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { referencesOf } from './terms.ts';

export interface InUse {
  /** Blocks as they come into the conversation. */
  add(blocks: readonly ContentBlock[]): void;
  /** The most used of them that `isThere` does not find in the window, within so many tokens; empty when there are none. */
  line(facts: { readonly tokens: number; readonly isThere: (reference: string) => boolean }): string;
}

export function createInUse(halfLifeCalls: number): InUse {
  /** Each with its weight at a time that is counted in calls. */
  const weights = new Map<string, { weight: number; at: number }>();
  let calls = 0;

  function weightOf({ weight, at }: { readonly weight: number; readonly at: number }): number {
    return weight * 2 ** ((at - calls) / halfLifeCalls);
  }

  return {
    add(blocks) {
      for (const block of blocks) {
        if (block.type !== 'tool_use') continue;
        calls += 1;
        for (const reference of referencesOf(block)) {
          const before = weights.get(reference);
          weights.set(reference, { weight: 1 + (before === undefined ? 0 : weightOf(before)), at: calls });
        }
      }
    },
    line({ tokens, isThere }) {
      const ranked = [...weights]
        .filter(([reference]) => !isThere(reference))
        .map(([reference, known]) => ({ reference, weight: weightOf(known) }))
        .sort((one, other) => other.weight - one.weight);
      const chosen: string[] = [];
      let left = tokens * 4;
      for (const { reference } of ranked) {
        const bytes = Buffer.byteLength(reference) + 1;
        if (bytes > left) continue;
        left -= bytes;
        chosen.push(reference);
      }
      return chosen.map((r, i) => r + (i % 12 === 11 ? '\n' : ' ')).join('').trim();
    },
  };
}
