/** Notices that memories changed, whoever changed them, and gathers what happens for a moment before it is told. */

import type { MemoryScope } from '../base/taxonomy.ts';
import { MCP_LIMITS } from '../limits.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import type { Memory } from '../memory/memory.ts';
import { indexUri, memoryUri } from './resource-uri.ts';
import { watchFolders } from './watch-folders.ts';

export interface MemoryChange {
  /** A memory came, went, or is called something else. */
  readonly listChanged: boolean;
  /** Addresses of what changed. */
  readonly uris: readonly string[];
}

export interface WatchOptions {
  onChange(change: MemoryChange): void;
  onProblem(problem: string): void;
}

export function watchMemory(memory: Memory, options: WatchOptions): { close(): void } {
  const touched = new Set<string>();
  let listed: ReadonlyMap<string, Listed> | null = null;
  let gathering: NodeJS.Timeout | null = null;
  let isBlind = false;
  let isClosed = false;

  const folders = watchFolders(memory.folders, {
    onTouched(scope, file) {
      if (file === null) touched.add(indexUri(scope));
      else if (file.endsWith('.md')) touched.add(uriOf(scope, file));
      gather();
    },
    onBlind(reason) {
      if (!isBlind) options.onProblem(`Not every memory folder can be watched (${reason}); changes are noticed later.`);
      isBlind = true;
    },
  });

  function gather(): void {
    if (isClosed || gathering !== null) return;
    gathering = setTimeout(() => {
      gathering = null;
      tell().catch((error: unknown) => options.onProblem(`Changes could not be told: ${String(error)}`));
    }, MCP_LIMITS.gatherMs).unref();
  }

  async function tell(): Promise<void> {
    folders.refresh();
    const uris = new Set(touched);
    touched.clear();
    const now = await listing(memory);
    if (isClosed) return;
    // Before the first look nothing is known: whatever was touched may be new.
    const changed = listed === null ? { listChanged: uris.size > 0, uris: [] } : changeBetween(listed, now);
    listed = now;
    for (const uri of changed.uris) uris.add(uri);
    if (changed.listChanged || uris.size > 0) {
      options.onChange({ listChanged: changed.listChanged, uris: [...uris].sort() });
    }
  }

  const lookingAgain = setInterval(() => {
    if (isBlind) gather();
    else folders.refresh();
  }, MCP_LIMITS.lookAgainMs).unref();

  return {
    close() {
      isClosed = true;
      clearInterval(lookingAgain);
      if (gathering !== null) clearTimeout(gathering);
      folders.close();
    },
  };
}

interface Listed {
  /** What the list of resources shows. */
  readonly shown: string;
  readonly modified: string;
}

async function listing(memory: Memory): Promise<ReadonlyMap<string, Listed>> {
  const entries = await memory.list();
  return new Map(
    entries.map(({ scope, file, name, description, type, pinned, modified }) => {
      return [memoryUri(scope, file), { shown: JSON.stringify([name, description, type, pinned]), modified }];
    }),
  );
}

export function changeBetween(before: ReadonlyMap<string, Listed>, now: ReadonlyMap<string, Listed>): MemoryChange {
  const uris: string[] = [];
  let listChanged = before.size !== now.size;
  for (const [uri, { shown, modified }] of now) {
    const old = before.get(uri);
    if (old?.shown !== shown) listChanged = true;
    if (old?.shown !== shown || old.modified !== modified) uris.push(uri);
  }
  for (const uri of before.keys()) if (!now.has(uri)) uris.push(uri);
  return { listChanged, uris };
}

function uriOf(scope: MemoryScope, file: string): string {
  return file === INDEX_FILE ? indexUri(scope) : memoryUri(scope, file);
}
