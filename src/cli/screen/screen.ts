/** The terminal as the chat sees it: finished lines go up for good, a small live region stays at the bottom, keys come in. */

import { plainText } from '../terminal/plain-text.ts';
import { createDrawnScreen } from './drawn-screen.ts';
import type { Cursor, Size } from './frame.ts';
import { charKey, type Key, namedKey, pasteKey } from './key.ts';
import { createListeners } from './listeners.ts';
import { decideScreenMode, type Environment, type ScreenMode } from './screen-mode.ts';
import { sizeOf } from './terminal-size.ts';
import type { ProcessEvents } from './watch-process.ts';

export interface Screen {
  /** `lines` draws nothing: no live region, whole lines instead of keys. */
  readonly mode: ScreenMode['mode'];
  /** For a screen reader: words, no pictures. */
  readonly isQuiet: boolean;
  size(): Size;
  /** Returns a function that stops listening, as `onKey` does. */
  onResize(listener: (size: Size) => void): () => void;
  onKey(listener: (key: Key) => void): () => void;
  /** Puts finished lines above the live region, for good. */
  commit(lines: readonly string[]): void;
  /** Replaces the live region; without a cursor none is shown. */
  live(lines: readonly string[], cursor?: Cursor | null): void;
  /** Without a live region: says that a line is waited for, until one comes. */
  prompt(text: string): void;
  /** A control sequence that draws nothing: a bell, the clipboard, a title. */
  send(sequence: string): void;
  /** Writes now what is waiting for the next frame. */
  flush(): void;
  /** Clears the visible screen and draws the live region again. */
  redraw(): void;
  /** Hands the terminal to another program as it was found, and takes it back afterwards. */
  leaveTo<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Writes what is finished, removes the live region, and leaves the terminal as it was found. */
  close(): void;
}

export interface ScreenOptions {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly environment: Environment;
  /** Lines only, whatever the terminal can do. */
  readonly isDumb?: boolean;
  readonly isScreenReader?: boolean;
  /** The process whose end or suspension must not leave the terminal raw; this one unless given. */
  readonly target?: ProcessEvents;
}

export function createScreen(options: ScreenOptions): Screen {
  const { input, output, environment } = options;
  const { mode, reason } = decideScreenMode({
    environment,
    isInputTerminal: input.isTTY === true,
    isOutputTerminal: output.isTTY === true,
    isDumb: options.isDumb,
    isScreenReader: options.isScreenReader,
  });
  const target = options.target ?? process;
  const isQuiet = reason === '--screen-reader' || reason === 'REVERIE_SCREEN_READER';
  return mode === 'lines' ? createLineScreen({ input, output, isQuiet }) : createDrawnScreen({ ...options, target });
}

// A terminal that cannot be drawn on, or none at all: lines out, lines in.

/** A line comes in one piece and with Enter, the end of input as Ctrl+D. Each is its own prompt, so it counts as typed. */
function createLineScreen(options: Pick<ScreenOptions, 'input' | 'output'> & { readonly isQuiet: boolean }): Screen {
  const { input, output } = options;
  const keys = createListeners<Key>();
  const utf8 = new TextDecoder();
  let unfinished = '';
  let isReading = false;
  let isClosed = false;
  /** A prompt stands at the beginning of the last line. */
  let isPrompted = false;

  function tellLine(line: string): void {
    const text = line.replace(/\r$/, '');
    if (text !== '') keys.tell({ ...pasteKey(text), isTyped: true });
    keys.tell(namedKey('enter'));
  }

  function onData(chunk: Uint8Array | string): void {
    const [first = '', ...others] = (typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true })).split(
      '\n',
    );
    unfinished += first;
    if (others.length > 0) isPrompted = false;
    for (const next of others) {
      const line = unfinished;
      unfinished = next;
      if (!isClosed) tellLine(line);
    }
  }

  function onEnd(): void {
    if (isClosed) return;
    const line = unfinished;
    unfinished = '';
    if (line !== '') tellLine(line);
    keys.tell(charKey('d', { ctrl: true }));
  }

  function stopReading(): void {
    if (!isReading) return;
    isReading = false;
    input.off('data', onData);
    input.off('end', onEnd);
    input.pause();
  }

  function startReading(): void {
    if (isReading || isClosed) return;
    isReading = true;
    input.on('data', onData);
    input.on('end', onEnd);
  }

  return {
    mode: 'lines',
    isQuiet: options.isQuiet,
    size: () => sizeOf(output),
    onResize: () => () => {},
    onKey(listener) {
      startReading();
      return keys.add(listener);
    },
    commit(lines) {
      if (lines.length === 0 || isClosed) return;
      output.write(`${isPrompted ? '\n' : ''}${lines.map(plainText).join('\n')}\n`);
      isPrompted = false;
    },
    prompt(text) {
      if (isPrompted || isClosed) return;
      isPrompted = true;
      output.write(text);
    },
    send(sequence) {
      if (output.isTTY && !isClosed) output.write(sequence);
    },
    live() {},
    flush() {},
    redraw() {},
    async leaveTo(work) {
      const wasReading = isReading;
      stopReading();
      try {
        return await work();
      } finally {
        if (wasReading) startReading();
      }
    },
    close() {
      isClosed = true;
      stopReading();
    },
  };
}
