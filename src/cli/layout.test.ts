import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, inWords, nearestNames } from '../base/text/nearest.ts';
import { dateOf, timeAgo } from './relative-time.ts';
import { alignColumns, type Column, fitColumns } from './terminal/columns.ts';
import { decideColour } from './terminal/paint.ts';
import { cutInMiddle, cutToWidth, padToWidth, textWidth } from './terminal/text-width.ts';
import { wrapCommand, wrapWords } from './terminal/wrap.ts';

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

  it('cuts and pads to the requested cells', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, cells) => {
        expect(textWidth(cutToWidth(text, cells))).toBeLessThanOrEqual(Math.max(1, cells));
        expect(textWidth(padToWidth(text, cells))).toBe(Math.max(cells, textWidth(text)));
        if (textWidth(text) <= cells) expect(cutToWidth(text, cells)).toBe(text);
        const middle = cutInMiddle(text, cells);
        expect(textWidth(middle)).toBeLessThanOrEqual(Math.max(1, cells));
        if (textWidth(text) <= cells) expect(middle).toBe(text);
        else expect(text.startsWith(middle.split('…')[0]!)).toBe(true);
      }),
    );
  });

  it('keeps both ends when it cuts in the middle', () => {
    expect(cutInMiddle('feedback_integration-tests.md', 15)).toBe('feedbac…ests.md');
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

  it('never cuts', () => {
    const text = 'words '.repeat(100).trim();
    expect(alignColumns([[{ text: 'name' }, { text }]])).toEqual([`name  ${text}`]);
  });
});

describe('fitColumns', () => {
  const columns: Column[] = [
    { fit: 'middle' },
    { fit: 'whole', drop: 2 },
    { fit: 'whole', drop: 1 },
    { fit: 'rest', below: true },
  ];
  const row = (...texts: string[]) => texts.map((text) => ({ text }));

  it('cuts free text to the width, and measures before painting', () => {
    const painted = [{ text: 'name', paint: (text: string) => `<${text}>` }, ...row('a', 'b', 'words '.repeat(40))];
    const [line] = fitColumns([painted], { columns, width: 70 });
    expect(line).toMatch(/^<name> {2}a {2}b {2}words .*…$/);
    expect(textWidth(line!.replaceAll(/[<>]/g, ''))).toBeLessThanOrEqual(70);
  });

  it('leaves out the least important first', () => {
    const cells = row('a-name-of-24-characters!', 'feedback', '45 minutes ago', 'words '.repeat(9).trim());
    const at = (width: number) => fitColumns([cells], { columns, width })[0];
    expect(at(200)).toContain('45 minutes ago');
    expect(at(66)).not.toContain('ago');
    expect(at(66)).toContain('feedback');
    expect(at(66)).toContain(cells[0]!.text);
  });

  it('cuts a long name before it leaves anything out', () => {
    const long = `feedback_${'very-'.repeat(14)}long.md`;
    const [line] = fitColumns([row(long, 'type', 'age', 'What it is about')], { columns, width: 80 });
    expect(line).toMatch(/^feedback_.*….*long\.md {2}type {2}age {2}What it is about$/);
  });

  it('puts free text below its row on a narrow terminal, and no empty line', () => {
    const rows = [row('a.md', 'type', 'age', 'What it is about'), row('b.md', 'type', 'age', '')];
    const lines = fitColumns(rows, { columns, width: 40 });
    expect(lines).toEqual(['a.md  type  age\n  What it is about', 'b.md  type  age']);
  });

  it('cuts nothing when there is no width', () => {
    const cells = row('n'.repeat(300), 'type', 'age', 'w'.repeat(300));
    expect(fitColumns([cells], { columns, width: undefined })).toEqual(alignColumns([cells]));
  });

  it('has no line that a terminal of 30 or more would wrap', () => {
    const cell = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', '-', '語', ' '), maxLength });
    const rows = fc.array(fc.tuple(cell(90), cell(9), cell(14), cell(200)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 30, max: 130 }), (texts, width) => {
        const lines = fitColumns(
          texts.map((cells) => row(...cells)),
          { columns, width },
        );
        expect(lines).toHaveLength(texts.length);
        for (const line of lines.flatMap((each) => each.split('\n')))
          expect(textWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('wrapping', () => {
  it('loses no word of prose, and only a single word may be too wide', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 80 }), (given, width) => {
        const lines = wrapWords(given.join(' '), width);
        expect(lines.join(' ')).toBe(given.join(' '));
        for (const line of lines) expect(line.length <= width || !line.includes(' ')).toBe(true);
      }),
    );
  });

  it('leaves a command that a shell reads as the same one', () => {
    const command = 'reverie memory save --type user --name "Who I am" --description "What I do" --body "…"';
    const lines = wrapCommand(command, { width: 40, hang: 4 });
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    expect(lines.join('\n').replaceAll(/ \\\n {4}/g, ' ')).toBe(command);
    expect(lines.every((line) => !/--[a-z]+ \\$/.test(line))).toBe(true);
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
