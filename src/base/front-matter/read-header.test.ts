import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import { decodeText, encodeText, readableText, wholeCharacters } from './bytes.ts';
import type { Field } from './field.ts';
import { locateFrontMatter } from './locate.ts';
import { readPlainHeader } from './plain.ts';
import { readHeader } from './read-header.ts';
import { writeMapping, writeQuoted, writeScalar } from './scalar.ts';
import { readYamlHeader } from './yaml.ts';

const known = new Set(['name', 'description', 'type', 'origin']);

describe('the exact reader', () => {
  const withoutPlace = (fields: readonly Field[]) => fields.map(({ place: _place, ...field }) => field);

  const key = fc.constantFrom('name', 'description', 'Type', 'origin', 'metadata', 'tags', 'x-y', '_z');
  const word = fc.constantFrom(
    ...[
      'a',
      'Note',
      ':',
      ': ',
      ' ',
      '  ',
      '#',
      ' #',
      '-',
      '- ',
      '"',
      "'",
      '""',
      '{',
      '}',
      '[',
      ']',
      ',',
      '|',
      '>',
      '&a',
      '*a',
    ],
    ...[
      '!',
      '%',
      '@',
      '`',
      '~',
      'null',
      'NULL',
      'true',
      '1',
      '=',
      '?',
      '\\',
      '\\"',
      'é',
      '—',
      '😀',
      '\t',
      '\u00a0',
      '\u200b',
    ],
    ...[
      '\u0085',
      '\u2028',
      '{a: b}',
      '{a: "b c", d: e}',
      '{type: user}',
      '[{a: b}]',
      '[{a: "b, {c: d}]", e: f}, {g: 2026-03-05}]',
      '[a, b]',
      '"a b"',
      "'a'",
      '"a\\\\b"',
      '<<',
      '...',
      '---',
    ],
  );
  const value = fc.array(word, { maxLength: 4 }).map((words) => words.join(''));
  const line = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom('', '', '', '  ', ' '), key, fc.constantFrom(': ', ':', ':  ', ' : '), value)
        .map((all) => all.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom('', '# comment', '  # inside', '   ') },
    { weight: 1, arbitrary: value },
  );
  const header = fc
    .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\r'))
    .map(([lines, lineEnd]) => lines.map((text) => text + lineEnd).join(''));

  it('agrees with YAML whenever it answers', () => {
    let answered = 0;
    fc.assert(
      fc.property(fc.oneof(header, unicodeText()), (text) => {
        const plain = readPlainHeader(text);
        if (plain === null) return;
        answered += 1;
        const yaml = readYamlHeader(text);
        expect(yaml.kind).toBe('mapping');
        if (yaml.kind === 'mapping')
          expect(plain).toEqual(withoutPlace(yaml.fields).map((field) => ({ ...field, place: null })));
      }),
      { numRuns: 2000 },
    );
    expect(answered).toBeGreaterThan(100);
  });

  it('answers for every header that our writer makes from ordinary values', () => {
    const written = [
      'plain',
      'Note: a colon',
      'see #42',
      '2026-03-05',
      '@alice',
      'say "hi"',
      'C:\\Users',
      'yes',
      'é — 😀',
    ];
    for (const text of written) {
      const quotes = `[{text: ${writeQuoted(text)}, at: 2026-03-05}, {text: ${writeQuoted(`{a}, [${text}]`)}}]`;
      const origin = writeMapping({ session: text, message: '12' });
      const header = `name: ${writeScalar(text)}\nquote: ${quotes}\norigin: ${origin}\n`;
      expect(
        readPlainHeader(header)?.map((field) => field.value),
        text,
      ).toEqual([
        { kind: 'text', text },
        {
          kind: 'list',
          items: [
            [
              ['text', text],
              ['at', '2026-03-05'],
            ],
            [['text', `{a}, [${text}]`]],
          ],
          source: quotes,
        },
        expect.objectContaining({
          kind: 'mapping',
          pairs: [
            ['session', text],
            ['message', '12'],
          ],
        }),
      ]);
    }
  });
});

describe('writeScalar', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'yes',
      'No',
      'null',
      '~',
      '1',
      '0x1F',
      '1e3',
      '.inf',
      '-',
      '12:30',
      '2026-03-05',
      'true',
      '',
      ' ',
      'a: b',
      'a #b',
      '<<',
      '=',
      '---',
    ),
    fc
      .array(
        fc.constantFrom(': ', ' #', '"', "'", '\\', ',', '[', ']', '{', '}', '\n', '\t', '\u0085', '\u2028', 'a', '-'),
        { maxLength: 6 },
      )
      .map((all) => all.join('')),
  );

  it('is read back as the same string by YAML 1.2 and 1.1, in either context', () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const version of ['1.2', '1.1'] as const) {
          expect(parseYaml(`key: ${writeScalar(value)}\n`, { version })).toEqual({ key: value });
          expect(parseYaml(`{key: ${writeScalar(value, 'flow')}, b: c}\n`, { version })).toEqual({
            key: value,
            b: 'c',
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(['a name', 'C# and F#', 'see https://a.b/c?d=1', "it's", 'Note:nothing', '用户', 'v1.2 of it'])(
    'leaves %s unquoted',
    (value) => {
      expect(writeScalar(value)).toBe(value);
    },
  );
});

describe('bytes', () => {
  it('come back as they were, whatever they are', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.uint8Array({ maxLength: 20 }).map((rest) => Uint8Array.of(0xef, 0xbb, 0xbf, ...rest)),
      fc
        .array(fc.constantFrom(0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xff), {
          maxLength: 12,
        })
        .map((all) => Uint8Array.from(all)),
    );
    fc.assert(
      fc.property(bytes, (any) => {
        const decoded = decodeText(any);
        if (decoded.encoding === 'utf-8') {
          expect(Buffer.from(encodeText(decoded))).toEqual(Buffer.from(any));
          expect(readableText(decoded.text)).toBe(new TextDecoder().decode(any));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('of UTF-16 are read by their mark', () => {
    const bytes = Buffer.from('\ufeffname: é 😀', 'utf16le');
    for (const [encoding, given] of [
      ['utf-16le', bytes],
      ['utf-16be', Buffer.from(bytes).swap16()],
    ] as const) {
      const decoded = decodeText(given);
      expect(decoded).toMatchObject({ text: 'name: é 😀', encoding, validUtf8: false });
      expect(Buffer.from(encodeText(decoded))).toEqual(given);
    }
  });

  it('that end inside a character are cut before it', () => {
    const bytes = Buffer.from('aé€😀');
    const ends = Array.from(bytes, (_byte, at) => wholeCharacters(bytes.subarray(0, at + 1)));
    expect(ends).toEqual([1, 1, 3, 3, 3, 6, 6, 6, 6, 10]);
  });
});

describe('locateFrontMatter', () => {
  const header = '---\nname: x\n---\nBody\n';
  it('does not decide on the beginning of a line', () => {
    for (let length = 1; length < header.length; length += 1) {
      const located = locateFrontMatter(header.slice(0, length), { partial: true });
      const expected = length < 4 ? 'undecided' : length < 16 ? 'unterminated' : 'found';
      expect([length, located.kind]).toEqual([length, expected]);
    }
  });

  it.each([
    ['closing as the last line', '```md\n---\na: b\n---\nBody\n```\n', 'Body\n'],
    ['code inside', '```md\n---\na: b\n---\n```js\nx\n```\n```\n', '```js\nx\n```\n'],
    ['longer fence, code inside', '````md\n---\na: b\n---\n```\nx\n```\n````\n', '```\nx\n```\n'],
    ['tildes', '~~~\n---\na: b\n---\nBody\n~~~', 'Body\n'],
    ['closing behind the header', '```yaml\n---\na: b\n---\n```\nBody\n', 'Body\n'],
    [
      'closing behind the header, code in the body',
      '```yaml\n---\na: b\n---\n```\nBody\n```js\nx\n```\n',
      'Body\n```js\nx\n```\n',
    ],
    ['never closing', '```md\n---\na: b\n---\nBody\n', 'Body\n'],
    ['never closing, code at the end', '```md\n---\na: b\n---\nBody\n```js\nx\n```\n', 'Body\n```js\nx\n```\n'],
    ['text behind it', '```md\n---\na: b\n---\nBody\n```\nMore\n', 'Body\n```\nMore\n'],
  ])('removes a code fence: %s', (_name, text, body) => {
    const located = locateFrontMatter(text, { partial: false });
    expect(located).toMatchObject({ kind: 'found', wrapped: true });
    if (located.kind === 'found') expect(text.slice(located.bodyStart, located.bodyEnd)).toBe(body);
  });
});

describe('readHeader', () => {
  it.each<[string, string, unknown]>([
    ['texts in brackets', '[a, "b, c"]', ['a', 'b, c']],
    ['texts on lines', '\n  - a\n  - "b: c"', ['a', 'b: c']],
    ['nothing among texts', '\n  - a\n  -\n  - ~\n  - b', ['a', 'b']],
    [
      'mappings on lines',
      '\n  - text: a\n    at: 2026-03-05\n  - {text: b}',
      [
        [
          ['text', 'a'],
          ['at', '2026-03-05'],
        ],
        [['text', 'b']],
      ],
    ],
    ['nothing at all', '[]', []],
    ['lists in a list', '[[a], b]', null],
    ['a list in a mapping', '[{a: [b]}]', null],
    ['an alias', '[&a x, *a]', null],
  ])('a list of %s', (_name, written, items) => {
    const reading = readHeader(`tags: ${written}\n`, { known });
    const value = reading.kind === 'mapping' ? reading.fields[0]?.value : null;
    expect(value).toMatchObject(items === null ? { kind: 'other' } : { kind: 'list', items });
  });

  it.each([
    ['10,000 brackets', `description: ${'['.repeat(10_000)}\n`],
    ['10,000 braces', `x: ${'{'.repeat(10_000)}\n`],
    ['8,000 dashes', `x:\n  ${'- '.repeat(8_000)}\n`],
    ['5,000 question marks', `${'? '.repeat(5_000)}\n`],
    ['a staircase of keys', Array.from({ length: 150 }, (_, depth) => `${' '.repeat(depth)}name: a: b\n`).join('')],
    ['blanks', `name:${' '.repeat(16_000)}x\n`],
    ['blanks between', `name: a${' '.repeat(16_000)}b: c\n`],
    ['quotes', `name: ${'"'.repeat(16_000)}\n`],
    ['many bad lines', 'name: a: b\n'.repeat(1_500)],
    ['a list that never ends', `x: [${'{a: "b"}, '.repeat(1_500)}\n`],
    ['many aliases', `a: &a x\n${'b: *a\n'.repeat(2_500)}`],
  ])('survives %s', (_name, header) => {
    expect(readHeader(header, { known }).kind).toMatch(/mapping/);
  });
});
