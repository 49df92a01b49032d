import { describe, expect, it } from 'vitest';
import type { Entry } from './entry.ts';
import { cameAlong, typedText, withBorder } from './typed-text.ts';

function entry(text: string): Entry {
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
  return { uuid: 'u', parentUuid: null, at: '2026-01-07T10:00:00.000Z', message };
}

describe('borders around what came along', () => {
  it('are found behind an opening one that somebody typed', () => {
    const said = entry(`What does <pasted> mean?\n\n${withBorder('pasted', 'From a page.')}`);
    expect(typedText(said)).toBe('What does <pasted> mean?');
    expect(cameAlong(said)).toEqual([{ how: 'pasted', text: 'From a page.' }]);
  });

  it.each(['<pasted>', '<piped>x', '<pasted><piped>'])('that never close do not hold a message up: %s', (unit) => {
    const text = unit.repeat(60_000);
    expect(typedText(entry(text))).toBe(text);
    expect(cameAlong(entry(text))).toEqual([]);
  });
});
