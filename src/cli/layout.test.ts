import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignColumns } from './columns.ts';
import { didYouMean, inWords, nearestNames } from './nearest.ts';
import { decideColour } from './paint.ts';
import { dateOf, timeAgo } from './relative-time.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['한글!', 5],
    ['✓', 1],
    ['🙂', 2],
  ])('%j takes %i cells', (text, cells) => {
    expect(textWidth(text)).toBe(cells);
  });

  it('cuts and pads to the cells asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, cells) => {
        expect(textWidth(cutToWidth(text, cells))).toBeLessThanOrEqual(Math.max(1, cells));
        expect(textWidth(padToWidth(text, cells))).toBe(Math.max(cells, textWidth(text)));
        if (textWidth(text) <= cells) expect(cutToWidth(text, cells)).toBe(text);
      }),
    );
  });
});

describe('alignColumns', () => {
  it('starts each column at one cell for all rows', () => {
    const lines = alignColumns([
      [{ text: 'short' }, { text: 'x' }, { text: 'end' }],
      [{ text: 'much longer' }, { text: '日本' }, { text: 'end' }],
    ]);
    expect(lines).toEqual(['short        x     end', 'much longer  日本  end']);
  });

  it('cuts the last column to the width, and measures before painting', () => {
    const lines = alignColumns([[{ text: 'name', paint: (text) => `<${text}>` }, { text: 'words '.repeat(20) }]], {
      width: 40,
    });
    expect(lines[0]).toMatch(/^<name> {2}words .*…$/);
    expect(textWidth(lines[0]!.replaceAll(/[<>]/g, ''))).toBeLessThanOrEqual(40);
  });
});

describe('nearestNames', () => {
  const names = ['memory', 'settings', 'doctor', 'import', 'export'];
  it.each([
    ['memroy', ['memory']],
    ['setings', ['settings']],
    ['xport', ['export']],
    ['doc', ['doctor']],
    ['zzz', []],
  ])('%s is near %j', (word, expected) => {
    expect(nearestNames(word, names)).toEqual(expected);
  });

  it('says nothing when nothing is near', () => {
    expect(didYouMean('zzz', names)).toBe('');
    expect(didYouMean('memroy', names)).toBe('did you mean memory?');
    expect(inWords(['a', 'b', 'c'], 'or')).toBe('a, b or c');
  });
});

describe('timeAgo', () => {
  const now = new Date('2025-11-15T12:00:00Z');
  it.each([
    ['2025-11-15T11:59:30Z', 'just now'],
    ['2025-11-15T12:00:20Z', 'just now'],
    ['2025-11-15T11:59:00Z', '1 minute ago'],
    ['2025-11-15T09:00:00Z', '3 hours ago'],
    ['2025-11-14T11:00:00Z', '1 day ago'],
    ['2025-10-01T12:00:00Z', '45 days ago'],
    ['2025-08-01T12:00:00Z', '3 months ago'],
    ['2022-11-01T12:00:00Z', '3 years ago'],
    ['2026-01-01T12:00:00Z', '2026-01-01'],
    ['nonsense', 'unknown'],
  ])('%s was %s', (iso, expected) => {
    expect(timeAgo(iso, now)).toBe(expected);
  });

  it('dates do not depend on the time zone', () => {
    expect(dateOf('2025-11-15T23:59:00Z')).toBe('2025-11-15');
    expect(dateOf('nonsense')).toBe('unknown');
  });
});

describe('decideColour', () => {
  it.each([
    [{ environment: {}, isTerminal: true, refused: false }, true],
    [{ environment: {}, isTerminal: false, refused: false }, false],
    [{ environment: {}, isTerminal: true, refused: true }, false],
    [{ environment: { NO_COLOR: '1' }, isTerminal: true, refused: false }, false],
    [{ environment: { NO_COLOR: '' }, isTerminal: true, refused: false }, true],
    [{ environment: { FORCE_COLOR: '1' }, isTerminal: false, refused: false }, true],
    [{ environment: { FORCE_COLOR: '0' }, isTerminal: true, refused: false }, false],
    [{ environment: { FORCE_COLOR: '1', NO_COLOR: '1' }, isTerminal: true, refused: false }, false],
    [{ environment: { FORCE_COLOR: '1' }, isTerminal: true, refused: true }, false],
    [{ environment: { TERM: 'dumb' }, isTerminal: true, refused: false }, false],
  ])('%j', (facts, colour) => {
    expect(decideColour(facts).colour).toBe(colour);
  });
});
