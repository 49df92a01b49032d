/** Watches memory folders, those too that are not there yet; dot folders hold no memories and are left alone. */

import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MemoryScope } from '../base/taxonomy.ts';
import { LIMITS, MCP_LIMITS } from '../limits.ts';
import type { Memory } from '../memory/memory.ts';

export interface FolderEvents {
  /** A file below the folder of a scope came, went or changed; null when it is not known which. */
  onTouched(scope: MemoryScope, file: string | null): void;
  /** Something cannot be watched: from now on it has to be looked at now and then. */
  onBlind(reason: string): void;
}

export interface FolderWatch {
  /** Takes in what has come since, and lets go of what has gone. */
  refresh(): void;
  close(): void;
}

export function watchFolders(folders: Memory['folders'], events: FolderEvents): FolderWatch {
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
      events.onBlind(error instanceof Error ? error.message : String(error));
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
    if (prefix.split('/').length > LIMITS.path.depth) return;
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
