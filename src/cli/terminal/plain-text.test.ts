import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import { onlyColours, plainJson, plainLine, plainText } from './plain-text.ts';

const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/;
/** Text full of the characters that make up escape sequences. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b',
        '\u001b[',
        '\u001b]',
        '\u009b',
        '\u009d',
        '\u0007',
        '\u001b\\',
        '\r',
        '\n',
        '\t',
        '\b',
        '\u202e',
        '31m',
        ';',
        '2J',
      ),
      unicodeText({ maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('plainText', () => {
  it.each([
    ['colour', 'a\u001b[31mred\u001b[0mb', 'aredb'],
    ['clear screen', 'a\u001b[2J\u001b[Hb', 'ab'],
    ['window title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['title ended by ST', 'a\u001b]0;owned\u001b\\b', 'ab'],
    ['hyperlink', '\u001b]8;;http://evil\u0007click\u001b]8;;\u0007', 'click'],
    ['clipboard, never ended', 'a\u001b]52;c;cm0gLXJm\nb', 'a\nb'],
    ['8-bit control sequence', 'a\u009b31mb', 'ab'],
    ['8-bit title', 'a\u009d0;owned\u009cb', 'ab'],
    ['device control', 'a\u001bP1$r0m\u001b\\b', 'ab'],
    ['reset', 'a\u001bcb', 'ab'],
    ['charset', 'a\u001b(0b', 'ab'],
    ['carriage return that overwrites', 'safe\rowned', 'safe\nowned'],
    ['backspaces', 'safe\b\b\b\bevil', 'safeevil'],
    ['bell and NUL', 'a\u0007\u0000b', 'ab'],
    ['reordering', 'a\u202egpj.exe', 'agpj.exe'],
    ['isolates', '\u2066a\u2069', 'a'],
    ['Windows line ends', 'a\r\nb', 'a\nb'],
  ])('removes: %s', (_, text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it.each([
    ['tab\tand\nnewline'],
    ['naïve café'],
    ['日本語'],
    ['👩‍👩‍👧 family'],
    ['שלום'],
    ['[31m without its escape'],
  ])('leaves alone: %j', (text) => {
    expect(plainText(text)).toBe(text);
  });

  it('lets nothing through that a terminal acts on, whatever it gets', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const plain = plainText(text);
        expect(plain).not.toMatch(HARMFUL);
        expect(plainText(plain)).toBe(plain);
        expect(plainLine(text)).not.toMatch(/[\n\t]|^ | $/);
      }),
    );
  });
});

describe('onlyColours', () => {
  it('keeps colours and removes the rest', () => {
    expect(onlyColours('\u001b[1mbold\u001b[22m\u001b[2J\u001b]0;x\u0007!')).toBe('\u001b[1mbold\u001b[22m!');
  });

  it('leaves only colours in any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(onlyColours(text).replaceAll(/\u001b\[[0-9;]*m/g, '')).not.toMatch(HARMFUL);
      }),
    );
  });
});

describe('plainJson', () => {
  it('keeps every value exact and contains nothing that a terminal acts on', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = plainJson({ text });
        expect(JSON.parse(json)).toEqual({ text });
        expect(json.replaceAll('\n', '')).not.toMatch(HARMFUL);
      }),
    );
  });
});
