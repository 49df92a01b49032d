import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { NO_PAINT, type Paint } from '../terminal/paint.ts';
import { createMarkdown } from './markdown.ts';

/** Readable looks: `<bold>…</bold>`. */
const TAGGED = Object.fromEntries(
  Object.keys(NO_PAINT).map((name) => [name, (text: string) => `<${name}>${text}</${name}>`]),
) as unknown as Paint;

function draw(text: string, options: { width?: number; paint?: Paint; hyperlinks?: boolean } = {}): string[] {
  const markdown = createMarkdown({ width: 40, paint: NO_PAINT, ...options });
  return [...markdown.push(text).finished, ...markdown.end()];
}

describe('blocks', () => {
  it.each<[string, string, string[]]>([
    [
      'a paragraph',
      'one two three four five six seven eight nine',
      ['one two three four five six seven eight', 'nine'],
    ],
    ['lines of a paragraph', 'name: a\nage: b', ['name: a', 'age: b']],
    ['a heading', '# Title\ntext', ['# Title', 'text']],
    ['an underlined heading', 'Title\n=====\ntext', ['## Title', 'text']],
    ['a rule', 'a\n\n***\nb', ['a', '', '─'.repeat(40), 'b']],
    ['empty lines, which are one', 'a\n\n\n\nb', ['a', '', 'b']],
    ['a list', '- a\n- b', ['• a', '• b']],
    ['a nested list', '- a\n  - b\n    - c\n- d', ['• a', '  ◦ b', '    ▪ c', '• d']],
    ['two blanks below a number', '1. a\n  - b\n2. c', ['1. a', '   ◦ b', '2. c']],
    ['four blanks below a bullet', '- a\n    - b', ['• a', '  ◦ b']],
    ['a list that starts anywhere', '7. a\n8. b', ['7. a', '8. b']],
    ['a year that starts a line', 'it was in\n2023. Then', ['it was in', '2023. Then']],
    ['tasks', '- [ ] a\n- [x] b', ['☐ a', '☑ b']],
    ['an empty item', '-\n- b', ['•', '• b']],
    ['a long item', `- ${'word '.repeat(10)}`, ['• word word word word word word word', '  word word word']],
    ['two paragraphs of an item', '- a\n\n  b\n\nc', ['• a', '', '  b', '', 'c']],
    ['a quote', '> a\nb\n>\n> c', ['│ a', '│ b', '│', '│ c']],
    ['a quote in a quote', '> a\n> > b', ['│ a', '│ │ b']],
    ['a list in a quote', '> - a\n>   b', ['│ • a', '│   b']],
    ['code', '```\na\n\n  b\n```\nc', ['  a', '', '    b', 'c']],
    ['code that looks like markdown', '~~~\n# a\n```\n- b\n~~~', ['  # a', '  ```', '  - b']],
    ['code in a list', '1. a\n   ```\n   b\n     c\n   ```\n2. d', ['1. a', '     b', '       c', '2. d']],
    ['code that never ends', '```\na\nb', ['  a', '  b']],
    ['long code', `\`\`\`\n${'x'.repeat(50)}`, [`  ${'x'.repeat(38)}`, `  ${'x'.repeat(12)}`]],
    ['a long word', 'x'.repeat(50), ['x'.repeat(40), 'x'.repeat(10)]],
    ['Chinese', '你好'.repeat(12), ['你好'.repeat(10), '你好'.repeat(2)]],
    ['Chinese closing marks', `${'你'.repeat(19)}好。吗`, ['你'.repeat(19), '好。吗']],
    ['line ends of Windows', 'a\r\n\r\n- b\r\n', ['a', '', '• b']],
    ['tabs', '\ta', ['a']],
    ['control sequences', 'a\u001b[2Jb\u001b]0;x\u0007c', ['abc']],
  ])('draws %s', (_, text, lines) => {
    expect(draw(text)).toEqual(lines);
  });

  it('draws tables in columns, aligned as they ask', () => {
    expect(draw('| a | b | c |\n|---|:-:|--:|\n| 1 | 日本語 | 3 |\n| `x` | y\\|z |')).toEqual([
      'a   │   b    │ c',
      '────┼────────┼──',
      '1   │ 日本語 │ 3',
      '`x` │  y|z   │',
    ]);
  });

  it('wraps the cells of a table that is too wide, and takes from the widest', () => {
    expect(draw('| id | text |\n|--|--|\n| 1 | alpha beta gamma delta |', { width: 20 })).toEqual([
      'id │ text',
      '───┼────────────────',
      '1  │ alpha beta',
      '   │ gamma delta',
    ]);
  });

  it('turns a table into lists when columns have no room', () => {
    expect(draw('| a | b | c | d |\n|--|--|--|--|\n| 1 | 2 | 3 | 4 |\n| 5 |', { width: 16 })).toEqual([
      ...['a: 1', 'b: 2', 'c: 3', 'd: 4', '────────'],
      ...['a: 5', 'b:', 'c:', 'd:'],
    ]);
  });

  it('accepts a table right below a line of text', () => {
    expect(draw('See:\n| a |\n|---|\n| 1 |\nafter')).toEqual(['See:', 'a', '─', '1', 'after']);
  });
});

describe('within a line', () => {
  it.each([
    ['**a** b', '<bold>a</bold> b'],
    ['*a* _b_', '<italic>a</italic> <italic>b</italic>'],
    ['***a***', '<bold><italic>a</italic></bold>'],
    ['**a *b***', '<bold>a </bold><bold><italic>b</italic></bold>'],
    ['~~a~~ ~b~', '<strikethrough>a</strikethrough> ~b~'],
    ['`a*b*` ``c`d``', '<cyan>a*b*</cyan> <cyan>c`d</cyan>'],
    ['snake_case_name 2 * 3 * 4', 'snake_case_name 2 * 3 * 4'],
    ['**重要。**然后', '<bold>重要。</bold>然后'],
    ['**open `too', '**open `too'],
    ['\\*a\\* \\q', '*a* \\q'],
    ['[text](http://x.y/a_(b)) .', 'text<dim> (http://x.y/a_(b))</dim> .'],
    ['[**b**](u "title")', '<bold>b</bold><dim> (u)</dim>'],
    ['[http://x](http://x) <http://y>', 'http://x http://y'],
    ['![alt](u)', 'alt<dim> (u)</dim>'],
    ['[a] (b) [c', '[a] (b) [c'],
    ['# a `b`', '<bold>a </bold><bold><cyan>b</cyan></bold>'],
  ])('draws %j', (text, line) => {
    expect(draw(text, { paint: TAGGED, width: 200 })).toEqual([line]);
  });

  it('makes links the terminal’s own only when asked, and only for addresses that cannot break out', () => {
    const link = (address: string) => draw(`[a](${address})`, { paint: TAGGED, hyperlinks: true })[0];
    expect(link('https://x.y')).toBe('\u001b]8;;https://x.y\u001b\\a\u001b]8;;\u001b\\');
    expect(link('javascript:x')).toBe('a<dim> (javascript:x)</dim>');
    expect(link('https://x\u001b\\y')).toBe(link('https://xy'));
  });
});

describe('streaming', () => {
  const piece = fc.constantFrom(
    ...[
      'word',
      ' ',
      '\n',
      '\n\n',
      '- ',
      '  - ',
      '1. ',
      '> ',
      '**',
      '*',
      '`',
      '```',
      '```ts\n',
      '| a | b |\n',
      '|--|--|\n',
      '# ',
    ],
    ...[
      '---\n',
      '===\n',
      '\r\n',
      '\r',
      '日本',
      '[x](y)',
      'const a = `',
      '\u001b[31m',
      '    ',
      '~~~\n',
      '- [ ] ',
      'z'.repeat(5_000),
    ],
  );
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('always shows what the text so far would show, and never takes a finished line back', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (text, steps) => {
        const markdown = createMarkdown({ width: 30, paint: TAGGED });
        const finished: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const end = at + steps[turn % steps.length]! * (text.length > 1_000 ? 100 : 1);
          const lines = markdown.push(text.slice(at, end));
          finished.push(...lines.finished);
          at = end;
          expect([...finished, ...lines.open]).toEqual(draw(text.slice(0, at), { width: 30, paint: TAGGED }));
        }
        expect([...finished, ...markdown.end()]).toEqual(draw(text, { width: 30, paint: TAGGED }));
      }),
      { numRuns: runs(60) },
    );
  });

  it('finishes each line of code as it ends, coloured', () => {
    const markdown = createMarkdown({ width: 40, paint: TAGGED });
    expect(markdown.push('```ts\nconst a').finished).toEqual([]);
    expect(markdown.push(' = 1;\nlet').finished).toEqual(['  <magenta>const</magenta> a = <yellow>1</yellow>;']);
    expect(markdown.push(' b').open).toEqual(['  <magenta>let</magenta> b']);
  });

  it('draws no more for a token after a long answer than after a short one', () => {
    let calls = 0;
    const counting: Paint = {
      ...NO_PAINT,
      bold(text) {
        calls += 1;
        return `*${text}*`;
      },
    };
    const callsOfLastPush = (paragraphs: number): number => {
      const markdown = createMarkdown({ width: 80, paint: counting });
      for (let at = 0; at < paragraphs; at += 1) markdown.push(`**bold** text ${at}\n\n- **item**\n\n`);
      calls = 0;
      markdown.push('**last**');
      return calls;
    };
    expect(callsOfLastPush(1_000)).toBe(callsOfLastPush(1));
  });

  it('keeps the open part small, however long one paragraph, table or line of code becomes', () => {
    for (const [start, more] of [
      ['', 'word **bold** '],
      ['', 'line\n'],
      ['', 'x'],
      ['```js\n', 'a("b");'],
      ['| a | b |\n|---|---|\n', '| cell | other |\n'],
    ] as const) {
      const markdown = createMarkdown({ width: 80, paint: NO_PAINT });
      markdown.push(start);
      let most = 0;
      for (let at = 0; at < 40; at += 1) most = Math.max(most, markdown.push(more.repeat(100)).open.join('').length);
      expect(most).toBeLessThan(12_000);
    }
  });

  it.each([
    ['brackets', '['.repeat(10_000)],
    ['brackets that close', `${'['.repeat(10_000)}a${'](b)'.repeat(10_000)}`],
    ['stars', '*a '.repeat(50_000)],
    ['mixed marks', '*a_b~~c`'.repeat(20_000)],
    ['backticks of every length', Array.from({ length: 600 }, (_, at) => '`'.repeat(at)).join(' ')],
    ['quotes', '> '.repeat(100_000)],
    ['items', '- '.repeat(100_000)],
    ['bars', `${'|'.repeat(200_000)}\n${'|-'.repeat(100_000)}\n`],
    ['one line of a megabyte', 'x'.repeat(1_000_000)],
    ['one line of code of a megabyte', `\`\`\`ts\n${'"a" '.repeat(250_000)}`],
    ['escapes', '\u001b]'.repeat(200_000)],
  ])('stands %s', (_, text) => {
    const markdown = createMarkdown({ width: 80, paint: NO_PAINT });
    let lines = 0;
    for (let at = 0; at < text.length; at += 50_000)
      lines += markdown.push(text.slice(at, at + 50_000)).finished.length;
    expect(lines + markdown.end().length).toBeLessThan(text.length);
  });
});
