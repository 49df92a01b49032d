/** How many tokens a block takes: from the recorded usage if there is one, else estimated. */

import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock, Message } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import { REPLAY_LIMITS } from '../../limits.ts';
import type { Step } from './session.ts';

export interface Sizes {
  of(part: Message | ContentBlock): number;
  estimate(part: Message): number;
  /** Counted tokens relative to estimated tokens, over everything learnt. */
  density(): number;
  /** Learns the sizes of one recording from its usage. */
  learn(steps: readonly Step[]): void;
  /** For placeholders of what nobody can write here, such as a summary. */
  set(block: ContentBlock, tokens: number): void;
}

export function createSizes(): Sizes {
  const known = new WeakMap<ContentBlock, number>();
  const messages = new WeakMap<Message, number>();
  let counted = 0;
  let estimated = 0;
  const density = () => (estimated === 0 ? 1 : counted / estimated);

  function ofBlock(block: ContentBlock): number {
    return known.get(block) ?? Math.round(estimateTokens(block) * density());
  }

  function of(part: Message | ContentBlock): number {
    if (!('role' in part)) return ofBlock(part);
    const sum = messages.get(part) ?? part.content.reduce((total, block) => total + ofBlock(block), 0);
    messages.set(part, sum);
    return sum;
  }

  /** Blocks whose tokens are not known yet. */
  function learnDelta(step: Step, next: Step): readonly ContentBlock[] {
    const blocks = [step.answer, ...next.before].flatMap(({ message }) => message.content);
    const guess = blocks.reduce((sum, block) => sum + estimateTokens(block), 0);
    const grown = promptOf(next) - promptOf(step);
    const ratio = grown / Math.max(1, guess);
    const isPlausible = ratio >= 1 / REPLAY_LIMITS.mostDensity && ratio <= REPLAY_LIMITS.mostDensity;
    if (step.recorded === null || next.recorded === null || !isPlausible) return blocks;
    for (const block of blocks) known.set(block, estimateTokens(block) * ratio);
    counted += grown;
    estimated += guess;
    return [];
  }

  /** A provider drops the thinking of a turn when the next one begins: it shrinks by as much as the count fell short. */
  function forgetThinking(steps: readonly Step[]): void {
    let thinking: ContentBlock[] = [];
    for (const [at, step] of steps.entries()) {
      const next = steps[at + 1];
      const blocks = [step.answer, ...(next?.before ?? [])].flatMap(({ message }) => message.content);
      thinking.push(...blocks.filter(({ type }) => type === 'thinking'));
      if (next === undefined || !next.before.some(hasText)) continue;
      if (step.recorded !== null && next.recorded !== null) {
        const expected = blocks.reduce((sum, block) => sum + ofBlock(block), 0);
        shrink(thinking, expected - (promptOf(next) - promptOf(step)));
      }
      thinking = [];
    }
  }

  function shrink(blocks: readonly ContentBlock[], byTokens: number): void {
    const total = blocks.reduce((sum, block) => sum + ofBlock(block), 0);
    if (byTokens <= 0 || total === 0) return;
    const left = Math.max(0, 1 - byTokens / total);
    for (const block of blocks) known.set(block, ofBlock(block) * left);
  }

  return {
    of,
    estimate: estimateTokens,
    density,
    learn(steps) {
      const unsure = steps.slice(0, -1).flatMap((step, at) => learnDelta(step, steps[at + 1]!));
      const ends = [...(steps[0]?.before ?? []), ...(steps.at(-1) === undefined ? [] : [steps.at(-1)!.answer])];
      for (const block of [...unsure, ...ends.flatMap(({ message }) => message.content)]) {
        if (!known.has(block)) known.set(block, estimateTokens(block) * density());
      }
      forgetThinking(steps);
    },
    set: (block, tokens) => known.set(block, tokens),
  };
}

function hasText({ message }: Entry): boolean {
  return message.content.some(({ type }) => type === 'text');
}

export function promptOf({ recorded }: Step): number {
  return recorded === null ? 0 : recorded.inputTokens + recorded.cacheReadTokens + recorded.cacheWriteTokens;
}
