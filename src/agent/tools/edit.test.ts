import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolPlace, type ToolPlace } from '../../../test/support/tool-place.ts';
import { applyEdit } from './apply-edit.ts';

let place: ToolPlace;
beforeEach(() => {
  place = createToolPlace();
});
afterEach(() => place.close());

async function edit(content: string | Buffer, old_string: string, new_string: string, more: object = {}) {
  place.put('a.txt', content);
  await place.call('Read', { file_path: 'a.txt' });
  return place.call('Edit', { file_path: 'a.txt', old_string, new_string, ...more });
}

describe('an edit', () => {
  it.each([
    ['one place', 'a b c', 'b', 'x', 'a x c'],
    ['several lines', 'a\nb\nc\n', 'a\nb', 'x', 'x\nc\n'],
    ['nothing in its place', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
    ['signs that patterns know', 'a.*b $& c', '.*b $&', '$1 $$ $`', 'a$1 $$ $` c'],
    ['Windows line ends', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\n', 'x\r\ny\r\nc\r\n'],
    ['a single line in a Windows file', 'a\r\nb\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\n'],
    ['line ends of both kinds', 'a\r\nb\nc\nd\n', 'b\nc', 'x\ny', 'a\r\nx\ny\nd\n'],
    ['a mark at the start', '\uFEFFa\nb', 'a\nb', 'c', '\uFEFFc'],
    ['no final line end', 'a\nb', 'b', 'c', 'a\nc'],
  ])('replaces: %s', async (_what, content, oldText, newText, expected) => {
    expect(await edit(content, oldText, newText)).not.toHaveProperty('isError');
    expect(place.text('a.txt')).toBe(expected);
  });

  it('replaces every place when asked to', async () => {
    const result = await edit('a b a b a', 'a', 'aa', { replace_all: true });
    expect(result.text).toContain('3 places');
    expect(place.text('a.txt')).toBe('aa b aa b aa');
  });

  it('shows the place with its numbers, and people the difference', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const result = await edit(lines.join('\n'), 'line 10', 'ten\nand more');
    const shown = [
      'line 6',
      'line 7',
      'line 8',
      'line 9',
      'ten',
      'and more',
      'line 11',
      'line 12',
      'line 13',
      'line 14',
    ];
    const numbered = shown.map((line, index) => `${String(index + 6).padStart(6)}\t${line}`);
    expect(result.text).toBe(['Edited a.txt. It now reads:', ...numbered].join('\n'));
    expect(result.display).toMatchObject({ kind: 'diff', file: 'a.txt', before: lines.join('\n') });
  });

  it('may be followed by another without reading again', async () => {
    await edit('one two', 'one', '1');
    await place.call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' });
    expect(place.text('a.txt')).toBe('1 2');
  });

  it('makes a new file of an empty old text', async () => {
    const made = await place.call('Edit', { file_path: 'new/a.txt', old_string: '', new_string: 'text\n' });
    expect(made.text).toBe('Created new/a.txt (1 line).');
    expect(place.text('new/a.txt')).toBe('text\n');
    expect(await edit('', '', 'filled')).not.toHaveProperty('isError');
    expect(place.text('a.txt')).toBe('filled');
  });
});

describe('an edit that is refused', () => {
  it.each([
    ['not there', 'alpha\nbeta\n', 'gamma delta', /not in a\.txt\. Nothing in the file is like it/],
    ['nearly there', 'one\nconst total = 5;\n', 'const totals = 5;', /nearest line is 2:\n {5}2\tconst total = 5;/],
    ['other white space', 'if (a) {\n\treturn b;\n}\n', '    return b;', /Line 2 differs in white space only/],
    ['white space over lines', 'a\n  b\n  c\n', 'a\nb\nc', /Line 1 differs in white space only/],
    ['line numbers in it', 'one\ntwo\n', '     1\tone\n     2\ttwo', /leave out the numbers/],
    ['several', 'x\na\nx\nx\n', 'x', /3 times, beginning on lines 1, 3, 4.*replace_all/],
    ['several that overlap', 'aaa', 'aa', /2 times/],
    ['the same', 'one', 'one', /the same/],
    ['empty for a file with text', 'one', '', /old_string is empty, but a\.txt holds text/],
  ])('%s', async (_what, content, oldText, reason) => {
    const result = await edit(content, oldText, 'one');
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(reason);
    expect(place.text('a.txt')).toBe(content);
  });

  it('because the file was not read, or changed, or is not there', async () => {
    const call = () => place.call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
    expect((await call()).text).toMatch(/does not exist/);
    place.put('a.txt', 'one');
    expect((await call()).text).toMatch(/not read it yet/);
    await place.call('Read', { file_path: 'a.txt' });
    place.put('a.txt', 'one more');
    expect((await call()).text).toMatch(/changed since/);
  });

  it('because it is not UTF-8', async () => {
    const bytes = Buffer.from([0x61, 0xe9, 0x62]);
    expect((await edit(bytes, 'a', 'b')).text).toMatch(/not valid UTF-8/);
  });

  it('because it changed between the look and the write', async () => {
    place.put('a.txt', 'one');
    const { files } = place.ports;
    const other = createToolPlace({
      cwd: place.root,
      files: {
        ...files,
        async write(path, bytes, options) {
          place.put('a.txt', 'the user’s one');
          return files.write(path, bytes, options);
        },
      },
    });
    await other.call('Read', { file_path: 'a.txt' });
    const result = await other.call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('was changed') });
    expect(place.text('a.txt')).toBe('the user’s one');
    await other.close();
  });
});

describe('any text', () => {
  const letters = fc.constantFrom('a', 'b', '\n', ' ', '$', '.', 'é', '😀');
  const texts = fc.array(letters, { maxLength: 40 }).map((each) => each.join(''));
  const wanted = fc.array(letters, { minLength: 1, maxLength: 3 }).map((each) => each.join(''));

  it('is edited as splitting and joining would', () => {
    fc.assert(
      fc.property(texts, wanted, texts, (text, oldText, newText) => {
        const all = applyEdit(text, { oldText, newText, replaceAll: true });
        const parts = text.split(oldText);
        if (parts.length === 1) expect(all).toEqual({ kind: 'no-match' });
        else {
          const firstLine = parts[0]!.split('\n').length;
          expect(all).toEqual({ kind: 'edited', text: parts.join(newText), count: parts.length - 1, firstLine });
        }
      }),
    );
  });

  it('is edited once exactly when there is one place', () => {
    fc.assert(
      fc.property(texts, wanted, texts, (text, oldText, newText) => {
        const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(oldText, at));
        const one = applyEdit(text, { oldText, newText, replaceAll: false });
        const lines = places.map((at) => text.slice(0, at).split('\n').length);
        if (places.length === 0) expect(one).toEqual({ kind: 'no-match' });
        else if (places.length > 1) expect(one).toEqual({ kind: 'several', lines });
        else {
          const [at] = places;
          const expected = text.slice(0, at) + newText + text.slice(at! + oldText.length);
          expect(one).toMatchObject({ kind: 'edited', text: expected, firstLine: lines[0] });
        }
      }),
    );
  });

  it('with Windows line ends comes out as the plain one would, with Windows line ends', () => {
    const windows = (text: string) => text.replaceAll('\n', '\r\n');
    fc.assert(
      fc.property(texts, wanted, texts, fc.boolean(), (text, oldText, newText, replaceAll) => {
        // A file of a single line has no line ends to keep.
        fc.pre(text.includes('\n'));
        const plain = applyEdit(text, { oldText, newText, replaceAll });
        const expected = plain.kind === 'edited' ? { ...plain, text: windows(plain.text) } : plain;
        expect(applyEdit(windows(text), { oldText, newText, replaceAll })).toEqual(expected);
        expect(applyEdit(windows(text), { oldText: windows(oldText), newText, replaceAll })).toEqual(expected);
      }),
    );
  });
});
