/** Names that memories may have, and the names that Reverie makes for them. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { unicodeText } from '../../test/support/unicode-text.ts';
import { checkInside } from './check-inside.ts';
import { isDeviceName, nameProblem, slugOfName, textProblem, twinKey } from './safe-name.ts';

describe('slugOfName', () => {
  it.each([
    ['words', 'No mocks in integration tests', 'no-mocks-in-integration-tests'],
    ['punctuation runs', '  What?! -- really…  ', 'what-really'],
    ['accents of Latin letters', 'Élan vital à la Ångström', 'elan-vital-a-la-angstrom'],
    ['a dotted capital I', 'İstanbul', 'istanbul'],
    ['full-width letters', 'ＡＰＩ　１２', 'api-12'],
    ['ligatures', 'ﬁle oﬀset', 'file-offset'],
    ['Chinese stays readable', '使用 pnpm 而不是 npm', '使用-pnpm-而不是-npm'],
    ['Japanese voiced marks stay composed', 'がんばる', 'がんばる'],
    ['Korean stays composed', '한국어', '한국어'],
    ['Hindi keeps its vowel signs', 'हिन्दी नोट', 'हिन्दी-नोट'],
    ['Cyrillic', 'Тест Без Моков', 'тест-без-моков'],
    ['alphabets that look alike are taken apart', 'сat', 'с-at'],
    ['Greek beside Latin', 'λcalculus', 'λ-calculus'],
    ['Chinese beside Latin stays together', '使用pnpm', '使用pnpm'],
    ['path tricks', '../../etc/passwd', 'etc-passwd'],
    ['a zero-width space', 'pa\u200bss', 'pass'],
    ['a right-to-left override', 'x\u202egnp', 'xgnp'],
    ['a device of Windows', 'NUL', 'nul-memory'],
    ['a device with a superscript', 'com¹', 'com1-memory'],
    ['nothing but signs', '!!!', 'memory'],
    ['nothing', '', 'memory'],
    ['half a character', '\ud800', 'memory'],
    ['emoji alone', '😀', 'memory'],
    ['a mark without its letter', '\u0301abc', 'abc'],
  ])('%s', (_, name, slug) => {
    expect(slugOfName(name)).toBe(slug);
  });

  it('is cut at a character, not within one, and not after a dash', () => {
    expect(slugOfName('日'.repeat(50), 80)).toBe('日'.repeat(26));
    expect(slugOfName('abc def', 4)).toBe('abc');
    expect(slugOfName('a'.repeat(300))).toBe('a'.repeat(80));
  });

  it('always gives a name that may be created', () => {
    const root = join(tmpdir(), 'reverie-no-such-folder', 'memory');
    const anyName = fc.oneof(
      unicodeText(),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme-composite' }),
      mixedWords,
    );
    fc.assert(
      fc.property(anyName, fc.integer({ min: 8, max: 120 }), (name, maxBytes) => {
        const slug = slugOfName(name, maxBytes);
        expect(checkInside(root, `feedback_${slug}.md`, 'create')).toMatchObject({
          verdict: 'allow',
          file: `feedback_${slug}.md`,
        });
        const faults = {
          decomposed: slug !== slug.normalize('NFC'),
          dashes: /^-|-$|--/.test(slug),
          tooLong: Buffer.byteLength(slug) > maxBytes + '-memory'.length,
          device: isDeviceName(slug),
        };
        expect(faults).toEqual({ decomposed: false, dashes: false, tooLong: false, device: false });
      }),
      { numRuns: runs(2_000) },
    );
  });
});

const mixedWords = fc
  .array(
    fc.constantFrom(
      'a',
      'с',
      'λ',
      'հ',
      'Ꭰ',
      '使',
      'が',
      '한',
      'ि',
      '\u0301',
      'nul',
      'con',
      '-',
      '_',
      ' ',
      '.',
      '1',
      '½',
      'ǅ',
      'ß',
      '\u200d',
    ),
  )
  .map((parts) => parts.join(''));

describe('textProblem', () => {
  it.each([
    ['a family of four', '👨‍👩‍👧‍👦'],
    ['a heart with its colour', '❤️'],
    ['a thumb with a skin tone', '👍🏽'],
    ['the flag of England', '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
    ['a keycap', '1️⃣'],
    ['Persian with a non-joiner', 'می\u200cخواهم'],
    ['Hindi with a joiner', 'क्\u200dष'],
    ['Arabic', 'ملاحظات'],
    ['Hebrew', 'הערות'],
  ])('takes %s', (_, text) => {
    expect(textProblem(text)).toBeNull();
  });

  it.each([
    ['NUL', 'a\0b', /NUL/],
    ['a line separator', 'a\u2028b', /line break/],
    ['a C1 control', 'a\u0085b', /control/],
    ['delete', 'a\u007fb', /control/],
    ['a lone low surrogate', 'a\udc00b', /half/],
    ['a soft hyphen', 'a\u00adb', /cannot be seen/],
    ['a byte order mark', '\ufeffa', /cannot be seen/],
    ['a Hangul filler', 'a\u3164', /cannot be seen/],
    ['a braille blank', 'a\u2800', /cannot be seen/],
    ['an isolate', 'a\u2066b\u2069', /turns the text/],
    ['a tag character without a flag', 'a\u{E0061}', /cannot be seen/],
    ['a hidden message in a flag', `🏴${'\u{E0061}'.repeat(7)}\u{E007F}`, /cannot be seen/],
    ['a joiner between Latin letters', 'g\u200dit', /cannot be seen/],
    ['a variation selector after a letter', 'a\ufe0f', /cannot be seen/],
    ['a noncharacter', 'a\uffff', /cannot be seen/],
  ])('refuses %s', (_, text, reason) => {
    expect(textProblem(text)).toMatch(reason);
  });
});

describe('nameProblem', () => {
  it.each([
    'feedback_тест.md',
    'user_使用pnpm.md',
    'my notes (old), v2 + more = #1!.md',
    "o'brien.md",
    'naïve.md',
    'null.md',
    'console.md',
    'com10.md',
    'a~b.md',
  ])('takes %s', (name) => {
    expect(nameProblem(name, { role: 'file', platform: 'linux' })).toBeNull();
  });

  it.each([
    ['a double quote', 'a"b.md'],
    ['a colon', 'a:b.md'],
    ['a pipe', 'a|b.md'],
    ['a semicolon', 'a;b.md'],
    ['an ampersand', 'a&b.md'],
    ['a command', '$(id).md'],
    ['a lone percent sign', '100%.md'],
    ['a leading blank', ' a.md'],
    ['a no-break space', 'a\u00a0b.md'],
    ['an ideographic space', 'a\u3000b.md'],
    ['an ellipsis', '….md'],
    ['a fraction slash', 'a\u2044b.md'],
    ['Greek omicron in a Latin word', 'cοde.md'],
    ['Armenian in a Latin word', 'hօme.md'],
    ['a private character', 'a\ue000.md'],
    ['a replacement character', 'a\ufffd.md'],
    ['capital letters in the ending', 'a.MD'],
    ['a file that coding agents obey', 'CLAUDE.md'],
    ['another of them, in small letters', 'agents.md'],
  ])('keeps %s from coming into being, but not from being read', (_, name) => {
    expect(nameProblem(name, { role: 'file', platform: 'linux' })).toMatchObject({ refused: 'new' });
  });

  it.each(['a:b.md', 'nul.md', 'conin$.md', 'aux .md', 'lpt0.md', 'note~1.md'])('never takes %s on Windows', (name) => {
    expect(nameProblem(name, { role: 'file', platform: 'win32' })).toMatchObject({ refused: 'always' });
  });
});

describe('twinKey', () => {
  it.each([
    ['capital letters', 'User.md', 'user.md'],
    ['composition', 'cafe\u0301.md', 'caf\u00e9.md'],
    ['full-width letters', 'ａ.md', 'a.md'],
    ['a variation selector', '❤\ufe0f.md', '❤.md'],
  ])('does not tell names apart by %s', (_, left, right) => {
    expect(twinKey(left)).toBe(twinKey(right));
  });

  it('tells other names apart', () => {
    expect(twinKey('a.md')).not.toBe(twinKey('á.md'));
  });
});
