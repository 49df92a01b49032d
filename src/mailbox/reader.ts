/** Reads one mailbox: by one reader at a time, though others may read it for its owner, such as a hook beside an agent. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Folder } from '../disk/folder.ts';
import { tryLock } from '../disk/lock.ts';
import type { ReverieError } from '../errors.ts';
import { openInbox, type ReceivedMessage } from './inbox.ts';
import { BOX, openBox } from './names.ts';
import { watchFolder } from './wake.ts';

/** A reader that cannot be seen is given up after this long. */
const UNSEEN_AFTER_MS = 60 * 60_000;
const PAUSE_MS = 20;

export interface ReaderOptions {
  readonly root: Folder;
  readonly name: string;
  readonly onProblem: (problem: ReverieError) => void;
  /** Ends the waiting, for the turn as well as for messages. */
  readonly signal: AbortSignal;
}

export interface MailReader {
  /** What waits and, unless `until` is `empty`, what comes, until the signal. */
  messages(until: 'empty' | 'signal'): AsyncGenerator<ReceivedMessage, void, undefined>;
  /** The next that waits, or null. */
  next(): Promise<ReceivedMessage | null>;
  acknowledge(message: ReceivedMessage): void;
  close(): Promise<void>;
}

/** Waits until nobody else reads; null when the signal came first. */
export async function openReader(options: ReaderOptions): Promise<MailReader | null> {
  for (;;) {
    if (options.signal.aborted) return null;
    const reader = await tryReader(options);
    if (reader !== null) return reader;
    await sleep(PAUSE_MS);
  }
}

/** Null while somebody else reads, or when nobody ever had the name. */
export async function tryReader({ root, name, onProblem, signal }: ReaderOptions): Promise<MailReader | null> {
  const box = openBox(root, name);
  if (box === null) return null;
  const reading = box.sub(BOX.reading, { create: true })!;
  const taken = await tryLock(reading, { staleAfterMs: UNSEEN_AFTER_MS });
  if (taken.kind === 'locked') {
    for (const folder of [reading, box]) folder.close();
    return null;
  }
  const inbox = openInbox({ root, name, box, now: Date.now, onProblem });
  return {
    async *messages(until) {
      const folder = box.sub(BOX.inbox, { create: true })!;
      const wake = watchFolder(folder);
      try {
        while (!signal.aborted) {
          await wake.wait(signal);
          let message = await inbox.next();
          while (message !== null && !signal.aborted) {
            yield message;
            message = await inbox.next();
          }
          if (until === 'empty') return;
        }
      } finally {
        wake.close();
        folder.close();
      }
    },
    next: () => inbox.next(),
    acknowledge: (message) => inbox.acknowledge(message),
    async close() {
      inbox.close();
      await taken.lock.release();
      for (const folder of [reading, box]) folder.close();
    },
  };
}
