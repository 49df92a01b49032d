import { describe, expect, it } from 'vitest';
import { windowOf } from '../../conversation/window.ts';
import { LIMITS } from '../../limits.ts';
import { contextEditsOf, withoutOldThinking } from './context-edits.ts';

const window = windowOf({ modelWindowTokens: 200_000, maxOutputTokens: 64_000, limits: LIMITS.window });

function editsOf(more: Partial<Parameters<typeof contextEditsOf>[0]> = {}) {
  return contextEditsOf({
    window,
    capabilities: { thinking: 'adaptive' },
    thinking: { kind: 'adaptive' },
    toolNames: ['Bash', 'Read', 'TodoWrite', 'mcp__issues__search'],
    rates: { unit: 'dollars', repeated: 1, rewritten: 11 },
    economy: 'balanced',
    limits: LIMITS,
    ...more,
  });
}

describe('what the API is asked to clear', () => {
  it('is thinking first, then old results, 20,000 tokens before the point of compaction', () => {
    expect(editsOf()).toEqual([
      { type: 'clear_thinking_20251015', keep: 'all' },
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: 147_000 },
        keep: { type: 'tool_uses', value: 5 },
        // 147,000 × 11 / (20 × 1 + 11) = 52,161: with fewer, the rest costs more to write than 20 requests save.
        clear_at_least: { type: 'input_tokens', value: 53_000 },
        exclude_tools: ['TodoWrite', 'mcp__issues__search'],
      },
    ]);
  });

  it.each([
    ['thinking is off', { thinking: { kind: 'off' } }],
    ['the model cannot think', { capabilities: { thinking: 'none' } }],
  ] as const)('leaves thinking alone when %s: the API refuses it', (_, more) => {
    expect(editsOf(more).map(({ type }) => type)).toEqual(['clear_tool_uses_20250919']);
  });

  it('starts earlier for those who save more, and does not stop for those who do not', () => {
    const triggerOf = (economy: 'off' | 'balanced' | 'max') =>
      (editsOf({ economy }).at(-1) as { trigger: object }).trigger;
    expect(triggerOf('max')).toEqual({ type: 'input_tokens', value: 63_500 });
    expect(triggerOf('off')).toEqual(triggerOf('balanced'));
  });
});

describe('when the cache is lost', () => {
  it('old thinking goes, and stays away', () => {
    const before = editsOf();
    const after = withoutOldThinking(before, LIMITS.microcompact)!;
    expect(after[0]).toEqual({ type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } });
    expect(after[1]).toBe(before[1]);
    expect(withoutOldThinking(after, LIMITS.microcompact)).toBeNull();
  });
});
