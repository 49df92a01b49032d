import { describe, expect, it } from 'vitest';
import { promptOf } from './recall.ts';

describe('the prompt that a recalled memory joined', () => {
  const entry = (uuid: string, role: 'user' | 'assistant', time: string) => ({
    uuid,
    at: `2026-01-01T${time}Z`,
    message: { role },
  });
  // Two rounds for the first prompt, one for the second, which comes a moment after the first is answered.
  const messages = [
    entry('first', 'user', '10:00:00.000'),
    entry('call', 'assistant', '10:00:04.000'),
    entry('result', 'user', '10:00:09.000'),
    entry('answer', 'assistant', '10:00:12.000'),
    entry('second', 'user', '10:00:12.300'),
    entry('last answer', 'assistant', '10:00:15.000'),
  ];
  const prompts = new Set(['first', 'second']);
  it.each<[string, string, string]>([
    ['09:59:59.950', 'first', 'before the first prompt was written'],
    ['10:00:00.000', 'first', 'in the same millisecond'],
    ['10:00:11.900', 'first', 'just before its answer, in a later round'],
    ['10:00:12.250', 'second', 'before the second prompt was written'],
    ['10:00:12.400', 'second', 'after it'],
    ['10:00:16.000', 'second', 'for a request that was never answered'],
  ])('at %s: the %s, %s', (time, expected) => {
    expect(promptOf(`2026-01-01T${time}Z`, messages, prompts)).toBe(expected);
  });

  it('is none where nothing was asked', () => {
    expect(promptOf('2026-01-01T10:00:00.000Z', [], new Set())).toBeNull();
  });
});
