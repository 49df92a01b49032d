/** Ctrl-C, done well: waiting work wakes up, writes may finish, leftovers are removed. */

import { closeSync } from 'node:fs';
import { TERMINAL_LIMITS } from '../../limits.ts';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type WatchedSignal = keyof typeof SIGNALS;

export interface Interruption {
  readonly signal: AbortSignal;
  /** The code to exit with once interrupted. */
  exitCode(): number | undefined;
  atEnd(cleanup: () => void): void;
  runCleanups(): void;
  /** The terminal is gone. Does what its signal does, which may come after the first failed write. */
  hangUp(): void;
  /** How long the command may take to end by itself. */
  allow(milliseconds: number): void;
  /** Whoever listens has the first say about Ctrl-C: true means that it is dealt with. The answer ends that. */
  hearKeyboard(listen: () => boolean): () => void;
  /** While another program has the terminal, Ctrl-C is for that program to handle. */
  leaveKeyboardTo<Result>(work: () => Promise<Result>): Promise<Result>;
}

function closeStandardStreams(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // Already closed.
    }
  }
}

export function watchInterruption(target: NodeJS.Process): Interruption {
  const controller = new AbortController();
  const cleanups: (() => void)[] = [];
  let code: number | undefined;
  let isKeyboardElsewhere = false;
  let listener: (() => boolean) | null = null;
  let graceMs: number = TERMINAL_LIMITS.interruptGraceMs;

  function runCleanups(): void {
    for (const cleanup of cleanups.splice(0).reverse()) {
      try {
        cleanup();
      } catch {
        // The next cleanup matters more than this one's failure.
      }
    }
  }

  function exitNow(): void {
    runCleanups();
    target.exit(code);
  }

  function interrupt(name: WatchedSignal): void {
    if (name === 'SIGINT' && (isKeyboardElsewhere || listener?.() === true)) return;
    const isSecond = code !== undefined;
    // A closing window says so twice, through the terminal and through the shell: that is not an impatient user.
    if (isSecond && name === 'SIGHUP') return;
    code ??= SIGNALS[name];
    // Node aborts at exit when it cannot reset a terminal that is gone.
    if (name === 'SIGHUP') target.once('exit', closeStandardStreams);
    if (isSecond) exitNow();
    controller.abort();
    // A running write ends in milliseconds; anything slower is not worth a second Ctrl-C.
    setTimeout(exitNow, graceMs).unref();
  }

  for (const name of Object.keys(SIGNALS) as WatchedSignal[]) target.on(name, () => interrupt(name));

  return {
    signal: controller.signal,
    exitCode: () => code,
    atEnd: (cleanup) => void cleanups.push(cleanup),
    runCleanups,
    hangUp: () => interrupt('SIGHUP'),
    allow(milliseconds) {
      graceMs = milliseconds;
    },
    hearKeyboard(listen) {
      listener = listen;
      return () => {
        listener = null;
      };
    },
    async leaveKeyboardTo(work) {
      isKeyboardElsewhere = true;
      try {
        return await work();
      } finally {
        isKeyboardElsewhere = false;
      }
    },
  };
}
