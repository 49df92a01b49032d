import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { dropIndexLine, parseIndex, putIndexLineAt, renderIndexLine, setIndexLine } from './index-file.ts';

const LINE = '- [New](new.md) — hook';

describe('setIndexLine', () => {
  it.each<[string, string, string, number]>([
    ['into nothing', '', `${LINE}\n`, 0],
    [
      'behind the last entry',
      '# Index\n\n- [A](a.md)\n\nThe end.\n',
      `# Index\n\n- [A](a.md)\n${LINE}\n\nThe end.\n`,
      3,
    ],
    ['at the end without entries', '# Index\n', `# Index\n${LINE}\n`, 1],
    ['without a final line end', '- [A](a.md)', `- [A](a.md)\n${LINE}`, 1],
    ['with CRLF', '- [A](a.md)\r\nx\r\n', `- [A](a.md)\r\n${LINE}\r\nx\r\n`, 1],
    ['with a byte order mark', '\ufeff- [A](a.md)\n', `\ufeff- [A](a.md)\n${LINE}\n`, 1],
    [
      'not behind an entry in a comment',
      '- [A](a.md)\n<!--\n- [B](b.md)\n-->\n',
      `- [A](a.md)\n${LINE}\n<!--\n- [B](b.md)\n-->\n`,
      1,
    ],
    ['not into a fence that never closes', 'x\n```\ncode\n', `x\n${LINE}\n\`\`\`\ncode\n`, 1],
    ['not into a comment that never closes', '<!--\ncode', `${LINE}\n<!--\ncode`, 0],
    ['not over one in a code fence', '```\n- [New](new.md)\n```\n', `\`\`\`\n- [New](new.md)\n\`\`\`\n${LINE}\n`, 3],
  ])('adds a line %s', (_name, before, after, at) => {
    expect(setIndexLine(before, 'new.md', LINE)).toEqual({ text: after, before: null, after: { at, text: LINE } });
  });

  it.each([
    ['- [Old](new.md) — x'],
    ['* [Old](./new.md)'],
    ['- [Old](<new.md>) — x'],
    ['- [Old](new%2emd) — x'],
    ['- [Old](new\\.md) — x'],
  ])('replaces %s and keeps what is around it', (old) => {
    const text = `# Index\r\n- [A](a.md)\r\n${old}\r\n- [B](b.md)`;
    const set = setIndexLine(text, 'new.md', LINE);
    expect(set).toEqual({ text: text.replace(old, LINE), before: { at: 2, text: old }, after: { at: 2, text: LINE } });
  });

  it('does not take another file for it', () => {
    const text = '- [A](renew.md)\n- [B](new.md.md)\n- [C](sub/new.md) — new.md\n- new.md\n';
    expect(setIndexLine(text, 'new.md', LINE).before).toBeNull();
    expect(dropIndexLine(text, 'new.md')).toEqual({ text, before: null });
  });
});

describe('dropIndexLine', () => {
  it('takes out every line of the file', () => {
    const text = '- [A](a.md)\n- [N](new.md) — 1\nprose\n- [N](new.md) — 2';
    expect(dropIndexLine(text, 'new.md')).toEqual({
      text: '- [A](a.md)\nprose',
      before: { at: 1, text: '- [N](new.md) — 1' },
    });
  });

  it('leaves those in comments and code', () => {
    const text = '<!-- - [N](new.md) -->\n```\n- [N](new.md)\n```\n- [N](new.md)\n';
    expect(dropIndexLine(text, 'new.md').text).toBe('<!-- - [N](new.md) -->\n```\n- [N](new.md)\n```\n');
  });
});

describe('putIndexLineAt', () => {
  it('goes behind the entries when the file has become shorter', () => {
    expect(putIndexLineAt('- [A](a.md)\n\nprose\n', { at: 9, text: LINE })).toBe(`- [A](a.md)\n${LINE}\n\nprose\n`);
  });
});

describe('any index', () => {
  const line = fc.constantFrom(
    '',
    '# Index',
    'prose',
    '- [A](a.md) — x',
    '- [B](b.md)',
    '  - [C](c.md): y',
    '- [D](<d e.md>)',
    '<!-- c -->',
    '```',
    '=======',
    '\t',
  );
  // A lone CR before a lone LF is one line end as soon as they touch: no file mixes those two.
  const lineEnds = fc.constantFrom(['\n'], ['\r\n'], ['\r'], ['\n', '\r\n'], ['\r', '\r\n']);
  const text = fc
    .tuple(fc.array(fc.tuple(line, fc.nat()), { maxLength: 8 }), fc.constantFrom('', '\ufeff'), fc.boolean(), lineEnds)
    .map(([lines, mark, isOpen, ends]) => {
      const whole = mark + lines.map(([content, pick]) => content + ends[pick % ends.length]).join('');
      return isOpen ? whole.replace(/(?:\r\n|\r|\n)$/, '') : whole;
    });

  it('is the same after a line came and went', () => {
    fc.assert(
      fc.property(text, (before) => {
        const set = setIndexLine(before, 'new.md', LINE);
        expect(parseIndex(set.text).entries.map((entry) => entry.file)).toContain('new.md');
        expect(set.text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)[set.after!.at]).toBe(LINE);
        expect(dropIndexLine(set.text, 'new.md').text).toBe(before);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('is the same after a line went and came', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('a.md', 'b.md', 'c.md', 'd e.md'), (before, file) => {
        const dropped = dropIndexLine(before, file);
        fc.pre(dropped.before !== null && before.split(`(${file})`).length + before.split(`<${file}>`).length === 3);
        expect(parseIndex(dropped.text).entries.map((entry) => entry.file)).not.toContain(file);
        expect(putIndexLineAt(dropped.text, JSON.parse(JSON.stringify(dropped.before)))).toBe(before);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('finds every line that our writer writes', () => {
    const file = fc
      .array(
        fc.constantFrom(
          'a',
          'B',
          '_',
          ' ',
          '(',
          ')',
          '[',
          '%',
          '#',
          '漢',
          '😀',
          ':',
          '.',
          '+',
          '$',
          '^',
          '{',
          '|',
          '?',
          '*',
          '-',
        ),
        { minLength: 1, maxLength: 8 },
      )
      .map((all) => `${all.join('')}x.md`)
      .filter((name) => !/^[ .]|\.\./.test(name));
    fc.assert(
      fc.property(file, fc.string(), (name, hook) => {
        const written = renderIndexLine({ title: name, file: name, hook });
        const set = setIndexLine('- [A](a.md)\n', name, written);
        expect(dropIndexLine(set.text, name).before).toEqual({ at: 1, text: written });
      }),
      { numRuns: runs(500) },
    );
  });

  it('of 10,000 lines is changed as a short one is', () => {
    const many = Array.from(
      { length: 10_000 },
      (_, at) => `- [User ${at}](user_${at}.md) — something about ${at}\n`,
    ).join('');
    const dropped = dropIndexLine(many, 'user_5000.md');
    expect(putIndexLineAt(dropped.text, dropped.before!)).toBe(many);
    expect(setIndexLine(many, 'new.md', LINE).after?.at).toBe(10_000);
  });
});
