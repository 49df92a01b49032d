import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasConflictMarkers, sidesOf } from './conflict.ts';
import { paragraphsOf, uniteVersions } from './unite.ts';

const memory = (body: string, description = 'about it') =>
  `---\nname: It\ndescription: ${description}\ntype: project\n---\n\n${body}\n`;

describe('the sides of a conflict', () => {
  it('are whole texts', () => {
    const text = 'a\n<<<<<<< HEAD\nb\n||||||| base\nold\n=======\nc\n>>>>>>> theirs\nd\n';
    expect(sidesOf(text)).toEqual(['a\nb\nd\n', 'a\nc\nd\n']);
  });

  it('are found within one another, and every line of each is in one of them', () => {
    const text = '<<<<<<< A\n<<<<<<< B\none\n=======\ntwo\n>>>>>>> B\n=======\nthree\n>>>>>>> A\n';
    expect(sidesOf(text)).toEqual(['one\n', 'two\n', 'three\n']);
  });

  it('leave a heading underlined with equals signs alone', () => {
    expect(sidesOf('Heading\n=======\ntext\n')).toEqual(['Heading\n=======\ntext\n']);
  });

  it('hold no marker and lose no line, however the markers stand', () => {
    const line = fc.constantFrom('<<<<<<< A', '=======', '>>>>>>> B', 'one', 'two', 'three', '');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const sides = sidesOf(lines.join('\n'));
        expect(sides.some(hasConflictMarkers)).toBe(false);
        const kept = new Set(sides.flatMap((side) => side.split('\n')));
        const words = lines.filter((each) => /^[a-z]/.test(each));
        expect(words.filter((word) => !kept.has(word))).toEqual([]);
      }),
    );
  });
});

describe('versions of one memory', () => {
  it('are united by paragraph, each once and in order', () => {
    const united = uniteVersions([{ text: memory('A\n\nB\n\nC') }, { text: memory('A\n\nX\n\nC\n\nD') }]);
    expect(paragraphsOf(united.split('---\n')[2]!)).toEqual(['A', 'X', 'B', 'C', 'D']);
  });

  it('take out what one side took out and the other left alone', () => {
    const united = uniteVersions(
      [{ text: memory('A\n\nC') }, { text: memory('A\n\nB\n\nC\n\nD') }],
      memory('A\n\nB\n\nC'),
    );
    expect(paragraphsOf(united.split('---\n')[2]!)).toEqual(['A', 'C', 'D']);
  });

  it('keep both where both changed the same paragraph, with who said which', () => {
    const sides = [
      { text: memory('On Mondays.'), label: 'Ann, 2026-01-01' },
      { text: memory('On Fridays.'), label: 'Bob, 2026-01-02' },
    ];
    const united = uniteVersions(sides, memory('On Tuesdays.'));
    expect(united).toContain('On Mondays. (Ann, 2026-01-01)');
    expect(united).toContain('On Fridays. (Bob, 2026-01-02)');
    expect(united).not.toContain('Tuesdays');
  });

  it('keep a description that only one side has', () => {
    const united = uniteVersions([{ text: memory('A', 'one') }, { text: memory('A', 'other') }]);
    expect(united).toContain('description: one');
    expect(united).toContain('Also described as: other');
  });
});
