/** However it ends, is suspended or cannot be drawn on at all: the terminal is given back as it was found. */

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTestTerminal } from '../../../test/support/screen-emulator.ts';
import { charKey, type Key, namedKey, pasteKey } from './key.ts';
import { createScreen, type ScreenOptions } from './screen.ts';
import { decideReflow, decideScreenMode } from './screen-mode.ts';

function setUp(options: Partial<ScreenOptions> = {}) {
  const terminal = createTestTerminal({ columns: 20, rows: 8 });
  const { input, output, target } = terminal;
  const screen = createScreen({ input, output, target, environment: { TERM: 'xterm' }, ...options });
  const keys: Key[] = [];
  screen.onKey((key) => void keys.push(key));
  screen.commit(['done']);
  screen.live(['> typing', 'footer']);
  screen.flush();
  const isGivenBack = () => {
    const { emulator } = terminal;
    return !input.isRaw && input.isIdle && emulator.mode(25) && emulator.mode(7) && !emulator.mode(2004);
  };
  return { ...terminal, screen, keys, isGivenBack };
}

const quietly = (target: { emit(event: string): unknown }, event: string) => void target.emit(event);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('the terminal is given back', () => {
  it.each(['exit', 'uncaughtExceptionMonitor', 'SIGTERM', 'SIGHUP', 'SIGINT'])('at %s', (event) => {
    const { target, emulator, isGivenBack } = setUp();
    expect(isGivenBack()).toBe(false);
    quietly(target, event);
    expect(isGivenBack()).toBe(true);
    expect(emulator.visible()).toEqual(['done']);
    expect(emulator.cursor()).toEqual({ row: 1, column: 0 });
  });

  it('and the signal then does what it would have done', () => {
    const { target, kills } = setUp();
    quietly(target, 'SIGTERM');
    expect(kills).toEqual([[4_711, 'SIGTERM']]);
    expect(target.listenerCount('SIGTERM')).toBe(0);
  });

  it('only at exit, if somebody else handles the signal', () => {
    const { target, kills, isGivenBack } = setUp();
    target.on('SIGTERM', () => {});
    quietly(target, 'SIGTERM');
    expect([kills, isGivenBack()]).toEqual([[], false]);
    quietly(target, 'exit');
    expect(isGivenBack()).toBe(true);
  });

  it('when the screen is closed, with finished lines, and no listener stays', () => {
    const { screen, target, input, output, emulator, isGivenBack, writes } = setUp();
    screen.commit(['last words']);
    screen.close();
    expect(isGivenBack()).toBe(true);
    expect(emulator.visible()).toEqual(['done', 'last words']);
    const written = writes.length;
    screen.close();
    screen.live(['late']);
    screen.commit(['late']);
    screen.flush();
    screen.redraw();
    quietly(target, 'SIGCONT');
    expect(writes).toHaveLength(written);
    expect([...target.eventNames(), ...input.eventNames(), ...output.eventNames()]).toEqual([]);
  });

  it('to another program for as long as it runs', async () => {
    const { screen, emulator, input, isGivenBack, keys, type } = setUp();
    const answer = await screen.leaveTo(async () => {
      expect(isGivenBack()).toBe(true);
      expect(emulator.visible()).toEqual(['done']);
      screen.commit(['meanwhile']);
      screen.live(['> after']);
      screen.flush();
      emulator.write('the other program\r\n');
      type('not ours');
      return 7;
    });
    expect(answer).toBe(7);
    expect(input.isRaw).toBe(true);
    expect(keys).toEqual([]);
    expect(emulator.visible()).toEqual(['done', 'the other program', 'meanwhile', '> after']);
    await expect(screen.leaveTo(() => Promise.reject(new Error('no editor')))).rejects.toThrow('no editor');
    expect(input.isRaw).toBe(true);
    screen.close();
  });

  it('survives a window that is gone', () => {
    const { screen, output, input } = setUp();
    output.write = () => {
      throw new Error('EIO');
    };
    screen.live(['more']);
    screen.flush();
    output.emit('error', new Error('EIO'));
    screen.close();
    expect(input.isRaw).toBe(false);
  });
});

describe('Ctrl+Z', () => {
  it('gives the terminal back, stops the group, and draws again when it continues', () => {
    const { screen, type, kills, target, emulator, input, keys, isGivenBack } = setUp();
    type('\u001a');
    expect(isGivenBack()).toBe(true);
    expect(kills).toEqual([[0, 'SIGTSTP']]);
    expect(keys).toEqual([]);
    emulator.write('$ fg\r\n');
    quietly(target, 'SIGCONT');
    expect(input.isRaw).toBe(true);
    expect(emulator.mode(2004)).toBe(true);
    expect(emulator.visible()).toEqual(['done', '$ fg', '> typing', 'footer']);
    type('x');
    expect(keys).toEqual([charKey('x')]);
    expect(target.listenerCount('SIGTSTP')).toBe(1);
    screen.close();
  });

  it('continues by itself if nobody can stop it', async () => {
    const { screen, type, input, isGivenBack } = setUp();
    type('\u001a');
    expect(isGivenBack()).toBe(true);
    await until(() => input.isRaw);
    screen.close();
  });

  it('from outside does the same, and a stop without warning is drawn over', () => {
    const { screen, target, kills, emulator, isGivenBack, type, keys } = setUp();
    quietly(target, 'SIGTSTP');
    expect([kills, isGivenBack()]).toEqual([[[4_711, 'SIGTSTP']], true]);
    quietly(target, 'SIGCONT');
    emulator.write('\r\n$ fg\r\n');
    quietly(target, 'SIGCONT');
    expect(emulator.visible().slice(-2)).toEqual(['> typing', 'footer']);
    type('x');
    expect(keys).toEqual([charKey('x')]);
    screen.close();
  });
});

describe('lines alone', () => {
  function setUpLines() {
    const terminal = createTestTerminal({ columns: 20, rows: 8 });
    const input = new PassThrough();
    const screen = createScreen({
      ...terminal,
      input: input as unknown as NodeJS.ReadStream,
      environment: { TERM: 'xterm' },
    });
    const keys: Key[] = [];
    screen.onKey((key) => void keys.push(key));
    return { ...terminal, input, screen, keys };
  }

  it('are printed plainly, and nothing is drawn', () => {
    const { screen, writes } = setUpLines();
    screen.live(['busy'], { row: 0, column: 0 });
    screen.commit(['\u001b[31mred\u001b[39m', 'two']);
    screen.redraw();
    screen.close();
    expect([screen.mode, writes]).toEqual(['lines', ['red\ntwo\n']]);
  });

  it('come in as lines, the end of input as Ctrl+D', async () => {
    const { input, keys, screen } = setUpLines();
    for (const byte of Buffer.from('/help\r\n\nlast é')) input.write(Buffer.from([byte]));
    input.end();
    await until(() => keys.at(-1)?.name === 'char');
    const enter = namedKey('enter');
    const end = charKey('d', { ctrl: true });
    const line = (text: string) => ({ ...pasteKey(text), isTyped: true });
    expect(keys).toEqual([line('/help'), enter, enter, line('last é'), enter, end]);
    screen.close();
  });
});

describe('how a terminal can be used', () => {
  const both = { environment: {}, isInputTerminal: true, isOutputTerminal: true };
  it.each([
    ['drawn', both],
    ['lines', { ...both, isInputTerminal: false }],
    ['lines', { ...both, isOutputTerminal: false }],
    ['lines', { ...both, isDumb: true }],
    ['lines', { ...both, environment: { TERM: 'dumb', REVERIE_SCREEN_READER: '1' } }],
    ['lines', { ...both, environment: { REVERIE_SCREEN_READER: '1' } }],
    ['drawn', { ...both, environment: { REVERIE_SCREEN_READER: '0' } }],
    ['lines', { ...both, isScreenReader: true }],
  ] as const)('%s: %o', (mode, facts) => {
    expect(decideScreenMode(facts).mode).toBe(mode);
  });

  it.each([
    [true, {}],
    [true, { TERM: 'screen-256color', TMUX: '/tmp/tmux', XTERM_VERSION: 'XTerm(390)' }],
    [false, { TERM: 'xterm', XTERM_VERSION: 'XTerm(390)' }],
    [false, { TERM: 'linux' }],
    [false, { TERM: 'screen' }],
  ] as const)('wraps again: %s for %o', (reflows, environment) => {
    expect(decideReflow(environment).reflows).toBe(reflows);
  });
});
