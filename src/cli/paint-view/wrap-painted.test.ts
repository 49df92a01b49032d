import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MARKED_PAINT } from '../../../test/support/cli-stub.ts';
import { textWidth } from '../terminal/text-width.ts';
import { wrapPainted } from './wrap-painted.ts';

const COLOURS = /\u001b\[[0-9;]*m/g;
const bare = (line: string) => line.replace(COLOURS, '');

it('breaks between words, keeps the indent, and paints every row', () => {
  const { yellow, bold } = MARKED_PAINT;
  const line = `    ${yellow('it waits')} for ${bold('what you say of it')}`;
  expect(wrapPainted(line, 19).map(bare)).toEqual(['    it waits for', '    what you say of', '    it']);
  const [first, second, third] = wrapPainted(line, 19);
  expect(first).toBe('    \u001b[33mit waits\u001b[0m for');
  expect(second).toBe('    \u001b[1mwhat you say of\u001b[0m');
  expect(third).toBe('    \u001b[1mit\u001b[0m');
});

it('leaves lines alone that fit', () => {
  const line = `  ${MARKED_PAINT.red('a  b')}  c`;
  expect(wrapPainted(line, 9)).toEqual([line]);
});

it('loses no word, is never too wide, and leaves no colour on', () => {
  const { red, dim, bold } = MARKED_PAINT;
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 12 });
  const pieces = fc.array(
    fc.tuple(
      fc.constantFrom(red, dim, bold, (text: string) => text),
      words,
    ),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(pieces, fc.integer({ min: 0, max: 6 }), fc.integer({ min: 24, max: 60 }), (given, blanks, width) => {
      const line = ' '.repeat(blanks) + given.map(([look, some]) => look(some.join(' '))).join(' ');
      const rows = wrapPainted(line, width);
      expect(rows.map(bare).join(' ').match(/\S+/g)).toEqual(bare(line).match(/\S+/g));
      for (const row of rows) {
        expect(textWidth(bare(row))).toBeLessThanOrEqual(width);
        expect(bare(row).startsWith(' '.repeat(blanks))).toBe(true);
        if (rows.length > 1 && row.includes('\u001b')) expect(row.split(COLOURS).length % 2).toBe(1);
      }
    }),
  );
});
