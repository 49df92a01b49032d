/** The editor on the screen, completion in it, and which pasted paths are images. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKED_PAINT } from '../../../test/support/cli-stub.ts';
import { textWidth } from '../terminal/text-width.ts';
import { complete, completionAt } from './completion.ts';
import { createEditor, type Editor, setEditorText } from './editor.ts';
import { imagePathOf, insertPaste } from './editor-edit.ts';
import { wrapLine } from './editor-layout.ts';
import { withoutColours } from './painted-line.ts';
import { editorWidth, renderEditor } from './render-editor.ts';

function editorAt(marked: string): Editor {
  const [before = '', after = ''] = marked.split('|');
  const rows = before.split('\n');
  return {
    ...setEditorText(createEditor(), before + after),
    cursor: { row: rows.length - 1, column: rows.at(-1)!.length },
  };
}

const view = { columns: 13, prompt: '> ', maxRows: 10 };

describe('the editor on the screen', () => {
  it.each<readonly [string, string, string[], [number, number]]>([
    ['nothing', '|', ['> '], [0, 2]],
    ['one line', 'hello|', ['> hello'], [0, 7]],
    ['a line that fills the row', '0123456789|', ['> 0123456789'], [0, 12]],
    ['a longer one', '0123456789a|', ['> 0123456789', '  a'], [1, 3]],
    ['words', 'one two three four|', ['> one two ', '  three four'], [1, 12]],
    ['a word that just fits, and its space', '0123456789 ab|', ['> 0123456789 ', '  ab'], [1, 4]],
    ['the cursor at a break', 'one two |three four', ['> one two ', '  three four'], [1, 2]],
    ['several lines', 'a\nb|c\n', ['> a', '  bc', '  '], [1, 3]],
    ['wide characters', '日本語日本語|', ['> 日本語日本', '  語'], [1, 4]],
    ['a tab', 'a\tb|', ['> a    b'], [0, 8]],
  ])('%s', (_name, marked, lines, [row, column]) => {
    expect(renderEditor(editorAt(marked), view)).toEqual({ lines, cursor: { row, column } });
  });

  it('shows the rows around the cursor, and that there are more', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`);
    const editor = setEditorText(createEditor(), lines.join('\n'));
    const small = { ...view, maxRows: 3 };
    const at = (row: number) => renderEditor({ ...editor, cursor: { row, column: 0 } }, small);
    expect(at(0)).toEqual({ lines: ['> line 0', '  line 1', '↓ line 2'], cursor: { row: 0, column: 2 } });
    expect(at(4)).toEqual({ lines: ['↑ line 3', '  line 4', '↓ line 5'], cursor: { row: 1, column: 2 } });
    expect(at(8)).toEqual({ lines: ['↑ line 6', '  line 7', '  line 8'], cursor: { row: 2, column: 2 } });
  });

  it('dims pasted text, and the hint while nothing is typed', () => {
    const paint = MARKED_PAINT;
    const pasted = insertPaste(createEditor(), 'x\n'.repeat(20));
    const dimmed = renderEditor(pasted, { ...view, columns: 60, paint });
    expect(dimmed.lines).toEqual([`> ${paint.dim('[Pasted text #1 +20 lines]')}`]);
    const empty = renderEditor(createEditor(), { ...view, paint, hint: 'Ask anything at all' });
    expect(empty).toEqual({ lines: [`> ${paint.dim('Ask anyth…')}`], cursor: { row: 0, column: 2 } });
  });

  it('omits the prompt when there is no room for it', () => {
    expect(renderEditor(editorAt('ab|'), { ...view, columns: 3 }).lines).toEqual(['ab']);
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ' ', '\n', 'é', '日', '🦊', '\t'), maxLength: 120 });
  it('is never wider or higher than allowed, and the cursor is in it', () => {
    fc.assert(
      fc.property(
        fc.record({
          text,
          columns: fc.integer({ min: 8, max: 40 }),
          maxRows: fc.integer({ min: 1, max: 8 }),
          where: fc.nat(),
        }),
        (facts) => {
          const whole = setEditorText(createEditor(), facts.text);
          const row = facts.where % whole.lines.length;
          const editor = { ...whole, cursor: { row, column: whole.lines[row]!.length } };
          const size = { columns: facts.columns, maxRows: facts.maxRows, prompt: '> ' };
          const { lines, cursor } = renderEditor(editor, size);
          expect(lines.length).toBeLessThanOrEqual(facts.maxRows);
          for (const line of lines) expect(textWidth(withoutColours(line))).toBeLessThanOrEqual(facts.columns);
          expect(cursor.row).toBeLessThan(lines.length);
          expect(cursor.column).toBeLessThan(facts.columns);
        },
      ),
    );
  });

  it('breaks a line without losing any of it, however wide its characters are', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 20 }), (line, width) => {
        const rows = wrapLine(line, width);
        expect(rows.map(({ start, end }) => line.slice(start, end)).join('')).toBe(line);
        // The same letters with a zero-width accent take the other code path.
        const accented = line.replaceAll('a', 'a\u0301');
        const others = wrapLine(accented, width).map(({ start, end }) => accented.slice(start, end));
        expect(others.map((part) => part.replaceAll('\u0301', ''))).toEqual(
          rows.map(({ start, end }) => line.slice(start, end)),
        );
      }),
    );
  });

  it('leaves room for the cursor', () => {
    expect(editorWidth(view)).toBe(10);
  });
});

describe('completion', () => {
  it.each<readonly [string, { kind: string; word: string } | null]>([
    ['/|', { kind: 'command', word: '' }],
    ['/mem|', { kind: 'command', word: 'mem' }],
    ['/me|mory list', { kind: 'command', word: 'me' }],
    ['/memory |', { kind: 'argument', word: '' }],
    ['/memory show fe|', { kind: 'argument', word: 'fe' }],
    ['/memory show\nfe|', null],
    ['a /mem|', null],
    ['\n/mem|', null],
    ['/usr/bin|', null],
    ['|/mem', null],
    ['@|', { kind: 'file', word: '' }],
    ['see @src/a|', { kind: 'file', word: 'src/a' }],
    ['see (@src|', { kind: 'file', word: 'src' }],
    ['see @"my fi|', { kind: 'file', word: 'my fi' }],
    ['/memory @a|', { kind: 'file', word: 'a' }],
    ['first\n@b|', { kind: 'file', word: 'b' }],
    ['me@example|', null],
    ['@a |', null],
    ['@"a b" |', null],
  ])('at %s', (marked, expected) => {
    const found = completionAt(editorAt(marked));
    expect(found && { kind: found.kind, word: found.word }).toEqual(expected);
  });

  it.each([
    ['/me|', 'memory', '/memory |'],
    ['/me|m list', 'memory', '/memory |list'],
    ['see @sr|', 'src/', 'see @src/|'],
    ['see @sr| now', 'src/a.ts', 'see @src/a.ts |now'],
    ['see @my|', 'my file.ts', 'see @"my file.ts" |'],
    ['see @"my f|', 'my folder/', 'see @"my folder/|'],
    ['see @"my folder/a|" now', 'my folder/a.ts', 'see @"my folder/a.ts" |now'],
  ])('of %s with %s', (marked, chosen, after) => {
    const editor = editorAt(marked);
    const done = complete(editor, { completion: completionAt(editor)!, chosen });
    const line = done.lines[done.cursor.row]!;
    expect(`${line.slice(0, done.cursor.column)}|${line.slice(done.cursor.column)}`).toBe(after);
  });
});

describe('the path of an image', () => {
  it.each<readonly [string, string | null]>([
    ['/tmp/a.png', '/tmp/a.png'],
    ['/tmp/a.JPEG\n', '/tmp/a.JPEG'],
    ['~/a.webp', '~/a.webp'],
    ['./a.gif', './a.gif'],
    ['/tmp/my\\ shot\\ \\(1\\).png', '/tmp/my shot (1).png'],
    ["'/tmp/my shot.png' ", '/tmp/my shot.png'],
    ['"/tmp/my shot.png"', '/tmp/my shot.png'],
    ['file:///tmp/my%20shot.png', '/tmp/my shot.png'],
    ['file:///C:/a.png', 'C:/a.png'],
    ['C:\\Users\\me\\a.png', 'C:\\Users\\me\\a.png'],
    ['"C:\\my shots\\a.png"', 'C:\\my shots\\a.png'],
    ['a.png', null],
    ['/tmp/a.txt', null],
    ['/tmp/a.png and more', null],
    ['/tmp/a b.png', null],
    ['look at /tmp/a.png', null],
    ['/tmp/a.png\n/tmp/b.png', null],
    ["'/tmp/a.png", null],
    ["'/tmp/a.png' '/tmp/b.png'", null],
    ['https://example.org/a.png', null],
    ['file:///tmp/%zz.png', null],
    ['', null],
  ])('%s', (pasted, path) => {
    expect(imagePathOf(pasted)).toBe(path);
  });
});
