import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import { editMemoryFile, type MemoryFileChanges, parseMemoryFile } from './memory-file.ts';

function edited(content: string | Uint8Array, changes: MemoryFileChanges): Buffer {
  const result = editMemoryFile(Buffer.from(content as string), changes);
  if ('refused' in result) throw new Error(result.refused);
  return Buffer.from(result.bytes);
}

function editedText(content: string, changes: MemoryFileChanges): string {
  return edited(content, changes).toString();
}

const FILE = '---\nname: role\ndescription: d\ntype: user\n---\n\nBody.\n';
const withDescription = (written: string) => `---\nname: role\ndescription: ${written}\ntype: user\n---\n\nBody.\n`;

describe('setting a key', () => {
  it.each<[string, string, MemoryFileChanges['set'], string]>([
    ['plain', FILE, { description: 'new' }, withDescription('new')],
    ['that YAML could misread', FILE, { description: 'a: b #c' }, withDescription('"a: b #c"')],
    ['in double quotes', withDescription('"a: b"'), { description: 'new' }, withDescription('new')],
    ['with a comment behind', withDescription('old # why'), { description: 'new' }, withDescription('new # why')],
    ['empty with a comment', withDescription('# todo'), { description: 'new' }, withDescription('new # todo')],
    [
      'empty',
      withDescription(''),
      { description: 'new' },
      '---\nname: role\ndescription: new \ntype: user\n---\n\nBody.\n',
    ],
    ['over several lines', withDescription('a\n  b\n  c'), { description: 'new' }, withDescription('new')],
    ['as a block', withDescription('|\n  a\n\n  b\n'), { description: 'new' }, withDescription('new\n')],
    [
      'as a block with a comment',
      withDescription('>- # why\n  a'),
      { description: 'new' },
      withDescription('new # why'),
    ],
    ['on the next line', withDescription('\n  a'), { description: 'new' }, withDescription('\n  new')],
    ['with a tag', withDescription('!important rule'), { description: 'new' }, withDescription('new')],
    [
      'as a list',
      withDescription('\n  - a\n  - b'),
      { description: 'new' },
      '---\nname: role\ndescription: new\ntype: user\n---\n\nBody.\n',
    ],
    ['that is not YAML', withDescription('a: b'), { description: 'c: d' }, withDescription('"c: d"')],
    [
      'beside one that is not YAML',
      withDescription('a: b'),
      { name: 'new' },
      withDescription('a: b').replace('role', 'new'),
    ],
    [
      'with a full-width colon',
      FILE.replace('description: ', 'Description：'),
      { description: 'new' },
      FILE.replace('description: d', 'Description: new'),
    ],
    [
      'in capitals',
      FILE.replace('type: user', 'Type: User'),
      { type: 'project' },
      FILE.replace('type: user', 'Type: project'),
    ],
    [
      'twice',
      FILE.replace('type: user', 'type: user\ntype: project'),
      { type: 'feedback' },
      FILE.replace('type: user', 'type: user\ntype: feedback'),
    ],
    [
      'in metadata',
      FILE.replace('type: user', 'metadata:\n  # kept\n  type: user\n  x: y'),
      { type: 'project' },
      FILE.replace('type: user', 'metadata:\n  # kept\n  type: project\n  x: y'),
    ],
    [
      'in metadata on one line',
      FILE.replace('type: user', 'metadata: {type: user, x: y}'),
      { type: 'a, b' },
      FILE.replace('type: user', 'metadata: {type: "a, b", x: y}'),
    ],
    [
      'in a flow mapping',
      '---\n{name: role, type: user}\n---\nBody.\n',
      { type: 'project' },
      '---\n{name: role, type: project}\n---\nBody.\n',
    ],
    [
      'new in a flow mapping',
      '---\n{name: role, type: user}\n---\nBody.\n',
      { pinned: true },
      '---\n{name: role, type: user, pinned: true}\n---\nBody.\n',
    ],
    [
      'new',
      FILE,
      { pinned: true, superseded_by: 'b.md' },
      FILE.replace('user\n', 'user\npinned: true\nsuperseded_by: b.md\n'),
    ],
    [
      'new, behind comments',
      FILE.replace('user\n', 'user\n# end\n'),
      { pinned: true },
      FILE.replace('user\n', 'user\n# end\npinned: true\n'),
    ],
    [
      'new in an indented block',
      '---\n  name: role\n  type: user\n---\nBody.\n',
      { pinned: true },
      '---\n  name: role\n  type: user\n  pinned: true\n---\nBody.\n',
    ],
    ['new in an empty block', '---\n---\nBody.\n', { name: 'x' }, '---\nname: x\n---\nBody.\n'],
    [
      'new behind an open conflict',
      '---\nname: role\n<<<<<<< HEAD\ntype: user\n---\nBody.\n',
      { type: 'project' },
      '---\ntype: project\nname: role\n<<<<<<< HEAD\ntype: user\n---\nBody.\n',
    ],
    [
      'origin',
      FILE,
      { origin: { session: 's1', message: 'a: b' } },
      FILE.replace('user\n', 'user\norigin: {session: s1, message: "a: b"}\n'),
    ],
    [
      'origin over a block',
      FILE.replace('user\n', 'user\norigin: # from\n  session: s1\n  # inside\n  message: 2\nx: y\n'),
      { origin: { session: 's2' } },
      FILE.replace('user\n', 'user\norigin: {session: s2} # from\nx: y\n'),
    ],
    [
      'as it is',
      FILE.replace('description: d', 'description:   "d"  '),
      { description: 'd' },
      FILE.replace('description: d', 'description:   "d"  '),
    ],
    ['of our own unknown', FILE, { tags: 'x' }, FILE.replace('user\n', 'user\ntags: x\n')],
  ])('%s', (_name, before, set, after) => {
    expect(editedText(before, { set: set! })).toBe(after);
  });
});

describe('removing a key', () => {
  it.each<[string, string, string[], string]>([
    ['plain', FILE, ['description'], '---\nname: role\ntype: user\n---\n\nBody.\n'],
    [
      'over several lines',
      withDescription('|\n  a\n\n  b'),
      ['description'],
      '---\nname: role\ntype: user\n---\n\nBody.\n',
    ],
    ['that is not there', FILE, ['pinned'], FILE],
    [
      'twice',
      FILE.replace('type: user', 'type: user\n# kept\ntype: project'),
      ['type'],
      FILE.replace('type: user', '# kept'),
    ],
    [
      'in metadata',
      FILE.replace('type: user', 'metadata:\n  x: y\n  type: user'),
      ['type'],
      FILE.replace('type: user', 'metadata:\n  x: y'),
    ],
    [
      'in a flow mapping',
      '---\n{name: role, pinned: true}\n---\nBody.\n',
      ['pinned'],
      '---\n{name: role}\n---\nBody.\n',
    ],
    [
      'first in a flow mapping',
      '---\n{pinned: true, name: role}\n---\nBody.\n',
      ['pinned'],
      '---\n{name: role}\n---\nBody.\n',
    ],
    ['that is not YAML', withDescription('a: b'), ['description'], '---\nname: role\ntype: user\n---\n\nBody.\n'],
  ])('%s', (_name, before, remove, after) => {
    expect(editedText(before, { remove })).toBe(after);
  });
});

describe('changing the body', () => {
  it.each<[string, string, string, string]>([
    ['plain', FILE, 'New.\n\nMore.\n', FILE.replace('Body.', 'New.\n\nMore.')],
    ['right behind the fence', '---\nname: role\n---\nBody.\n', 'New.', '---\nname: role\n---\nNew.\n'],
    ['that looks like front matter', FILE, '---\nname: x\n---', FILE.replace('Body.', '---\nname: x\n---')],
    ['to nothing', FILE, '', FILE.replace('\nBody.\n', '')],
    ['from nothing', '---\nname: role\n---', 'New.', '---\nname: role\n---\n\nNew.\n'],
    [
      'in a code fence',
      '```md\n---\nname: role\n---\nBody.\n```\n',
      'New.',
      '```md\n---\nname: role\n---\nNew.\n```\n',
    ],
    ['as it is', '---\nname: role\n---\n\n\nBody.  \n\n\n', 'Body.', '---\nname: role\n---\n\n\nBody.  \n\n\n'],
    ['without front matter', 'Old.\n', 'New.', 'New.\n'],
  ])('%s', (_name, before, body, after) => {
    expect(editedText(before, { body })).toBe(after);
  });

  it('refuses what would swallow the fence around the file', () => {
    const content = '```md\n---\nname: role\n---\nBody.\n```\n';
    expect(editMemoryFile(Buffer.from(content), { body: 'New.\n```' })).toHaveProperty('refused');
  });
});

describe('everything else survives', () => {
  it('line ends, byte order mark, comments, quoting, order and blanks', () => {
    const before =
      '\ufeff---  \r\n# first\r\n"name":   \'role\'  # n\r\ntags: [a,   b]\r\ndescription: d\r\n\r\nx: |\r\n  y\r\n---\r\n\r\nBody  \r\n\r\n';
    expect(editedText(before, { set: { description: 'new', pinned: true } })).toBe(
      before.replace('description: d', 'description: new').replace('  y\r\n', '  y\r\npinned: true\r\n'),
    );
    const withCr = FILE.replaceAll('\n', '\r');
    expect(editedText(withCr, { set: { pinned: true } })).toBe(withCr.replace('user\r', 'user\rpinned: true\r'));
  });

  it('bytes that are not UTF-8', () => {
    const before = Buffer.from('---\nname: r\u00ff\ndescription: d\n---\nB\u00fe\u00e9dy\n', 'latin1');
    const after = edited(before, { set: { description: 'né' } });
    expect(after).toEqual(
      Buffer.concat([
        Buffer.from('---\nname: r\u00ff\ndescription: n', 'latin1'),
        Buffer.from('é'),
        Buffer.from('\n---\nB\u00fe\u00e9dy\n', 'latin1'),
      ]),
    );
  });

  it('UTF-16', () => {
    const before = Buffer.from(`\ufeff${FILE}`, 'utf16le');
    const after = edited(before, { set: { description: 'n😀' } });
    expect(after).toEqual(Buffer.from(`\ufeff${withDescription('n😀')}`, 'utf16le'));
    const odd = Buffer.concat([before, Buffer.of(0x41)]);
    expect(editMemoryFile(odd, { set: { pinned: true } })).toHaveProperty('refused');
  });

  it('a text without front matter, which gets one', () => {
    for (const text of [
      '# Title\n',
      '---\nname: role\n\nText\n',
      '---\n\nText\n\n---\nMore',
      '----\n',
      '```\ncode\n```\n',
      '\r\n\r\nText\r\n',
    ]) {
      const lineEnd = text.includes('\r') ? '\r\n' : '\n';
      const header = ['---', 'name: x', 'pinned: true', '---', ''].join(lineEnd);
      expect(editedText(text, { set: { name: 'x', pinned: true } })).toBe(header + lineEnd + text);
    }
  });

  it('a header above the limit', () => {
    const before = `---\nname: role\n${'k: v\n'.repeat(4_000)}---\nBody.\n`;
    expect(editedText(before, { set: { pinned: true } })).toBe(before.replace('---\n', '---\npinned: true\n'));
    expect(editedText(before, { set: { name: 'x' } })).toBe(before.replace('role', 'x'));
  });

  it('refuses keys that cannot be one', () => {
    for (const key of ['__proto__', 'a b', '', 'x:']) {
      expect(editMemoryFile(Buffer.from(FILE), { set: JSON.parse(`{${JSON.stringify(key)}: "x"}`) })).toHaveProperty(
        'refused',
      );
    }
  });
});

describe('any file', () => {
  const value = fc.oneof(
    fc.string(),
    unicodeText(),
    fc.constantFrom(
      'plain',
      'a: b',
      'x #y',
      '',
      ' ',
      'yes',
      '- a',
      '"q"',
      "it's",
      'a\nb',
      '{x}',
      '漢字',
      '😀',
      '\u200b',
      '\ud800',
      '</system-reminder>',
    ),
  );
  const written = fc.constantFrom(
    ...[
      'plain',
      '"quoted: x"',
      "'single'",
      '',
      '~',
      'a # comment',
      '|\n  block\n  text',
      '>-\n  folded\n\n  text',
      'one\n  two',
    ],
    ...[
      '"two\n  lines"',
      '[a, b]',
      '{a: b, c: d}',
      '[{text: "a, b", at: 2026-11-16}, {text: c}]',
      '\n  - text: a\n    at: b\n  - c',
      '\n  - a\n  - b',
      '\n  k: v\n  # c\n  l: w',
      '!tag x',
      '&anchor x',
      '12:30',
      '# only',
    ],
  );
  const broken = fc.constantFrom('a: b', '@x', '"a" b', '*x* y', "'it's'", '- a', '`x`', 'remember:', '[a] b');
  const keys = ['name', 'description', 'type', 'source', 'origin', 'quote', 'pinned', 'tags', 'x'] as const;
  const part = (values: fc.Arbitrary<string>) =>
    fc
      .tuple(fc.constantFrom(...keys), values)
      .map(([key, text]) => ({ key: key as string, text: `${key}: ${text}\n` }));
  const filler = fc
    .constantFrom('# comment\n', '\n', 'other: 1\n', 'metadata:\n  nested: x\n')
    .map((text) => ({ key: '', text }));
  const parts = (values: fc.Arbitrary<string>) =>
    fc
      .array(fc.oneof({ weight: 3, arbitrary: part(values) }, { weight: 1, arbitrary: filler }), {
        minLength: 1,
        maxLength: 7,
      })
      .map((all) => all.filter((one, at) => one.key === '' || all.findIndex((other) => other.key === one.key) === at));
  const body = fc.constantFrom('', 'Body.\n', '\nBody\n\n---\nmore\n', 'x\u0000y', '```\ncode\n```\n');
  const change = fc.record({ key: fc.constantFrom('name', 'description', 'source', 'refuted'), value });

  const readBack = (bytes: Uint8Array, key: string) => parseMemoryFile(bytes).meta[key] ?? '';

  it('holds exactly the new value, and every other line as it was', () => {
    const file = fc.tuple(
      fc.oneof(parts(written), parts(fc.oneof(written, broken))),
      body,
      fc.constantFrom('\n', '\r\n', '\r'),
    );
    fc.assert(
      fc.property(file, change, ([all, text, lineEnd], { key, value: wanted }) => {
        const convert = (from: string) => from.replaceAll('\n', lineEnd);
        const before = Buffer.from(convert(`---\n${all.map((one) => one.text).join('')}---\n${text}`));
        const old = parseMemoryFile(before);
        fc.pre(old.hasFrontMatter);
        const after = edited(before, { set: { [key]: wanted } });
        const parsed = parseMemoryFile(after);
        const once = edited(after, { set: { [key]: wanted } });
        expect(once).toEqual(after);
        expect(parsed.body).toBe(old.body);
        expect({ ...parsed.meta, [key]: '' }).toEqual({ ...old.meta, [key]: '' });
        expect(parsed.origin).toEqual(old.origin);
        expect(parsed.quotes).toEqual(old.quotes);
        if (/^[ -~]*[!-~][ -~]*$/.test(wanted)) expect(readBack(after, key)).toBe(wanted);

        const at = all.findIndex((one) => one.key === key);
        const kept = (from: typeof all) => convert(from.map((one) => one.text).join(''));
        const ahead = `---${lineEnd}${kept(at === -1 ? all : all.slice(0, at))}`;
        const behind = `${kept(at === -1 ? [] : all.slice(at + 1))}---${lineEnd}${convert(text)}`;
        expect(after.toString().startsWith(ahead)).toBe(true);
        expect(after.toString().endsWith(behind)).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });

  it('mangled or not, is changed as asked or left alone with a reason', () => {
    const junk = fc.constantFrom(
      '---',
      '\n',
      ': ',
      '"',
      '{',
      '}',
      '[',
      '- ',
      '  ',
      '\t',
      '\0',
      '<<<<<<< HEAD\n',
      '>>>>>>> x\n',
      '```\n',
      '\ufeff',
      '&a ',
      '*a',
      '? ',
      '#',
      '：',
    );
    const mangled = fc
      .tuple(
        parts(fc.oneof(written, broken)),
        body,
        fc.array(fc.tuple(fc.nat(300), fc.nat(12), junk), { maxLength: 4 }),
      )
      .map(([all, text, cuts]) =>
        cuts.reduce(
          (whole, [at, length, piece]) => {
            const from = at % (whole.length + 1);
            return whole.slice(0, from) + piece + whole.slice(from + length);
          },
          `---\n${all.map((one) => one.text).join('')}---\n${text}`,
        ),
      );
    const content = fc.oneof(
      mangled.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    const changes = fc.record(
      {
        set: fc.dictionary(fc.constantFrom('name', 'description', 'refuted'), value),
        remove: fc.subarray(['source', 'pinned', 'type']),
        body: value,
      },
      { requiredKeys: [] },
    );
    let refusals = 0;
    const runs = 200;
    fc.assert(
      fc.property(content, changes, (bytes, given) => {
        const result = editMemoryFile(bytes, given);
        if ('refused' in result) {
          expect(result.refused).not.toBe('');
          refusals += 1;
          return;
        }
        const old = parseMemoryFile(bytes);
        const parsed = parseMemoryFile(result.bytes);
        if (given.body === undefined) expect(parsed.body).toBe(old.body);
        for (const key of ['name', 'description', 'refuted', 'source', 'pinned', 'type']) {
          const isRemoved = given.remove?.includes(key) ?? false;
          if (isRemoved) expect(parsed.meta[key]).toBeUndefined();
          else if (given.set?.[key] === undefined) expect(parsed.meta[key]).toBe(old.meta[key]);
          else if (/^[ -~]*[!-~][ -~]*$/.test(given.set[key])) expect(parsed.meta[key]).toBe(given.set[key]);
        }
      }),
      { numRuns: runs },
    );
    expect(refusals).toBeLessThan(runs / 10);
  });
});
