import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBreakpoints } from './breakpoints.ts';
import type { Message } from './message.ts';

function message(blocks: number): Message {
  return { role: 'user', content: Array.from({ length: blocks }, () => ({ type: 'text' as const, text: 'x' })) };
}

describe('breakpoints', () => {
  it.each<[string, number[], number, number[]]>([
    ['none without messages', [], 0, []],
    ['the last of a first request', [1, 1, 30], 0, [2]],
    ['the last after a small round', [1, 1, 1, 5], 2, [3]],
    ['the last after exactly 20 blocks', [1, 10, 10], 1, [2]],
    ['where the last request ended after 21', [1, 10, 11], 1, [0, 2]],
    ['the same request again', [1, 30], 2, [1]],
    ['a conversation that became shorter', [1, 1], 9, [1]],
  ])('%s', (_, blocks, sentBefore, expected) => {
    expect(chooseBreakpoints({ messages: blocks.map(message), sentBefore })).toEqual(expected);
  });

  it('always let the server find what the last request wrote', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.nat(30), (blocks, before) => {
        const messages = blocks.map(message);
        const sentBefore = Math.min(before, messages.length);
        const chosen = chooseBreakpoints({ messages, sentBefore });
        expect(chosen.length).toBeLessThanOrEqual(3);
        expect(chosen.at(-1)).toBe(messages.length - 1);
        const blocksAfter = (at: number) => blocks.slice(sentBefore, at + 1).reduce((sum, each) => sum + each, 0);
        if (sentBefore > 0) expect(chosen.some((at) => at >= sentBefore - 1 && blocksAfter(at) <= 20)).toBe(true);
      }),
    );
  });
});
