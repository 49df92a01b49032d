/** Which paths, identifiers and values the work is about: those that calls used, the more often and the later the better. */

import type { ContentBlock } from '../../conversation/message.ts';
import { ESTIMATE_LIMITS, type Limits } from '../../limits.ts';
import { referencesOf } from './references.ts';

export interface InUse {
  /** Blocks as they come into the conversation. */
  add(blocks: readonly ContentBlock[]): void;
  /** A section for the end of notes, within its tokens, without what the messages that stay have anyway; empty when nothing is left. */
  section(staying: readonly ContentBlock[]): string;
}

interface Weighed {
  readonly weight: number;
  /** The call at which that was its weight. */
  readonly at: number;
}

const HEADING = '# Paths, names and values in use';
const LINE_CHARACTERS = 200;

export function createInUse(limits: Limits['economy']): InUse {
  const weights = new Map<string, Weighed>();
  let calls = 0;
  const weightOf = ({ weight, at }: Weighed) => weight * 2 ** ((at - calls) / limits.inUseHalfLifeCalls);

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
    section(staying) {
      const there = new Set(staying.flatMap((block) => [...referencesOf(block)]));
      const ranked = [...weights]
        .filter(([reference]) => !there.has(reference))
        .map(([reference, known]) => ({ reference, weight: weightOf(known) }))
        .sort((one, other) => other.weight - one.weight);
      const lines = fill(
        ranked.map(({ reference }) => reference),
        limits.inUseTokens * ESTIMATE_LIMITS.bytesPerToken,
      );
      return lines.length === 0 ? '' : [HEADING, ...lines].join('\n');
    },
  };
}

/** In lines, so that whoever must cut them cuts a few. */
function fill(words: readonly string[], bytes: number): readonly string[] {
  const lines: string[] = [];
  let left = bytes;
  let line = '';
  for (const word of words) {
    const taken = Buffer.byteLength(word) + 1;
    if (taken > left) continue;
    left -= taken;
    line = line === '' ? word : `${line} ${word}`;
    if (line.length < LINE_CHARACTERS) continue;
    lines.push(line);
    line = '';
  }
  return line === '' ? lines : [...lines, line];
}
