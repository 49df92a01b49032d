/** Makes sure the terminal is given back however the process ends, and while it is suspended. */

import { SCREEN_LIMITS } from '../../limits.ts';

/** What is needed from a process; a test provides its own. */
export interface ProcessEvents {
  readonly pid: number;
  readonly platform: string;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

export interface ProcessHandlers {
  /** Gives the terminal back for good. */
  release(): void;
  /** Gives it back while the process is stopped. */
  pause(): void;
  /** Takes it again: somebody else may have changed its modes and written to it. */
  resume(): void;
}

export interface ProcessWatch {
  /** Stops this process and its group, as Ctrl+Z does when the terminal is not raw. */
  suspend(): void;
  /** True where a process can be suspended at all. */
  readonly canSuspend: boolean;
  stop(): void;
}

const DEADLY = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
/** Process 0 is the group: what started us with `npm start` must stop too before the shell is back. */
const OWN_GROUP = 0;

export function watchProcess(target: ProcessEvents, handlers: ProcessHandlers): ProcessWatch {
  const canSuspend = target.platform !== 'win32';
  let isSuspended = false;
  let wake: NodeJS.Timeout | undefined;

  const deadly = DEADLY.map((signal) => ({
    signal,
    listener() {
      // Another listener decides when the process ends; the terminal is given back at its exit.
      if (target.listenerCount(signal) > 1) return;
      handlers.release();
      stop();
      target.kill(target.pid, signal);
    },
  }));

  function suspendBy(pid: number): void {
    if (isSuspended) return;
    isSuspended = true;
    handlers.pause();
    target.off('SIGTSTP', onStop);
    target.kill(pid, 'SIGTSTP');
    // We come back here when the shell resumes us, or at once if nobody can stop us.
    wake = setTimeout(onContinue, SCREEN_LIMITS.suspendMs);
  }

  function onStop(): void {
    suspendBy(target.pid);
  }

  function onContinue(): void {
    clearTimeout(wake);
    if (isSuspended) target.on('SIGTSTP', onStop);
    isSuspended = false;
    handlers.resume();
  }

  function stop(): void {
    clearTimeout(wake);
    target.off('exit', handlers.release);
    target.off('uncaughtExceptionMonitor', handlers.release);
    for (const { signal, listener } of deadly) target.off(signal, listener);
    target.off('SIGTSTP', onStop);
    target.off('SIGCONT', onContinue);
  }

  target.on('exit', handlers.release);
  target.on('uncaughtExceptionMonitor', handlers.release);
  for (const { signal, listener } of deadly) target.on(signal, listener);
  if (canSuspend) {
    target.on('SIGTSTP', onStop);
    target.on('SIGCONT', onContinue);
  }
  return { canSuspend, suspend: () => suspendBy(OWN_GROUP), stop };
}
