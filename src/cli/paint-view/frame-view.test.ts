import { describe, expect, it } from 'vitest';
import type { Usage } from '../../conversation/message.ts';
import { VIEW_LIMITS } from '../../limits.ts';
import { NO_PAINT } from '../terminal/paint.ts';
import { duration, money, percent, shortNumber } from './amounts.ts';
import { contextLines } from './context-view.ts';
import { cacheHitShare, costLines } from './cost-view.ts';
import { factLines } from './facts-view.ts';
import {
  footerLine,
  noticeLines,
  spinnerLine,
  thinkingLines,
  userLines,
  type WindowRoom,
  welcomeLines,
} from './frame-view.ts';

const paint = NO_PAINT;

describe('amounts', () => {
  it.each([
    [shortNumber(0), '0'],
    [shortNumber(999), '999'],
    [shortNumber(1_000), '1k'],
    [shortNumber(12_345), '12.3k'],
    [shortNumber(167_000), '167k'],
    [shortNumber(999_900), '1M'],
    [shortNumber(1_250_000), '1.3M'],
    [money(null), 'unknown'],
    [money(0), '$0'],
    [money(0.0123), '$0.0123'],
    [money(12.345), '$12.35'],
    [percent(0), '0%'],
    [percent(0.004), '<1%'],
    [percent(1.2), '100%'],
    [duration(59.9), '59s'],
    [duration(75), '1m 15s'],
    [duration(7_260), '2h 1m'],
  ])('%s is %s', (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe('footerLine', () => {
  it.each<[number | undefined, string]>([
    [200, 'plans only · opus · 62% left · cache 91% · $0.42 · 2 in background · ? for help'],
    [undefined, 'plans only · opus · 62% left · cache 91% · $0.42 · 2 in background · ? for help'],
    [70, 'plans only · opus · 62% left · cache 91% · $0.42 · 2 in background'],
    [60, 'plans only · opus · 62% left · $0.42 · 2 in background'],
    [36, 'plans only · opus · 62% left · $0.42'],
    [30, 'plans only · opus · 62% left'],
    [20, 'plans only'],
    [6, 'plans…'],
  ])('at %s cells', (width, line) => {
    expect(
      footerLine({
        ...{ model: 'opus', windowLeftShare: 0.62, cacheHitShare: 0.91, costUsd: 0.42, background: 2, mode: 'plan' },
        ...{ windowRoom: 'enough', hint: '? for help', width, paint },
      }),
    ).toBe(line);
  });

  it('says nothing about what is unknown or usual', () => {
    const facts = { model: 'opus', windowLeftShare: null, cacheHitShare: null, costUsd: null, background: 0 };
    expect(footerLine({ ...facts, windowRoom: 'enough', mode: 'ask', width: 80, paint })).toBe('opus');
  });

  it('warns by colour as the window fills', () => {
    const shout = { ...NO_PAINT, yellow: (text: string) => `!${text}`, red: (text: string) => `!!${text}` };
    const facts = {
      model: 'm',
      cacheHitShare: null,
      costUsd: null,
      background: 0,
      mode: 'ask',
      width: 80,
      paint: shout,
    } as const;
    const line = (windowRoom: WindowRoom) => footerLine({ ...facts, windowLeftShare: 0.15, windowRoom });
    expect([line('enough'), line('little'), line('none')]).toEqual([
      ...['m · 15% left', 'm · !15% left', 'm · !!15% left'],
    ]);
  });
});

describe('spinnerLine', () => {
  const facts = { verb: 'Reading', tokens: 1_234, seconds: 75, hint: 'esc interrupts', width: 80, paint };

  it('moves, and says what, how long and how much', () => {
    const lines = [0, 1].map((frame) => spinnerLine({ ...facts, frame }));
    expect(lines[0]).not.toBe(lines[1]);
    expect(lines[0]!.slice(2)).toBe('Reading… 1m 15s · 1.2k tokens · esc interrupts');
  });
});

describe('notices, words and the welcome', () => {
  it('puts the fix below the problem', () => {
    expect(noticeLines({ kind: 'error', text: 'It is locked.', fix: 'reverie doctor', width: 80, paint })).toEqual([
      ...['✗ It is locked.', '  reverie doctor'],
    ]);
  });

  it('shows a long message of yours by its beginning', () => {
    const lines = userLines({ text: 'line\n'.repeat(5_000), width: 80, paint });
    expect(lines[0]).toBe('> line');
    expect(lines[1]).toBe('  line');
    expect(lines.at(-1)).toBe(`  … +${(5_000 - VIEW_LIMITS.echoedLines).toLocaleString('en-US')} lines`);
  });

  it('folds thoughts', () => {
    const facts = { text: 'I wonder', width: 80, paint };
    expect(thinkingLines({ ...facts, isExpanded: false })).toEqual(['∴ Thought (Ctrl-O shows it)']);
    expect(thinkingLines({ ...facts, isExpanded: true })).toEqual(['∴ Thinking', '  I wonder']);
    expect(thinkingLines({ ...facts, text: ' ', isExpanded: true })).toEqual([]);
  });

  it('welcomes', () => {
    const facts = { name: 'Reverie', version: '1.0.0', model: 'opus', cwd: '/code', width: 80, paint };
    expect(welcomeLines({ ...facts, memories: 1, hint: '/help' })).toEqual([
      ...['◐ Reverie 1.0.0', '  opus · 1 memory', '  /code', '  /help'],
    ]);
    expect(welcomeLines({ ...facts, memories: null })[1]).toBe('  opus · memory is off');
  });
});

describe('contextLines', () => {
  const thresholds = { effective: 180_000, warnAt: 147_000, compactAt: 167_000, hardStopAt: 177_000 };
  const parts = [
    { name: 'system', tokens: 20_000 },
    { name: 'Bash results', tokens: 60_000 },
    { name: 'recalled', tokens: 0 },
  ];

  it('draws each source by its share, and counts what is free and reserved', () => {
    const lines = contextLines({ parts, window: 200_000, thresholds, width: 80, paint });
    expect(lines[0]).toBe('80k of 200k tokens (40%)');
    const cells = lines.slice(2, 2 + VIEW_LIMITS.windowRows).join('');
    const count = (glyph: string) => [...cells].filter((each) => each === glyph).length;
    expect([count('█'), count('▓'), count('·'), count('/')]).toEqual([20, 60, 100, 20]);
    expect(lines.slice(7, 11)).toEqual([
      '█  system                20,000  10%',
      '▓  Bash results          60,000  30%',
      '·  free                 100,000  50%',
      '/  kept for the answer   20,000  10%',
    ]);
    expect(lines.at(-1)).toBe('warns at 147k · compacts at 167k · stops at 177k');
  });

  it('stays right when the window is overfull', () => {
    const lines = contextLines({
      parts: [{ name: 'user', tokens: 250_000 }],
      window: 200_000,
      thresholds,
      width: 80,
      paint,
    });
    expect(lines[0]).toBe('250k of 200k tokens (100%)');
    expect(lines.at(-1)).toBe('warns now (147k) · compacts now (167k) · stops now (177k)');
  });
});

describe('costLines', () => {
  const usage: Usage = {
    ...{ inputTokens: 1_000, outputTokens: 2_000, cacheReadTokens: 8_000, cacheWriteTokens: 1_000 },
    cacheWriteHourTokens: 0,
  };
  const totals = {
    usage,
    money: 0.5,
    calls: 3,
    byPurpose: { main: { usage, money: 0.5 }, recall: { usage, money: null } },
  };

  it('shows the sum, then by purpose and by model', () => {
    const lines = costLines({ totals, byModel: [{ name: 'opus', usage, money: 0.5 }], width: 80, paint });
    expect(lines).toEqual([
      '$0.50 for 3 calls · 80% of the input from the cache',
      '',
      'for     input  cache read  written  output     cost',
      'main       1k          8k       1k      2k    $0.50',
      'recall     1k          8k       1k      2k  unknown',
      '',
      'model  input  cache read  written  output   cost',
      'opus      1k          8k       1k      2k  $0.50',
    ]);
  });

  it('keeps the cost when it is narrow', () => {
    expect(costLines({ totals, width: 20, paint }).slice(2)).toEqual([
      'for        cost',
      'main      $0.50',
      'recall  unknown',
    ]);
  });

  it('knows no share before the first call', () => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWriteHourTokens: 0 };
    expect(cacheHitShare(none)).toBeNull();
  });
});

describe('facts', () => {
  it('puts values next to their names, or below when it is narrow', () => {
    const rows = [
      ['session', 'a1'],
      ['working directory', '/home/me/a project'],
    ] as const;
    expect(factLines({ title: 'Status', rows, width: 80, paint })).toEqual([
      ...['Status', 'session            a1', 'working directory  /home/me/a project'],
    ]);
    expect(factLines({ rows, width: 19, paint })).toEqual([
      ...['session', '  a1', 'working directory', '  /home/me/a', '  project'],
    ]);
  });
});
