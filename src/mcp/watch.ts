/** Notices that memories changed, whoever changed them, and gathers what happens for a moment before it is told. */

import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MemoryScope } from '../base/taxonomy.ts';
import { messageOf } from '../base/values.ts';
import { MCP_LIMITS, PATH_LIMITS } from '../limits.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import type { Memory } from '../memory/memory.ts';
import { indexUri, memoryUri } from './resource-uri.ts';

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

// Watches memory folders, those too that are not there yet; dot folders hold no memories and are left alone.

interface FolderEvents {
  /** A file below the folder of a scope came, went or changed; null when it is not known which. */
  onTouched(scope: MemoryScope, file: string | null): void;
  /** Something cannot be watched: from now on it has to be looked at now and then. */
  onBlind(reason: string): void;
}

interface FolderWatch {
  /** Takes in what has come since, and lets go of what has gone. */
  refresh(): void;
  close(): void;
}

function watchFolders(folders: Memory['folders'], events: FolderEvents): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  const absent = new Set<MemoryScope>();

  function watchOne(path: string, onEvent: (name: string | null) => void): void {
    if (watchers.has(path)) return;
    if (watchers.size >= MCP_LIMITS.watchedFolders) {
      events.onBlind(`more than ${MCP_LIMITS.watchedFolders} folders`);
      return;
    }
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => onEvent(name));
      watcher.on('error', (error) => {
        drop(path);
        events.onBlind(error.message);
      });
      watchers.set(path, watcher);
    } catch (error) {
      events.onBlind(messageOf(error));
    }
  }

  function drop(path: string): void {
    watchers.get(path)?.close();
    watchers.delete(path);
  }

  function watchBelow(scope: MemoryScope, root: string, prefix = ''): void {
    watchOne(join(root, prefix), (name) => {
      if (name === null) events.onTouched(scope, null);
      else if (!name.startsWith('.')) events.onTouched(scope, prefix + name);
    });
    if (prefix.split('/').length > PATH_LIMITS.depth) return;
    for (const name of foldersIn(join(root, prefix))) watchBelow(scope, root, `${prefix}${name}/`);
  }

  /** The nearest folder above tells when the next one down is made. */
  function awaitFolder(scope: MemoryScope, root: string): void {
    absent.add(scope);
    let above = dirname(root);
    while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
    // Two scopes may wait below the same one.
    watchOne(above, () => {
      for (const each of absent) refreshOne(each, folders[each]!);
    });
  }

  function refreshOne(scope: MemoryScope, root: string): void {
    if (!existsSync(root)) {
      awaitFolder(scope, root);
      return;
    }
    watchBelow(scope, root);
    // What was written before the watch began was missed.
    if (absent.delete(scope)) events.onTouched(scope, null);
  }

  function refresh(): void {
    for (const path of watchers.keys()) if (!existsSync(path)) drop(path);
    for (const [scope, root] of Object.entries(folders)) refreshOne(scope as MemoryScope, root);
  }

  refresh();
  return {
    refresh,
    close() {
      for (const path of [...watchers.keys()]) drop(path);
    },
  };
}

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
