/** A terminal that cannot be drawn on, or none at all: lines out, lines in. */

import { plainText } from '../terminal/plain-text.ts';
import { charKey, type Key, namedKey, pasteKey } from './key.ts';
import { createListeners } from './listeners.ts';
import type { Screen, ScreenOptions } from './screen.ts';
import { sizeOf } from './terminal-size.ts';

/** A line comes in one piece and with Enter, the end of input as Ctrl+D. Each is a prompt of its own, so it counts as typed. */
export function createLineScreen(options: Pick<ScreenOptions, 'input' | 'output'>): Screen {
  const { input, output } = options;
  const keys = createListeners<Key>();
  const utf8 = new TextDecoder();
  let unfinished = '';
  let isReading = false;
  let isClosed = false;

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
    size: () => sizeOf(output),
    onResize: () => () => {},
    onKey(listener) {
      startReading();
      return keys.add(listener);
    },
    commit(lines) {
      if (lines.length > 0 && !isClosed) output.write(`${lines.map(plainText).join('\n')}\n`);
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
