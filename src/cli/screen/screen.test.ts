/** What a person sees: finished lines above, the live region below, and nothing left behind by either. */

import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { createTestTerminal, type EmulatorOptions } from '../../../test/support/screen-emulator.ts';
import { charKey, type Key, namedKey, pasteKey } from './key.ts';
import { createScreen, type Screen, type ScreenOptions } from './screen.ts';

const open: Screen[] = [];

function setUp(size: EmulatorOptions, options: Partial<ScreenOptions> = {}) {
  const terminal = createTestTerminal(size);
  const { input, output, target } = terminal;
  const screen = createScreen({ input, output, target, environment: { TERM: 'xterm-256color' }, ...options });
  open.push(screen);
  const keys: Key[] = [];
  screen.onKey((key) => void keys.push(key));
  const show = (lines: readonly string[], cursor?: { row: number; column: number } | null) => {
    screen.live(lines, cursor);
    screen.flush();
  };
  return { ...terminal, screen, keys, show };
}

afterEach(() => {
  for (const screen of open.splice(0)) screen.close();
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}

const SMALL = { columns: 20, rows: 6 };

describe('the live region', () => {
  it('is below finished lines, with the cursor where it is wanted', () => {
    const { screen, emulator, show } = setUp(SMALL);
    screen.commit(['hello', 'world']);
    show(['> abc', 'footer'], { row: 0, column: 5 });
    expect(emulator.visible()).toEqual(['hello', 'world', '> abc', 'footer']);
    expect(emulator.cursor()).toEqual({ row: 2, column: 5 });
    screen.commit(['!']);
    screen.flush();
    expect(emulator.visible()).toEqual(['hello', 'world', '!', '> abc', 'footer']);
    expect(emulator.cursor()).toEqual({ row: 3, column: 5 });
  });

  it('writes only lines that changed, and nothing when none did', () => {
    const { emulator, show, writes } = setUp(SMALL);
    show(['one', 'two', 'three'], { row: 2, column: 0 });
    writes.length = 0;
    show(['one', 'TWO', 'three'], { row: 2, column: 0 });
    expect(writes.join('')).toContain('TWO');
    expect(writes.join('')).not.toContain('one');
    expect(writes.join('')).not.toContain('three');
    expect(writes).toHaveLength(1);
    writes.length = 0;
    show(['one', 'TWO', 'three'], { row: 2, column: 0 });
    expect(writes).toEqual([]);
    expect(emulator.visible()).toEqual(['one', 'TWO', 'three']);
  });

  it('writes finished lines once', () => {
    const { screen, show, writes } = setUp(SMALL);
    screen.commit(['only once']);
    for (const text of ['a', 'b', 'c']) show([text]);
    screen.commit(['next']);
    show(['d']);
    expect(writes.join('').split('only once')).toHaveLength(2);
  });

  it('keeps all finished lines in the scrollback, in order', () => {
    const { screen, emulator, show } = setUp(SMALL);
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    for (const line of lines) {
      screen.commit([line]);
      show(['> ', 'footer'], { row: 0, column: 2 });
    }
    expect(emulator.everything()).toEqual([...lines, '>', 'footer']);
  });

  it('is cut at the top if it is too high, and says so', () => {
    const { emulator, show } = setUp(SMALL);
    show(['1', '2', '3', '4', '5', '6', '7'], { row: 6, column: 1 });
    expect(emulator.visible()).toEqual(['… 3 lines above', '4', '5', '6', '7']);
    expect(emulator.cursor()).toEqual({ row: 4, column: 1 });
    show(['1', '2', '3', '4', '5', '6', '7'], { row: 0, column: 0 });
    expect(emulator.mode(25)).toBe(false);
  });

  it('hides the cursor if none is wanted', () => {
    const { emulator, show } = setUp(SMALL);
    show(['busy']);
    expect(emulator.mode(25)).toBe(false);
    show(['> '], { row: 0, column: 2 });
    expect(emulator.mode(25)).toBe(true);
  });

  it('cuts a line that is too wide instead of wrapping it', () => {
    const { emulator, show } = setUp({ columns: 10, rows: 6 });
    show(['0123456789abc', '日本語日本語', '\u001b[31mred red red red\u001b[39m', 'end']);
    expect(emulator.visible()).toEqual(['0123456789', '日本語日本', 'red red re', 'end']);
  });

  it('keeps the last character of a line that fills the row', () => {
    const { emulator, show } = setUp({ columns: 10, rows: 6 });
    show(['x', 'y']);
    show(['0123456789', '日本語日本']);
    expect(emulator.visible()).toEqual(['0123456789', '日本語日本']);
  });

  it('never lets text act on the terminal', () => {
    const { screen, emulator, show } = setUp(SMALL);
    screen.commit(['a\u001b[2Jb\u001b]0;title\u0007c', 'two\nlines']);
    show(['x\u001b[10Ay', 'tab\there', 'a\nb']);
    expect(emulator.visible()).toEqual(['abc', 'two', 'lines', 'xy', 'tab    here', 'a b']);
    expect(emulator.unknown).toEqual([]);
  });

  it('lets a finished line wrap, so that it is copied whole', () => {
    const { screen, emulator, show } = setUp({ columns: 10, rows: 6 });
    screen.commit(['0123456789abcdef']);
    show(['> '], { row: 0, column: 2 });
    expect(emulator.visible()).toEqual(['0123456789', 'abcdef', '>']);
    expect(emulator.mode(7)).toBe(true);
  });
});

describe('frames', () => {
  it('are gathered, and a key is handled at once', async () => {
    const { screen, emulator, writes, type } = setUp(SMALL);
    screen.flush();
    writes.length = 0;
    for (let token = 0; token < 50; token += 1) screen.live([`token ${token}`]);
    expect(writes).toEqual([]);
    await until(() => writes.length > 0);
    expect(writes).toHaveLength(1);
    screen.onKey(() => screen.live(['typed']));
    type('xyz');
    expect(emulator.visible()).toEqual(['typed']);
    expect(writes).toHaveLength(2);
  });

  it('are announced to the terminal as a whole, except on the console', () => {
    const here = setUp(SMALL);
    here.show(['a']);
    expect(here.writes.at(-1)).toMatch(/^\u001b\[\?2026h.*\u001b\[\?2026l$/s);
    const there = setUp(SMALL, { environment: { TERM: 'linux' } });
    there.show(['a']);
    expect(there.writes.join('')).not.toContain('2026');
  });
});

describe('a resize', () => {
  const words = ['one two three four', 'five six seven 日本', '> typed text here', 'footer'];

  it.each([
    ['narrower', 9, 12],
    ['much narrower', 4, 30],
    ['wider', 40, 12],
    ['lower', 20, 5],
    ['higher', 20, 30],
    ['narrower and higher', 11, 20],
  ])('%s leaves nothing of the old region', (_name, columns, rows) => {
    const { screen, emulator, show, resize } = setUp({ columns: 20, rows: 14 });
    screen.commit(['done 1', 'done 2']);
    show(words, { row: 2, column: 12 });
    resize(columns, rows);
    show(['> new', 'end'], { row: 0, column: 5 });
    const all = emulator.everything();
    expect(all.slice(-2)).toEqual(columns < 5 ? ['> ne', 'end'] : ['> new', 'end']);
    expect(all.slice(0, -2).join('').replaceAll(' ', '')).toBe('done1done2');
  });

  it('tells its listeners and redraws by itself', async () => {
    const { screen, emulator, show, resize, writes } = setUp(SMALL);
    const sizes: unknown[] = [];
    const stop = screen.onResize((size) => void sizes.push(size));
    show(['0123456789abcdef', 'end'], { row: 1, column: 3 });
    writes.length = 0;
    resize(8, 6);
    await until(() => writes.length > 0);
    expect(emulator.visible()).toEqual(['01234567', 'end']);
    expect(emulator.cursor()).toEqual({ row: 1, column: 3 });
    stop();
    resize(12, 6);
    expect(sizes).toEqual([{ columns: 8, rows: 6 }]);
  });

  it('leaves the lines above alone if the terminal cuts instead of wrapping', () => {
    const { screen, emulator, show, resize } = setUp(
      { columns: 20, rows: 14, reflows: false },
      { environment: { TERM: 'xterm', XTERM_VERSION: 'XTerm(390)' } },
    );
    screen.commit(['above']);
    show(words, { row: 3, column: 2 });
    resize(8, 14);
    show(['> new'], { row: 0, column: 5 });
    expect(emulator.everything()).toEqual(['above', '> new']);
  });

  const line = fc.oneof(fc.string({ maxLength: 24 }), fc.string({ unit: fc.constantFrom('日', 'a', ' ', '🦊', 'é') }));
  it('leaves only the finished lines and the region, whatever comes before and after it', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            finished: fc.array(line, { maxLength: 3 }),
            lines: fc.array(line, { minLength: 1, maxLength: 5 }),
            columns: fc.integer({ min: 6, max: 30 }),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        (steps) => {
          // Enough rows for all, so that nothing is out of reach in the scrollback.
          const { screen, emulator, show, resize } = setUp({ columns: 24, rows: 200 });
          let finished = '';
          for (const step of steps) {
            resize(step.columns, 200);
            screen.commit(step.finished);
            finished += step.finished.join('');
            show([...step.lines, 'END']);
            const all = emulator.everything().join('');
            const squeezed = all.replaceAll(' ', '');
            const region = [...step.lines, 'END'].map((text) => cut(text, step.columns)).join('');
            expect(squeezed).toBe((finished + region).replaceAll(' ', ''));
          }
          screen.close();
          expect(emulator.everything().join('').replaceAll(' ', '')).toBe(finished.replaceAll(' ', ''));
        },
      ),
      { numRuns: runs(150) },
    );
  });

  /** As many characters as fit, counted independently here: Chinese and the fox are two cells, the accent is none. */
  function cut(text: string, cells: number): string {
    let used = 0;
    let kept = '';
    for (const character of text) {
      used += /[日🦊]/u.test(character) ? 2 : character === '\u0301' ? 0 : 1;
      if (used > cells) break;
      kept += character;
    }
    return kept;
  }
});

describe('keys', () => {
  it('come from the raw terminal; Escape alone after a moment', async () => {
    const { keys, type, input, emulator } = setUp(SMALL);
    expect(input.isRaw).toBe(true);
    expect(emulator.mode(2004)).toBe(true);
    type('a\u001b[A');
    type('\u001b[200~p\u001b[201~');
    type('\u001b');
    const typed = [charKey('a'), namedKey('up'), pasteKey('p')];
    expect(keys).toEqual(typed);
    await until(() => keys.length > typed.length);
    expect(keys).toEqual([...typed, namedKey('escape')]);
  });

  it('stop when the screen is closed in the middle of them', () => {
    const { screen, keys, type } = setUp(SMALL);
    screen.onKey((key) => {
      if (key.name === 'char' && key.text === 'q') screen.close();
    });
    type('aqb');
    expect(keys).toEqual([charKey('a'), charKey('q')]);
    type('c');
    expect(keys).toHaveLength(2);
  });
});
