/** Tells open pages what changed on disk, as it changes: any process may have done it, so the files themselves are watched. */

import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { homeLayout, isSessionId, projectLayout } from '../disk/home.ts';
import { INSPECTOR_LIMITS } from '../limits.ts';
import type { InspectorContext } from './context.ts';

/** `session` names the session; the page asks for what it shows. */
export type InspectorEvent =
  | { readonly kind: 'memories' | 'ledger' | 'dreams' | 'sessions' }
  | { readonly kind: 'session'; readonly id: string };

export interface EventSource {
  listen(hear: (event: InspectorEvent) => void): () => void;
  close(): void;
}

export function watchPlace({ place, memory }: Pick<InspectorContext, 'place' | 'memory'>): EventSource {
  const listeners = new Set<(event: InspectorEvent) => void>();
  const waiting = new Map<string, InspectorEvent>();
  let timer: NodeJS.Timeout | null = null;

  /** A burst of writes is one event. */
  function tell(event: InspectorEvent): void {
    if (listeners.size === 0) return;
    waiting.set(JSON.stringify(event), event);
    timer ??= setTimeout(() => {
      timer = null;
      const events = [...waiting.values()];
      waiting.clear();
      for (const each of events) for (const hear of listeners) hear(each);
    }, INSPECTOR_LIMITS.gatherMs);
  }

  const wanted: readonly (readonly [string, (name: string) => unknown])[] = [
    ...Object.values(memory.folders).flatMap((folder) => [
      [folder, (name: string) => name.endsWith('.md') && tell({ kind: 'memories' })] as const,
      [join(folder, '.reverie', 'dreams'), () => tell({ kind: 'dreams' })] as const,
      [join(folder, '.reverie', 'journal'), () => tell({ kind: 'memories' })] as const,
    ]),
    [homeLayout(place.home).ledger, () => tell({ kind: 'ledger' })],
    [
      projectLayout(place.home, place.slug).folder,
      (name) => {
        const id = basename(name, '.jsonl');
        if (name.endsWith('.jsonl') && isSessionId(id)) tell({ kind: 'session', id });
      },
    ],
  ];
  const watchers = new Map<string, FSWatcher>();
  /** A folder may not be there yet: a new home has no ledger before its first call. */
  function arm(): void {
    for (const [folder, onChange] of wanted) {
      if (watchers.has(folder)) continue;
      const watcher = watchFolder(folder, onChange, () => watchers.delete(folder));
      if (watcher !== null) watchers.set(folder, watcher);
    }
  }
  arm();
  const arming = setInterval(() => listeners.size > 0 && arm(), INSPECTOR_LIMITS.watchAgainMs);
  return {
    listen(hear) {
      listeners.add(hear);
      arm();
      return () => listeners.delete(hear);
    },
    close() {
      clearInterval(arming);
      if (timer !== null) clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** Null where there is nothing to watch. */
function watchFolder(folder: string, onChange: (name: string) => unknown, onEnd: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, (_type, name) => onChange(name ?? ''));
    watcher.on('error', () => {
      watcher.close();
      onEnd();
    });
    return watcher;
  } catch {
    return null;
  }
}

export function streamEvents(c: Context, source: EventSource): Response {
  return streamSSE(c, async (stream) => {
    const stop = source.listen((event) => void stream.writeSSE({ data: JSON.stringify(event) }).catch(() => {}));
    const ended = new Promise<void>((resolve) => stream.onAbort(() => resolve()));
    await stream.writeSSE({ data: JSON.stringify({ kind: 'hello' }) });
    await ended;
    stop();
  });
}
