/** Wakes a reader: at once where the platform reports a new file, and by a slow look at the clock where it does not. */

import { watch } from 'node:fs';
import type { Folder } from '../disk/folder.ts';

/** How often the folder is looked at although nothing was reported. */
const POLL_MS = 500;

export interface Wake {
  /** Resolves when something may have come since the last call, at the latest after the poll. */
  wait(signal: AbortSignal): Promise<void>;
  close(): void;
}

export function watchFolder(folder: Folder): Wake {
  let hasNews = true;
  let wakeUp: (() => void) | null = null;
  const notice = () => {
    hasNews = true;
    wakeUp?.();
  };
  const watcher = startWatcher(folder, notice);

  return {
    async wait(signal) {
      if (!hasNews && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS);
          const stop = () => resolve();
          signal.addEventListener('abort', stop, { once: true });
          wakeUp = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', stop);
            resolve();
          };
        });
        wakeUp?.();
        wakeUp = null;
      }
      hasNews = false;
    },
    close: () => watcher?.close(),
  };
}

/** Null where there are no watches left or none at all: then the poll alone finds what came. */
function startWatcher(folder: Folder, notice: () => void): { close(): void } | null {
  try {
    return watch(folder.at('.'), notice).on('error', () => undefined);
  } catch {
    return null;
  }
}
