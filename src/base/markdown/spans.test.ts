import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripBlockComments } from './block-comments.ts';
import { maskSpans, scanMarkdown } from './spans.ts';

/** Whether the marker `@x` of each text is code. */
const CASES: readonly (readonly [what: string, text: string, isCode: boolean])[] = [
  ['plain text', 'see @x here', false],
  ['a fence', '```\n@x\n```', true],
  ['a fence with a language', '```ts\n@x\n```', true],
  ['a fence of tildes', '~~~\n@x\n~~~', true],
  ['a long fence with a shorter one inside', '`````\n```\n@x\n`````', true],
  ['behind a closed fence', '```\ncode\n```\n@x', false],
  ['behind a fence that a longer one closes', '```\ncode\n`````\n@x', false],
  ['a fence that is never closed', '```\ncode\n\n@x', true],
  ['tildes do not close backticks', '```\n~~~\n@x', true],
  ['backticks with a word do not close', '```\n``` ts\n@x', true],
  ['backticks in the info string make it no fence', '``` a`b\n@x', false],
  ['a fence indented by three', '   ```\n@x\n   ```', true],
  ['an indented block', 'text\n\n    @x', true],
  ['an indented block by a tab', 'text\n\n\t@x', true],
  ['an indented line of a paragraph', 'text\n    @x', false],
  ['a nested list item', '- a\n    - @x', false],
  ['a paragraph of a list item', '1. a\n\n   @x', false],
  ['an indented block in a list item', '- a\n\n      @x', true],
  ['a code block right behind a marker', '-      @x', true],
  ['a fence in a list item', '- a\n  ```\n  @x\n  ```', true],
  ['a fence that ends with its list item', '- ```\n  code\n\n@x', false],
  ['a fence in a quote', '> ```\n> @x\n> ```', true],
  ['a fence that ends with its quote', '> ```\n> code\n\n@x', false],
  ['a quote', '> see @x', false],
  ['a code span', 'use `@x` here', true],
  ['a span of two backticks', 'use ``a ` @x`` here', true],
  ['a span across lines', 'use `a\n@x` here', true],
  ['a span does not cross paragraphs', 'use `a\n\n@x` here', false],
  ['a backtick alone', 'a ` sign @x', false],
  ['unequal runs', 'a `` b ` @x', false],
  ['an escaped backtick', 'a \\` @x `', false],
  ['a span within a heading', '# `@x`', true],
  ['a heading ends a span', '# a `b\n@x `', false],
  ['CRLF', '```\r\n@x\r\n```\r\n', true],
  ['behind CRLF', '```\r\ncode\r\n```\r\n@x', false],
  ['a fence mark inside a comment', '<!--\n```\n-->\n@x', false],
  ['behind a comment on its line', '<!-- a --> @x', false],
  ['a rule is no list item', '- - -\n\n    @x', true],
];

describe('code in markdown', () => {
  it.each(CASES)('%s', (_what, text, isCode) => {
    const masked = maskSpans(text, scanMarkdown(text).code);
    expect(text).toContain('@x');
    expect(!masked.includes('@x')).toBe(isCode);
  });

  it('keeps every offset and every line end, whatever the text', () => {
    const words = fc.constantFrom(
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\r\n',
      '    ',
      '\t',
      '- ',
      '> ',
      '<!--',
      '-->',
      'a',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const { code, blockComments, inlineComments } = scanMarkdown(text);
        const masked = maskSpans(text, [...code, ...blockComments, ...inlineComments]);
        expect(masked).toHaveLength(text.length);
        for (let at = 0; at < text.length; at += 1) expect(['\0', text[at]]).toContain(masked[at]);
        expect(masked.replace(/[^\r\n]/g, '')).toBe(text.replace(/[^\r\n]/g, ''));
      }),
    );
  });

  it('does not slow down on text designed to be slow', () => {
    const size = 200_000;
    for (const part of ['<!--\n', '`<!-- ', '`\n', '>', '- ', '``` `\n', '- - -  x']) {
      const text = part.repeat(size / part.length);
      expect(maskSpans(text, scanMarkdown(text).code)).toHaveLength(text.length);
    }
  }, 60_000);
});

describe('block comments', () => {
  it.each([
    ['one line', 'a\n<!-- note -->\nb', 'a\nb'],
    ['several lines', 'a\n<!--\nnote\n\nmore\n-->\nb\n', 'a\nb\n'],
    ['at the beginning and end', '<!-- x -->\na\n<!-- y -->', 'a\n'],
    ['indented by three', 'a\n   <!-- x -->\nb', 'a\nb'],
    ['with text behind it', '<!-- x --> a\nb', ' a\nb'],
    ['two in a row', '<!-- x -->\n<!-- y -->\na', 'a'],
    ['the shortest', '<!-->\na\n', 'a\n'],
    ['CRLF', 'a\r\n<!-- x -->\r\nb', 'a\r\nb'],
    ['within a list item', '- a\n  <!-- x -->\n- b', '- a\n- b'],
    ['within running text', 'a <!-- x --> b', 'a <!-- x --> b'],
    ['within a fence', '```\n<!-- x -->\n```', '```\n<!-- x -->\n```'],
    ['within an indented block', 'a\n\n    <!-- x -->', 'a\n\n    <!-- x -->'],
    ['without an end', 'a\n<!-- x\nb', 'a\n<!-- x\nb'],
    ['a fence that begins within it', '<!--\n```\n-->\n<!-- y -->\na', 'a'],
  ])('%s', (_what, text, stripped) => {
    expect(stripBlockComments(text)).toBe(stripped);
  });
});
