/** A terminal that is drawn on: frames are gathered and written in one piece, keys are handled at once. */

import { SCREEN_LIMITS } from '../../limits.ts';
import { type Cursor, clearRegion, composeFrame, emptyRegion, type Size } from './frame.ts';
import { isCtrl, type Key } from './key.ts';
import { createKeyDecoder } from './key-decoder.ts';
import { createListeners } from './listeners.ts';
import type { Screen, ScreenOptions } from './screen.ts';
import { decideReflow, decideSynchronized } from './screen-mode.ts';
import { sizeOf } from './terminal-size.ts';
import { type ProcessEvents, watchProcess } from './watch-process.ts';

const PASTE_MARKS_ON = '\u001b[?2004h';
const PASTE_MARKS_OFF = '\u001b[?2004l';
const CLEAR_SCREEN = '\u001b[H\u001b[2J';

export function createDrawnScreen(options: ScreenOptions & { target: ProcessEvents }): Screen {
  const { input, output, environment } = options;
  const { reflows } = decideReflow(environment);
  const { synchronized } = decideSynchronized(environment);
  const keys = createListeners<Key>();
  const resizes = createListeners<Size>();
  let drawn = emptyRegion(sizeOf(output));
  let finished: string[] = [];
  let wanted: { lines: readonly string[]; cursor: Cursor | null } = { lines: [], cursor: null };
  let timer: NodeJS.Timeout | undefined;
  let lastFrameAt = 0;
  /** Away while another program has the terminal, or we are suspended. */
  let state: 'here' | 'away' | 'closed' = 'away';
  let isLent = false;
  let isGone = false;

  function write(text: string): void {
    if (text === '' || isGone) return;
    try {
      output.write(text);
    } catch {
      isGone = true;
    }
  }

  function onGone(): void {
    // The window was closed: there is nobody to draw for, and nothing to fix.
    isGone = true;
  }

  function draw(isWhole: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    if (state !== 'here') return;
    const facts = { size: sizeOf(output), reflows, synchronized, isWhole };
    const frame = composeFrame({ ...facts, ...wanted, drawn, finished });
    finished = [];
    drawn = frame.region;
    lastFrameAt = performance.now();
    write(frame.text);
  }

  function schedule(): void {
    if (timer !== undefined || state !== 'here') return;
    const sinceLastMs = performance.now() - lastFrameAt;
    timer = setTimeout(() => draw(false), Math.max(0, SCREEN_LIMITS.frameMs - sinceLastMs));
  }

  function take(): void {
    if (state !== 'away') return;
    state = 'here';
    // Off first: the mode may have been changed without us, and setting the same one again does nothing.
    setRaw(false);
    setRaw(true);
    drawn = emptyRegion(sizeOf(output));
    write(PASTE_MARKS_ON);
    reader.start();
  }

  function give(next: 'away' | 'closed'): void {
    if (state === 'here') {
      reader.stop();
      clearTimeout(timer);
      timer = undefined;
      const cleared = clearRegion(drawn, { size: sizeOf(output), reflows });
      drawn = cleared.region;
      write(cleared.text + PASTE_MARKS_OFF);
      setRaw(false);
    }
    state = next;
  }

  function setRaw(isRaw: boolean): void {
    try {
      input.setRawMode(isRaw);
    } catch {
      isGone = true;
    }
  }

  function close(): void {
    if (state === 'closed') return;
    wanted = { lines: [], cursor: null };
    if (finished.length > 0) draw(false);
    give('closed');
    watch.stop();
    output.off('resize', onResized);
    output.off('error', onGone);
  }

  function resume(): void {
    if (state === 'closed' || isLent) return;
    // Stopped without warning before: what was drawn is somewhere above by now.
    if (state === 'here') reader.stop();
    state = 'away';
    take();
    draw(true);
  }

  function onResized(): void {
    resizes.tell(sizeOf(output));
    schedule();
  }

  const reader = createKeyReader(input, (batch) => {
    for (const key of batch) {
      if (state !== 'here') return;
      if (isCtrl(key, 'z') && watch.canSuspend) watch.suspend();
      else keys.tell(key);
    }
    // Typed text appears at once, not with the next frame.
    if (timer !== undefined) draw(false);
  });
  const watch = watchProcess(options.target, {
    release: close,
    pause: () => {
      if (state === 'here') give('away');
    },
    resume,
  });
  output.on('resize', onResized);
  output.on('error', onGone);
  take();

  return {
    mode: 'drawn',
    isQuiet: false,
    prompt() {},
    send(sequence) {
      if (state === 'here') write(sequence);
    },
    size: () => sizeOf(output),
    onResize: resizes.add,
    onKey: keys.add,
    commit(lines) {
      if (lines.length === 0) return;
      for (const line of lines) finished.push(...line.split('\n'));
      schedule();
    },
    live(lines, cursor = null) {
      wanted = { lines, cursor };
      schedule();
    },
    flush: () => draw(false),
    redraw() {
      if (state !== 'here') return;
      write(CLEAR_SCREEN);
      drawn = emptyRegion(sizeOf(output));
      draw(true);
    },
    async leaveTo(work) {
      if (state === 'here') {
        draw(false);
        give('away');
      }
      isLent = true;
      try {
        return await work();
      } finally {
        isLent = false;
        resume();
      }
    },
    close,
  };
}

// Reads keys from a raw terminal, and decides by time what bytes alone cannot: a lone Escape, a paste without an end.

interface KeyReader {
  start(): void;
  stop(): void;
}

const PATIENCE_MS = {
  escape: SCREEN_LIMITS.escapeMs,
  sequence: SCREEN_LIMITS.sequenceMs,
  paste: SCREEN_LIMITS.pasteSilenceMs,
} as const;

function createKeyReader(input: NodeJS.ReadStream, onKeys: (keys: readonly Key[]) => void): KeyReader {
  let decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    const pending = decoder.pending();
    if (pending !== 'nothing') timer = setTimeout(giveUp, PATIENCE_MS[pending]);
  }

  function giveUp(): void {
    // Input that came while the process was busy is read first: it may be what was waited for.
    timer = setTimeout(() => tell(decoder.giveUp()), 0);
  }

  function tell(keys: readonly Key[]): void {
    if (keys.length > 0) onKeys(keys);
  }

  function onData(chunk: Uint8Array | string): void {
    clearTimeout(timer);
    const keys = decoder.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    wait();
    tell(keys);
  }

  return {
    start() {
      decoder = createKeyDecoder();
      input.on('data', onData);
      input.resume();
    },
    stop() {
      clearTimeout(timer);
      input.off('data', onData);
      input.pause();
    },
  };
}
