/** The terminal as the chat sees it: finished lines go up for good, a small live region stays at the bottom, keys come in. */

import { createDrawnScreen } from './drawn-screen.ts';
import type { Cursor, Size } from './frame.ts';
import type { Key } from './key.ts';
import { createLineScreen } from './line-screen.ts';
import { decideScreenMode, type Environment, type ScreenMode } from './screen-mode.ts';
import type { ProcessEvents } from './watch-process.ts';

export interface Screen {
  /** `lines` draws nothing: no live region, whole lines instead of keys. `quiet` wants nothing that moves. */
  readonly mode: ScreenMode['mode'];
  size(): Size;
  /** Answers with how to stop listening, as `onKey` does. */
  onResize(listener: (size: Size) => void): () => void;
  onKey(listener: (key: Key) => void): () => void;
  /** Puts finished lines above the live region, once and for all. */
  commit(lines: readonly string[]): void;
  /** Replaces the live region; without a cursor none is shown. */
  live(lines: readonly string[], cursor?: Cursor | null): void;
  /** Writes what is waiting for the next frame now. */
  flush(): void;
  /** Clears the visible screen and draws the live region again. */
  redraw(): void;
  /** Gives the terminal to another program as it was found, and takes it back after. */
  leaveTo<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Writes what is finished, takes the live region away, and leaves the terminal as it was found. */
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
  const { mode } = decideScreenMode({
    environment,
    isInputTerminal: input.isTTY === true,
    isOutputTerminal: output.isTTY === true,
    isDumb: options.isDumb,
    isScreenReader: options.isScreenReader,
  });
  const target = options.target ?? process;
  return mode === 'lines' ? createLineScreen({ input, output }) : createDrawnScreen({ ...options, mode, target });
}
