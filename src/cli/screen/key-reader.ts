/** Reads keys from a raw terminal, and decides by time what bytes alone do not tell: a lone Escape, a paste without an end. */

import { SCREEN_LIMITS } from '../../limits.ts';
import type { Key } from './key.ts';
import { createKeyDecoder } from './key-decoder.ts';

export interface KeyReader {
  start(): void;
  stop(): void;
}

const PATIENCE_MS = {
  escape: SCREEN_LIMITS.escapeMs,
  sequence: SCREEN_LIMITS.sequenceMs,
  paste: SCREEN_LIMITS.pasteSilenceMs,
} as const;

export function createKeyReader(input: NodeJS.ReadStream, onKeys: (keys: readonly Key[]) => void): KeyReader {
  let decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    const pending = decoder.pending();
    if (pending !== 'nothing') timer = setTimeout(giveUp, PATIENCE_MS[pending]);
  }

  function giveUp(): void {
    // What came while the process was busy is read first: it may be what was waited for.
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
