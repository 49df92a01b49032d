/** Searches beside the main thread: a large index takes longer than somebody who types would wait for a letter. */

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { packagePath } from '../../base/package-files.ts';
import type { RecallHit } from '../explain.ts';
import type { RankOptions } from '../rank.ts';

export interface Question {
  readonly id: number;
  /** Null only makes it read the index. */
  readonly query: string | null;
  readonly options: RankOptions;
}

export type Answer =
  | { readonly id: number; readonly hits: RecallHit[] }
  | { readonly id: number; readonly failed: string };

export interface AsideSearch {
  /** Null when it cannot: the caller searches by itself. */
  search(query: string, options: RankOptions): Promise<RecallHit[] | null>;
  /** The index on disk is another one now; it is read before somebody asks. */
  refresh(): void;
  close(): Promise<void>;
}

/** A thread that nobody asks gives its memory back. */
const IDLE_MS = 60_000;
const WORKER = 'dist/recall-worker.js';

export interface AsideFacts {
  readonly directory: string;
  readonly start?: (directory: string) => Worker;
  readonly idleMs?: number;
}

export function createAsideSearch({ directory, start = startWorker, idleMs = IDLE_MS }: AsideFacts): AsideSearch {
  const waiting = new Map<number, (hits: RecallHit[] | null) => void>();
  let worker: Worker | null = null;
  let hasFailed = false;
  let asked = 0;
  let idle: NodeJS.Timeout | undefined;

  function settle(id: number, hits: RecallHit[] | null): void {
    waiting.get(id)?.(hits);
    waiting.delete(id);
    if (waiting.size > 0) return;
    // A process that has nothing left to wait for may end.
    worker?.unref();
    clearTimeout(idle);
    idle = setTimeout(() => void stop(), idleMs).unref();
  }

  function fail(): void {
    hasFailed = true;
    worker = null;
    for (const id of [...waiting.keys()]) settle(id, null);
  }

  function started(): Worker | null {
    if (worker !== null || hasFailed) return worker;
    try {
      const fresh = start(directory);
      fresh.on('message', (answer: Answer) => settle(answer.id, 'hits' in answer ? answer.hits : null));
      fresh.on('error', fail);
      fresh.on('exit', () => worker === fresh && fail());
      worker = fresh;
    } catch {
      fail();
    }
    return worker;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = null;
    for (const id of [...waiting.keys()]) settle(id, null);
    clearTimeout(idle);
    await ending?.terminate();
  }

  function ask(query: string | null, options: RankOptions): Promise<RecallHit[] | null> {
    const running = started();
    if (running === null) return Promise.resolve(null);
    const question: Question = { id: asked++, query, options };
    return new Promise((resolve) => {
      clearTimeout(idle);
      waiting.set(question.id, resolve);
      running.ref();
      running.postMessage(question);
    });
  }

  return {
    search: ask,
    refresh() {
      if (worker !== null) void ask(null, { limit: 0 });
    },
    close: stop,
  };
}

function startWorker(directory: string): Worker {
  const path = packagePath(WORKER);
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  return new Worker(path, { workerData: { directory } });
}
