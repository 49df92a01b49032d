import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import type { ToolUseBlock, Usage } from '../../conversation/message.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import { createPaint, NO_PAINT, type Paint } from '../terminal/paint.ts';
import { textWidth } from '../terminal/text-width.ts';
import { contextLines } from './context-view.ts';
import { costLines } from './cost-view.ts';
import { diffOf } from './diff-of.ts';
import { diffLines } from './diff-view.ts';
import { dreamTaskLines } from './dream-view.ts';
import { factLines } from './facts-view.ts';
import { footerLine, noticeLines, spinnerLine, thinkingLines, userLines, welcomeLines } from './frame-view.ts';
import { createMarkdown } from './markdown.ts';
import { permissionLines, permissionOptions } from './permission-view.ts';
import { pickerLines } from './picker-view.ts';
import { todoLines, toolCallLines } from './tool-view.ts';

const COLOURED = await createPaint(true);
const USAGE: Usage = {
  ...{ inputTokens: 12, outputTokens: 3_400, cacheReadTokens: 5_000_000 },
  ...{ cacheWriteTokens: 10, cacheWriteHourTokens: 0 },
};

/** Anything a model, a file or a web page may contain. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      unicodeText({ maxLength: 10 }),
      fc.constantFrom(
        ...[
          '\u001b[2J',
          '\u001b]0;title\u0007',
          '\u001b',
          '[31m',
          '\u009b1A',
          '\r',
          '\r\n',
          '\n',
          '\n\n',
          '\t',
          '\u202e',
        ],
        ...[
          '**',
          '`',
          '```ts\n',
          '~~~\n',
          '[a](b)',
          '[',
          '](',
          '| a | b |\n|---|--:|\n| 日本 |',
          '- ',
          '1. ',
          '> ',
          '# ',
          '---\n',
        ],
        ...[
          '日本語',
          '👨‍👩‍👧',
          'e\u0301\u0301',
          '\u200b',
          '\u{e0041}',
          '\ud83d',
          'x'.repeat(300),
          '    ',
          '_',
          '~~',
          '<br>',
          '\\',
        ],
        ...['const a = "b";', '/* ', "'''", '<div class="x"', '{"a": 1}', 'key: value'],
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const widths = fc.oneof(fc.integer({ min: 2, max: 220 }), fc.constantFrom(undefined, 1, 2, 20, 80, 200));

interface Facts {
  readonly text: string;
  readonly other: string;
  readonly width: number | undefined;
  readonly paint: Paint;
  readonly flag: boolean;
  readonly number: number;
}

const callOf = (name: string, { text, other }: Facts): ToolUseBlock => ({
  ...{ type: 'tool_use', id: '1', name },
  input: {
    file_path: `/w/${text}`,
    command: text,
    pattern: other,
    url: text,
    [text]: other,
    offset: 3,
    todos: [{ content: text, status: 'completed' }],
  },
});
const toolsOf = (facts: Facts): string[] =>
  ['Read', 'Bash', 'Edit', 'Grep', 'TodoWrite', facts.other].flatMap((name) => {
    const base = { ...facts, call: callOf(name, facts), cwd: '/w', isExpanded: facts.flag };
    const diff = {
      kind: 'diff',
      file: facts.text,
      before: facts.flag ? facts.text : null,
      after: facts.other,
    } as const;
    return [
      ...toolCallLines({ ...base, state: 'running', progress: facts.text }),
      ...toolCallLines({ ...base, state: 'done', result: { content: facts.text, isError: facts.flag } }),
      ...toolCallLines({
        ...base,
        state: 'done',
        result: { content: [{ type: 'text', text: facts.text }], display: diff },
      }),
      ...toolCallLines({ ...base, state: 'denied', reason: facts.text }),
    ];
  });

const VIEWS: Readonly<Record<string, (facts: Facts) => string[]>> = {
  markdown(facts) {
    const markdown = createMarkdown(facts);
    const { finished, open } = markdown.push(facts.text);
    return [...finished, ...open, ...markdown.push(facts.other).finished, ...markdown.end()];
  },
  'tool calls': toolsOf,
  diffs: (facts) => diffLines({ ...facts, diff: diffOf({ file: 'a', before: facts.text, after: facts.other }) }),
  todos: (facts) =>
    todoLines({ ...facts, todos: [{ content: facts.text, status: facts.flag ? 'in_progress' : facts.other }] }),
  permissions: (facts) =>
    [{ command: facts.text }, { diff: diffOf({ file: facts.text, before: null, after: facts.other }) }, {}].flatMap(
      (subject) =>
        permissionLines({
          ...{ ...facts, ...subject, call: callOf(facts.text, facts), reason: facts.other, selected: facts.number },
          ...{ options: permissionOptions([facts.text]), words: facts.flag ? facts.text : '', scroll: facts.number },
        }).lines,
    ),
  pickers: (facts) =>
    pickerLines({
      ...{ ...facts, title: facts.text, query: facts.flag ? facts.other : null, selected: facts.number, rows: 9 },
      items: Array.from({ length: facts.number }, () => ({
        title: facts.text,
        detail: facts.other,
        preview: facts.text,
      })),
    }),
  footer: (facts) => [
    footerLine({
      ...{ ...facts, model: facts.text, windowLeftShare: facts.flag ? 0.05 : null, cacheHitShare: 0.5, costUsd: 1.5 },
      ...{ background: facts.number, mode: facts.flag ? 'bypass' : 'ask', hint: facts.other },
      windowRoom: facts.flag ? 'little' : 'enough',
      dream: { rounds: facts.number, files: facts.number },
    }),
  ],
  'a dream': (facts) =>
    dreamTaskLines({
      ...facts,
      progress: {
        ...{ id: facts.text, scope: 'project', startedAt: '', state: 'updating', equivalentTokens: 5, money: 1 },
        ...{ status: facts.flag ? 'running' : 'failed', rounds: facts.number, toolCalls: 9, closing: facts.other },
        files: [facts.text, facts.other],
        lastRounds: [{ at: '', text: facts.text, tools: [facts.other] }],
      },
    }),
  spinner: (facts) => [
    spinnerLine({
      ...facts,
      frame: facts.number,
      verb: facts.text,
      tokens: 5,
      seconds: 99,
      hint: facts.other,
    }),
  ],
  notices: (facts) => noticeLines({ ...facts, kind: facts.flag ? 'error' : 'info', fix: facts.other }),
  'your words': (facts) => userLines(facts),
  thinking: (facts) => thinkingLines({ ...facts, isExpanded: facts.flag }),
  welcome: (facts) =>
    welcomeLines({
      ...facts,
      name: facts.text,
      version: facts.other,
      model: facts.text,
      cwd: facts.other,
      memories: facts.number,
    }),
  context: (facts) =>
    contextLines({
      ...{
        ...facts,
        window: facts.number * 100,
        thresholds: { effective: 90, warnAt: 50, compactAt: 70, hardStopAt: 80 },
      },
      parts: Array.from({ length: facts.number }, (_, at) => ({ name: facts.text, tokens: at * 10 })),
    }),
  cost: (facts) =>
    costLines({
      ...{ ...facts, byModel: [{ name: facts.text, usage: USAGE, money: 0.001 }] },
      totals: { usage: USAGE, money: null, calls: facts.number, byPurpose: { main: { usage: USAGE, money: 12.5 } } },
    }),
  facts: (facts) =>
    factLines({
      ...facts,
      title: facts.text,
      rows: [
        [facts.text, facts.other],
        [facts.other, facts.text],
      ],
    }),
};

describe.each(Object.entries(VIEWS))('%s', (_, view) => {
  it('never draws a line that is too wide, nor anything but colours and text', () => {
    const facts = fc.record({
      ...{ text: hostile, other: hostile, width: widths, flag: fc.boolean(), number: fc.integer({ min: 0, max: 30 }) },
      paint: fc.constantFrom(COLOURED, NO_PAINT),
    });
    fc.assert(
      fc.property(facts, (given) => {
        const lines = view(given).map((line) => ({ line, text: line.replace(/\u001b\[[0-9;]*m/g, '') }));
        const width = given.width ?? TERMINAL_LIMITS.columns;
        expect(lines.filter(({ text }) => textWidth(text) > width)).toEqual([]);
        const other = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
        expect(lines.filter(({ text }) => other.test(text))).toEqual([]);
        if (given.paint === NO_PAINT) expect(lines.filter(({ line, text }) => line !== text)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
