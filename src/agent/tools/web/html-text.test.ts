import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToText } from './html-text.ts';

const text = (html: string) => htmlToText(html, 100_000);

describe('a page as text', () => {
  it.each([
    ['headings', '<h1>A</h1><h3>B</h3>c', '# A\n\n### B\n\nc'],
    ['paragraphs', '<p>a\n b</p><p>c</p>d<div>e</div>', 'a b\n\nc\n\nd\n\ne'],
    ['breaks', 'a<br>b<br/>c<hr>d', 'a\nb\nc\n\n---\n\nd'],
    [
      'links',
      '<a href="https://a.b/c?d=1&amp;e">x</a> <a href=page.html>y</a>',
      '[x](https://a.b/c?d=1&e) [y](page.html)',
    ],
    ['links that lead nowhere', '<a href="javascript:x()">a</a> <a name="b">b</a> <a href="#c">c</a>', 'a b c'],
    ['lists', '<ul><li>a<li>b<ol><li>c</li><li>d</li></ol></li></ul>e', '- a\n- b\n  1. c\n  2. d\n\ne'],
    [
      'code',
      'use <code>a  b</code>:<pre><code>x = 1\n  y &lt; 2</code></pre>',
      'use `a b`:\n\n```\nx = 1\n  y < 2\n```',
    ],
    ['marks', '<b>a</b> <em>b</em> <strong>c</strong>', '**a** *b* **c**'],
    ['tables', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a | b\n1 | 2'],
    ['pictures', '<img src="x.png" alt="a cat"><img src="y.png">', '![a cat]'],
    [
      'unseen parts',
      'a<script>if (a < b) {}</script><STYLE>p{}</Style ><!-- <p>no</p> -->b<noscript>n</noscript>',
      'ab',
    ],
    ['an unseen part that never ends', 'a<svg><p>b', 'a\n\nb'],
    ['characters', '&lt;b&gt; &quot;&#39;&#x41;&#66;&nbsp;&mdash;&unknown;&#0;', `<b> "'AB —&unknown;\uFFFD`],
    ['what is no tag', 'a < b and c > d <3', 'a < b and c > d <3'],
    ['a tag that never ends', 'a <b', 'a <b'],
    ['a comment that never ends', 'a<!-- b', 'a'],
    ['nothing', '', ''],
    ['letters whose small form is longer', 'İİİ<script>x</script>y', 'İİİy'],
  ])('%s', (_what, html, expected) => {
    expect(text(html)).toBe(expected);
  });
});

it('never throws, and shows no tag of what it was given', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '</',
    'p',
    'a',
    ' href="',
    '"',
    '<!--',
    '-->',
    '<script>',
    '</script',
    '&',
    ';',
    '<pre>',
    '<li>',
    '</ul>',
    'text',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      expect(text(parts.join(''))).not.toMatch(/<\/?(?:script|pre|li|ul)>/);
    }),
  );
});

it.each([
  ['tags that never end', '<a '],
  ['unseen parts that never end', '<svg>'],
  ['ends of nothing', '</script '],
  ['opened lists', '<ul><li>'],
  ['comments', '<!-'],
  ['attributes', '<a href = '],
  ['white space', '  \n'],
])('takes a page of nothing but %s', (_what, piece) => {
  const html = piece.repeat(Math.ceil(5_000_000 / piece.length));
  expect(text(html).length).toBeLessThan(300_000);
});

it('stops when it has enough', () => {
  expect(htmlToText('<p>word</p>'.repeat(100_000), 100).length).toBeLessThan(1_000);
});
