import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { NO_PAINT } from '../terminal/paint.ts';
import { diffOf } from './diff-of.ts';
import { type PermissionView, permissionLines, permissionOptions } from './permission-view.ts';
import { matchingItems, pickerLines } from './picker-view.ts';
import { span } from './spans.ts';
import { visibleSpans, visibleText } from './visible-text.ts';
import { wrapLater } from './wrap-spans.ts';

const call: ToolUseBlock = { type: 'tool_use', id: '1', name: 'Bash', input: {} };

function ask(view: Partial<PermissionView>) {
  return permissionLines({
    ...{ call, reason: 'No rule allows it.', options: permissionOptions(['Bash(npm test:*)']), selected: 0, width: 60 },
    ...{ paint: NO_PAINT, rows: 30, ...view },
  });
}

describe('visibleText', () => {
  it.each([
    ['a\u001b[2Kb', 'a\\e[2Kb'],
    ['a\rb', 'a\\rb'],
    ['a\u200bb\u2060\u00ad', 'a\\u{200b}b\\u{2060}\\xad'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u{e0041}\ufe0f', 'a\\u{e0041}\\u{fe0f}'],
    ['a\u00a0\u3000\u2003b', 'a\\xa0\\u{3000}\\u{2003}b'],
    ['\u3164\u2800\ud800', '\\u{3164}\\u{2800}\\u{d800}'],
    ['a\tb\nc', 'a    b\nc'],
    ['日本 é 🙂 ñ', '日本 é 🙂 ñ'],
  ])('%j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

describe('permissionLines', () => {
  it('asks about a command, with the answers spelled out', () => {
    expect(ask({ command: 'npm test', selected: 1 }).lines).toEqual([
      '─'.repeat(60),
      'Run this command?',
      'No rule allows it.',
      '$ npm test',
      '  1. Yes, this once',
      '❯ 2. Yes, always in this session: Bash(npm test:*)',
      '  3. No, say what to do instead',
    ]);
  });

  it('asks about a change with its diff, about anything else with its input', () => {
    const diff = diffOf({ file: 'src/a\u200b.ts', before: 'a', after: 'b\u202e' });
    expect(ask({ diff }).lines.slice(1, 5)).toEqual([
      ...['Change src/a\\u{200b}.ts?  +1 −1', 'No rule allows it.', '1 - a', '1 + b\\u{202e}'],
    ]);
    const other = ask({ call: { ...call, name: 'mcp__x', input: { path: '/a' } } }).lines;
    expect(other.slice(1, 6)).toEqual(['Use mcp__x?', 'No rule allows it.', '  {', '    "path": "/a"', '  }']);
  });

  it('shows the words that go to the model, and no rule when none would work', () => {
    expect(ask({ options: permissionOptions([]), selected: 1, words: 'use pnpm' }).lines.at(-1)).toBe(
      '❯ 2. No: use pnpm',
    );
  });

  it('says that a rule for all files means those of the project', () => {
    const row = (rule: string) => ask({ options: permissionOptions([rule]), width: 80 }).lines.at(-2);
    expect(row('Edit(/**)')).toBe('  2. Yes, always in this session: Edit(/**) (/ is this project)');
    expect(row('Edit(//tmp/**)')).toBe('  2. Yes, always in this session: Edit(//tmp/**)');
  });

  it('says that a command stays in the background', () => {
    const input = { command: 'x', run_in_background: true };
    expect(ask({ call: { ...call, input }, command: 'x' }).lines[1]).toBe('Run this command in the background?');
  });

  it('marks where a row continues, so that no line end can be faked', () => {
    const command = `echo ok${' '.repeat(70)}; rm -rf x`;
    expect(ask({ command }).lines[4]).toMatch(/^↪ +; rm -rf x$/);
  });

  it('hides nothing: every row of a command can be scrolled to', () => {
    const commands = fc
      .array(fc.oneof(unicodeText({ maxLength: 40 }), fc.constantFrom('\n', '\n\n\n\n', 'x'.repeat(200), '日本')), {
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(commands, fc.integer({ min: 12, max: 40 }), (command, width) => {
        const facts = { command, width, rows: 14, reason: '' };
        const { mostScroll } = ask(facts);
        const isScrolled = mostScroll > 0;
        const bodyAt = (scroll: number) => {
          const { lines } = ask({ ...facts, scroll });
          const first = lines.findIndex((line) => line.endsWith('?')) + 1;
          const last = lines.findIndex((line) => line.startsWith('❯ 1. '));
          return lines.slice(first + (isScrolled ? 1 : 0), last - (isScrolled ? 1 : 0));
        };
        const rows = bodyAt(0);
        for (let scroll = 1; scroll <= mostScroll; scroll += 1) rows.push(bodyAt(scroll).at(-1)!);
        const text = rows.map((row) => row.slice(2)).join('');
        expect(text.replaceAll(' ', '')).toBe(visibleText(command).replace(/[ \n]/g, ''));
      }),
      { numRuns: 50 },
    );
  });

  it('draws only the visible part of a long diff', () => {
    let drawn = 0;
    const line = (number: number) => ({
      ...{ kind: 'added' as const, number, text: `\tline ${number}${' and more than fits'.repeat(number % 5)}` },
      get changed() {
        drawn += 1;
        return [];
      },
    });
    const lines = Array.from({ length: 3_000 }, (_, at) => line(at + 1));
    const diff = { file: 'a', isNew: true, added: lines.length, removed: 0, lines };
    const shown = ask({ diff, scroll: 2_000 });
    expect(shown.lines.length).toBe(30);
    expect(shown.mostScroll).toBeGreaterThan(3_000);
    expect(drawn).toBeLessThan(60);
  });

  it('knows the height of rows before it draws them', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.array(fc.constantFrom('\t', 'ab', ' '), { maxLength: 30 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (given, width) => {
        const spans = () => visibleSpans(given, { escape: (escaped) => escaped });
        const later = wrapLater(given, { spans, layout: { width, first: [span('> ')], rest: [span('  ')] } });
        expect(later.draw().length).toBe(later.height);
      }),
    );
  });

  it('says how much is above and below, and limits the scroll', () => {
    const command = Array.from({ length: 40 }, (_, at) => `echo ${at}`).join('\n');
    const { lines, mostScroll } = ask({ command, rows: 16, scroll: 3 });
    expect(lines.length).toBe(16);
    expect(lines[3]).toBe('↑ 3 rows above (page up)');
    expect(lines.at(-4)).toBe(`↓ ${mostScroll - 3} rows below (page down)`);
    expect(ask({ command, rows: 16, scroll: 999 }).lines).toContain('  echo 39');
  });
});

describe('pickerLines', () => {
  const items = Array.from({ length: 30 }, (_, at) => ({
    title: `Session ${at}`,
    detail: `${at} days ago`,
    preview: `said ${at}`,
  }));
  const pick = (view: Partial<Parameters<typeof pickerLines>[0]>) =>
    pickerLines({ items, selected: 0, query: null, rows: 10, width: 40, paint: NO_PAINT, ...view });

  it('shows what is chosen, what is around it, and its details', () => {
    expect(pick({ title: 'Resume', query: 'ses', selected: 7, rows: 10 })).toEqual([
      ...['Resume', 'search: ses▏'],
      ...['  Session 5  5 days ago', '  Session 6  6 days ago', '❯ Session 7  7 days ago', '  Session 8  8 days ago'],
      ...['  Session 9  9 days ago', '  8 of 30 entries', '', '  │ said 7'],
    ]);
  });

  it('says when there is nothing', () => {
    expect(pick({ items: [], query: 'x' })).toEqual(['search: x▏', 'Nothing matches.']);
    expect(pick({ items: [], empty: 'No sessions yet.' })).toEqual(['No sessions yet.']);
  });

  it('keeps the title when there is no room for both', () => {
    expect(pick({ items: [{ title: 'A title of some length', detail: 'and details' }], width: 20 })).toEqual([
      '❯ A title…  and det…',
    ]);
  });

  it('always shows the chosen one, in the rows it may take', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 29 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        (selected, rows, hasHead) => {
          const lines = pick({ selected, rows, ...(hasHead ? { title: 'Pick', query: 'se' } : {}) });
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(lines.filter((line) => line.startsWith('❯')).join()).toContain(`Session ${selected} `);
        },
      ),
    );
  });

  it('finds items by all words, in any case and order', () => {
    expect(matchingItems(items, 'AGO session 29').map(({ title }) => title)).toEqual(['Session 29']);
    expect(matchingItems(items, '  ').length).toBe(items.length);
  });
});
