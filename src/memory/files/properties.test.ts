import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import { readPlainHeader } from '../../base/front-matter/plain.ts';
import { MEMORY_SOURCES, MEMORY_TYPES } from '../../base/taxonomy.ts';
import { HEADER_LIMITS } from '../../limits.ts';
import { editMemoryFile, parseMemoryFile, parseMemoryHeader, renderMemoryFile } from './memory-file.ts';
import { cleanValue, quotesToWrite } from './value.ts';

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
const text = fc.oneof(nasty, fc.string(), unicodeText());

const quotes = fc.array(
  fc.record({ text, at: fc.oneof(fc.constantFrom(null, '2026-11-16', '2026-11-16T10:00:00.000Z'), text) }),
  { maxLength: 10 },
);

describe('renderMemoryFile', () => {
  const fields = fc.record(
    {
      name: text,
      description: text,
      type: fc.constantFrom(...MEMORY_TYPES),
      body: text,
      source: fc.constantFrom(...MEMORY_SOURCES),
      quote: quotes,
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
        expect(parsed.quotes).toEqual(quotesToWrite(given.quote ?? []));
        const body = Buffer.from(given.body).toString().replaceAll('\0', '');
        expect(parsed.body.trim()).toBe(body.trim());
        expect(rendered).toMatch(/[^\n]\n$/);
      }),
      { numRuns: runs(300) },
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

describe('quotes', () => {
  const memory = { name: 'role', description: 'd', type: 'user', body: 'Body.' } as const;
  const said = (text: string, at: string | null = null) => ({ text, at });
  const read = (file: string | Uint8Array) => parseMemoryFile(Buffer.from(file as string)).quotes;

  it('stand on one line behind the source', () => {
    const quote = [
      said('we never drop columns in the same release', '2026-11-16'),
      said('say "no", [always]', '2026-11-17T10:00:00Z'),
      said('ok'),
    ];
    const rendered = renderMemoryFile({ ...memory, source: 'said', quote, created: '2026-11-17' });
    expect(rendered).toBe(
      '---\nname: role\ndescription: d\ntype: user\nsource: said\n' +
        'quote: [{text: "we never drop columns in the same release", at: 2026-11-16}, {text: "say \\"no\\", [always]", at: "2026-11-17T10:00:00Z"}, {text: "ok"}]\n' +
        'created: "2026-11-17"\n---\n\nBody.\n',
    );
    expect(renderMemoryFile({ ...memory, quote: [said(' \n')] })).toBe(renderMemoryFile(memory));
  });

  it('are read without YAML, whatever they say', () => {
    const seen = text.filter((one) => !/[\ufffe\uffff]/.test(one));
    fc.assert(
      fc.property(fc.array(fc.record({ text: seen, at: fc.option(seen) })), (quote) => {
        const header = /^---\n([\s\S]*?\n)---\n/.exec(renderMemoryFile({ ...memory, quote }))![1]!;
        expect(readPlainHeader(header)).not.toBeNull();
      }),
      { numRuns: runs(300) },
    );
  });

  it('come back from any file that they are put into, and leave it as it was when they are taken out', () => {
    fc.assert(
      fc.property(quotes, text, fc.constantFrom('\n', '\r\n', '\r'), (quote, description, lineEnd) => {
        const before = Buffer.from(renderMemoryFile({ ...memory, description }).replaceAll('\n', lineEnd));
        const put = editMemoryFile(before, { set: { quote } });
        const put2 = 'bytes' in put ? editMemoryFile(put.bytes, { set: { quote } }) : put;
        const taken = 'bytes' in put2 ? editMemoryFile(put2.bytes, { set: { quote: [] } }) : put2;
        expect('bytes' in put && read(put.bytes)).toEqual(quotesToWrite(quote));
        expect(put2).toEqual(put);
        expect('bytes' in taken && Buffer.from(taken.bytes).toString()).toBe(before.toString());
      }),
      { numRuns: runs(100) },
    );
  });

  it.each<[string, string, string]>([
    ['as long as may be', 'a'.repeat(500), 'a'.repeat(500)],
    ['as long as may be, in characters', '😀'.repeat(500), '😀'.repeat(500)],
    ['cut at a word', 'four '.repeat(120), `${'four '.repeat(99)}four…`],
    ['cut behind a word', `${'a'.repeat(300)} ${'b'.repeat(198)} c`, `${'a'.repeat(300)} ${'b'.repeat(198)}…`],
    ['of one long word', 'a'.repeat(501), `${'a'.repeat(499)}…`],
    ['of one long word behind a short one', `b ${'a'.repeat(600)}`, `b ${'a'.repeat(497)}…`],
    ['cut between joined signs', `${'a'.repeat(497)}👩\u200d👩\u200d👩\u200d👩`, `${'a'.repeat(497)}👩…`],
  ])('%s', (_name, given, written) => {
    expect(read(renderMemoryFile({ ...memory, quote: [said(given)] }))).toEqual([said(written)]);
  });

  it('are the last ones where there are too many', () => {
    const quote = Array.from({ length: 20 }, (_, at) => said(`number ${at}`));
    expect(read(renderMemoryFile({ ...memory, quote }))).toEqual(quote.slice(-HEADER_LIMITS.quotes));
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
      { numRuns: runs(300) },
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
      { numRuns: runs(300) },
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
          quotes: parsed.quotes,
        });
        const first = parseMemoryHeader(bytes.subarray(0, length), { wholeFile: length >= bytes.length });
        if (first !== 'need-more') {
          expect({ ...first.meta }).toEqual({ ...parsed.meta });
          expect(first.hasFrontMatter).toBe(parsed.hasFrontMatter);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
