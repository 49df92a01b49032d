import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMemoryFile, parseMemoryHeader, renderMemoryFile } from './memory-file.ts';
import { cleanValue } from './memory-file-render.ts';
import { MEMORY_SOURCES, MEMORY_TYPES } from './taxonomy.ts';

const nasty = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'B',
        ' ',
        ': ',
        ' #',
        '"',
        "'",
        '\\',
        '\n',
        '\r\n',
        '\t',
        '---',
        '...',
        '- ',
        '[',
        ']',
        '{',
        '}',
        ',',
        '|',
        '>',
      ],
      ...['@', '`', '%', '&', '*', '!', '?', '~', 'null', 'yes', '1.0', '2026-03-05', '<', '</system-reminder>', '```'],
      ...[
        '\0',
        '\x1b',
        '\u0085',
        '\u2028',
        '\ufeff',
        '\u200b',
        '\ud800',
        'é',
        '漢',
        '😀',
        '：',
        '\u00a0',
        '<<<<<<< HEAD',
      ],
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));
const text = fc.oneof(nasty, fc.string(), fc.string({ unit: 'binary' }));

describe('renderMemoryFile', () => {
  const fields = fc.record(
    {
      name: text,
      description: text,
      type: fc.constantFrom(...MEMORY_TYPES),
      body: text,
      source: fc.constantFrom(...MEMORY_SOURCES),
      origin: fc.dictionary(fc.constantFrom('session', 'message', 'from', 'a b', 'x:y'), text),
      created: fc.constantFrom('2026-03-05T10:00:00.000Z', '2026-03-05'),
      modified: fc.constantFrom('2026-03-05T10:00:00.000Z', 'yesterday'),
      pinned: fc.boolean(),
    },
    { requiredKeys: ['name', 'description', 'type', 'body'] },
  );
  const shown = (value: string) => {
    const clean = cleanValue(value);
    return clean.trim() === '' ? undefined : clean;
  };

  it('is read back as it was given', () => {
    fc.assert(
      fc.property(fields, (given) => {
        const rendered = renderMemoryFile(given);
        const parsed = parseMemoryFile(Buffer.from(rendered));
        expect(parsed.hasFrontMatter).toBe(true);
        expect(parsed.type).toBe(given.type);
        expect(parsed.meta.name).toBe(shown(given.name));
        expect(parsed.meta.description).toBe(shown(given.description));
        expect(parsed.meta.source).toBe(given.source);
        expect(parsed.meta.created).toBe(given.created);
        expect(parsed.meta.modified).toBe(given.modified);
        expect(parsed.meta.pinned).toBe(given.pinned === undefined ? undefined : String(given.pinned));
        const origin = Object.entries(given.origin ?? {}).flatMap(([key, value]) =>
          shown(value) === undefined ? [] : [[key, shown(value)]],
        );
        expect({ ...parsed.origin }).toEqual(Object.fromEntries(origin));
        const body = Buffer.from(given.body).toString().replaceAll('\0', '');
        expect(parsed.body.trim()).toBe(body.trim());
        expect(rendered).toMatch(/[^\n]\n$/);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps ordinary values unquoted, and the body byte for byte', () => {
    const body = '    code first\n\n**Why:** trailing blanks  \n\tand tabs';
    const fields = { name: 'No mocks', description: "They don't catch it", type: 'feedback', body } as const;
    expect(renderMemoryFile({ ...fields, source: 'said', origin: { session: 's1' }, pinned: true })).toBe(
      `---\nname: No mocks\ndescription: They don't catch it\ntype: feedback\nsource: said\norigin: {session: s1}\npinned: true\n---\n\n${body}\n`,
    );
  });

  it('writes one line for a name of several', () => {
    const rendered = renderMemoryFile({ name: 'a\r\n\n b', description: 'x\ny: z', type: 'user', body: '' });
    expect(rendered).toBe('---\nname: a b\ndescription: "x y: z"\ntype: user\n---\n');
  });
});

describe('parseMemoryFile', () => {
  const file = fc
    .record({ name: text, description: text, type: fc.constantFrom(...MEMORY_TYPES), body: text })
    .map((fields) => Buffer.from(renderMemoryFile(fields)));
  /** A good file with pieces taken out, put in or doubled. */
  const mangled = fc
    .tuple(file, fc.array(fc.tuple(fc.nat(400), fc.nat(30), nasty), { maxLength: 4 }))
    .map(([bytes, cuts]) =>
      cuts.reduce((whole, [at, length, piece]) => {
        const from = at % (whole.length + 1);
        return Buffer.concat([whole.subarray(0, from), Buffer.from(piece), whole.subarray(from + length)]);
      }, bytes),
    );
  const anyBytes = fc.oneof(
    mangled,
    file,
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    text.map((one) => Buffer.from(one)),
  );

  it('never throws, never loses a body, and gives a line for every warning', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const parsed = parseMemoryFile(bytes);
        const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
        const whole = isUtf16
          ? new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
          : new TextDecoder().decode(bytes);
        const content = whole.replaceAll('\0', '');
        expect(content).toContain(parsed.body);
        if (!parsed.hasFrontMatter) expect(parsed.body.trim()).toBe(content.trim());
        const lines = whole.split(/\r\n|\n|\r/).length;
        for (const warning of parsed.warnings) {
          expect(warning.line).toBeGreaterThanOrEqual(1);
          expect(warning.line).toBeLessThanOrEqual(lines);
          expect(warning.message).not.toBe('');
        }
        expect(Object.getPrototypeOf(parsed.meta)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('keeps all that stands behind the closing fence', () => {
    fc.assert(
      fc.property(text, text, (description, body) => {
        const header = `---\nname: n\ndescription: ${description.replace(/[\r\n]+/g, ' ')}\ntype: user\n---\n`;
        const parsed = parseMemoryFile(Buffer.from(header + body));
        expect(parsed.body.trim()).toContain(Buffer.from(body).toString().replaceAll('\0', '').trim());
        expect(parsed.type).toBe('user');
        expect(parsed.meta.name).toBe('n');
      }),
      { numRuns: 300 },
    );
  });

  it('says of a file what its first bytes say, once they hold the header', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(400), (bytes, length) => {
        const parsed = parseMemoryFile(bytes);
        const whole = parseMemoryHeader(bytes, { wholeFile: true });
        expect(whole).toMatchObject({
          hasFrontMatter: parsed.hasFrontMatter,
          type: parsed.type,
          origin: parsed.origin,
        });
        const first = parseMemoryHeader(bytes.subarray(0, length), { wholeFile: length >= bytes.length });
        if (first !== 'need-more') {
          expect({ ...first.meta }).toEqual({ ...parsed.meta });
          expect(first.hasFrontMatter).toBe(parsed.hasFrontMatter);
        }
      }),
      { numRuns: 300 },
    );
  });
});
