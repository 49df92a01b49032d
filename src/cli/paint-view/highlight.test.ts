import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_PAINT, type Paint } from '../terminal/paint.ts';
import { type HighlightState, highlightLine, languageOf } from './highlight.ts';

const KINDS: Partial<Record<keyof Paint, string>> = {
  ...{ magenta: 'word', green: 'text', dim: 'note', yellow: 'number', cyan: 'name', red: 'gone', bold: 'head' },
};
const TAGGED = Object.fromEntries(
  Object.keys(NO_PAINT).map((name) => [name, (text: string) => `<${KINDS[name as keyof Paint]} ${text}>`]),
) as unknown as Paint;

function colour(language: string, code: string): string {
  let state: HighlightState = null;
  const lines = code.split('\n').map((line) => {
    const coloured = highlightLine(line, { language, state, paint: TAGGED });
    state = coloured.state;
    return coloured.spans.map(({ text, look }) => (look === undefined ? text : look(text))).join('');
  });
  return lines.join('\n');
}

describe('highlightLine', () => {
  it.each([
    ['ts', 'const a: Foo = 0x1f; // n', '<word const> a: <name Foo> = <number 0x1f>; <note // n>'],
    ['tsx', 'let s = "a\\"b" + `x\ny`;', '<word let> s = <text "a\\"b"> + <text `x>\n<text y`>;'],
    ['JavaScript', '/* a\nb */ c', '<note /* a>\n<note b */> c'],
    ['js', "'open\nlet", "<text 'open>\n<word let>"],
    ['python', 'def f(): # c\n"""a\nb"""', '<word def> f(): <note # c>\n<text """a>\n<text b""">'],
    ['bash', 'echo "$A" $b a#b # c', '<word echo> <text "$A"> <name $b> a#b <note # c>'],
    ['json', '{"a": [1, true, "b"]}', '{<name "a">: [<number 1>, <word true>, <text "b">]}'],
    ['yaml', '- a-b: "c" # d', '- <name a-b>: <text "c"> <note # d>'],
    ['html', '<a href="x">t</a><!-- c', '<word <a> <name href>=<text "x">>t<word </a>><note <!-- c>'],
    ['xml', '<a\nb="c">', '<word <a>\n<name b>=<text "c">>'],
    ['css', '.a { top: 1px } /* c', '<name .a> { <name top>: <number 1px> } <note /* c>'],
    [
      'go',
      "func f(s string) rune { return 'x' }",
      "<word func> f(s <name string>) <name rune> { <word return> <text 'x'> }",
    ],
    ['rust', "fn f<'a>(s: &'a str)", "<word fn> f<'a>(s: &'a <name str>)"],
    ['java', 'public Foo x = null;', '<word public> <name Foo> x = <word null>;'],
    ['c++', 'static int x = 1;', '<word static> <name int> x = <number 1>;'],
    ['sql', 'SELECT a FROM b -- c', '<word SELECT> a <word FROM> b <note -- c>'],
    ['diff', '@@ -1 @@\n-a\n+b\n c', '<name @@ -1 @@>\n<gone -a>\n<text +b>\n c'],
    ['markdown', '# a\n- b', '<head # a>\n<word -> b'],
    ['unknown', 'const a = 1', 'const a = 1'],
  ])('%s: %j', (language, code, expected) => {
    expect(colour(language, code)).toBe(expected);
  });

  it('changes no character, whatever the language and the line', () => {
    const languages = [
      'ts',
      'py',
      'sh',
      'json',
      'yaml',
      'html',
      'css',
      'go',
      'rs',
      'java',
      'c',
      'sql',
      'diff',
      'md',
      'x',
    ];
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.constantFrom('"', "'", '`', '/*', '*/', '<a ', '>', '#', '\\', '$x', '- a: b', '0x1', '日本', ' '))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.array(line), (language, lines) => {
        let state: HighlightState = null;
        for (const each of lines) {
          const coloured = highlightLine(each, { language, state, paint: NO_PAINT });
          state = coloured.state;
          expect(coloured.spans.map(({ text }) => text).join('')).toBe(each);
        }
      }),
    );
  });

  it.each([
    ['src/a.ts', 'ts'],
    ['a/Dockerfile', 'dockerfile'],
    ['C:\\x\\b.PY', 'py'],
  ])('takes the language of %s', (file, language) => {
    expect(languageOf(file)).toBe(language);
  });
});
