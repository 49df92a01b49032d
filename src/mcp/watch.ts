/** Notices that memories changed, whoever changed them: the folders are watched, and what happens is gathered for a moment. */

import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, MCP_LIMITS } from '../limits.ts';
import type { MemoryScope } from '../memory/taxonomy.ts';
import { INDEX_FILE } from '../memory/walk.ts';
import type { Memory } from '../session/memory.ts';
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

export interface MemoryWatch {
  close(): void;
}

export function watchMemory(memory: Memory, options: WatchOptions): MemoryWatch {
  const watchers = new Map<string, FSWatcher>();
  const touched = new Set<string>();
  let listed: Map<string, Listed> | null = null;
  let gathering: NodeJS.Timeout | null = null;
  let isBlind = false;
  let isClosed = false;

  function watchBelow(scope: MemoryScope, folder: string, prefix = ''): void {
    const root = join(folder, prefix);
    if (!watchers.has(root)) watchOne(scope, folder, prefix);
    if (prefix.split('/').length > LIMITS.path.depth) return;
    for (const name of foldersIn(root)) watchBelow(scope, folder, `${prefix}${name}/`);
  }

  function watchOne(scope: MemoryScope, folder: string, prefix: string): void {
    const root = join(folder, prefix);
    if (!existsSync(root)) return;
    if (watchers.size >= MCP_LIMITS.watchedFolders) {
      goBlind(`more than ${MCP_LIMITS.watchedFolders} folders`);
      return;
    }
    try {
      const watcher = watch(root, { persistent: false }, (_event, name) => {
        if (name?.startsWith('.')) return;
        if (name?.endsWith('.md')) touched.add(uriOf(scope, prefix + name));
        gather();
      });
      watcher.on('error', (error) => {
        drop(root);
        goBlind(error.message);
      });
      watchers.set(root, watcher);
    } catch (error) {
      goBlind(error instanceof Error ? error.message : String(error));
    }
  }

  /** What cannot be watched is looked at now and then. */
  function goBlind(reason: string): void {
    if (!isBlind) options.onProblem(`Not every memory folder can be watched (${reason}); changes are noticed later.`);
    isBlind = true;
  }

  function drop(root: string): void {
    watchers.get(root)?.close();
    watchers.delete(root);
  }

  function watchAll(): void {
    for (const root of watchers.keys()) if (!existsSync(root)) drop(root);
    for (const [scope, folder] of Object.entries(memory.folders)) watchBelow(scope as MemoryScope, folder);
  }

  function gather(): void {
    if (isClosed || gathering !== null) return;
    gathering = setTimeout(() => {
      gathering = null;
      tell().catch((error: unknown) => options.onProblem(`Changes could not be told: ${String(error)}`));
    }, MCP_LIMITS.gatherMs).unref();
  }

  async function tell(): Promise<void> {
    watchAll();
    const uris = new Set(touched);
    touched.clear();
    const now = await listing(memory);
    if (isClosed) return;
    const before = listed ?? now;
    const isFirst = listed === null;
    listed = now;
    const changed = changedUris(before, now);
    for (const uri of changed.uris) uris.add(uri);
    // Nothing was known before the first look, so that whatever was touched may be new.
    const listChanged = changed.listChanged || (isFirst && uris.size > 0);
    if (listChanged || uris.size > 0) options.onChange({ listChanged, uris: [...uris].sort() });
  }

  watchAll();
  const lookingAgain = setInterval(() => {
    const isComing = Object.values(memory.folders).some(
      (folder) => existsSync(folder) && !watchers.has(join(folder, '')),
    );
    if (isBlind || isComing) gather();
  }, MCP_LIMITS.lookAgainMs).unref();

  return {
    close() {
      isClosed = true;
      clearInterval(lookingAgain);
      if (gathering !== null) clearTimeout(gathering);
      for (const root of [...watchers.keys()]) drop(root);
    },
  };
}

interface Listed {
  /** What the list of resources shows. */
  readonly shown: string;
  readonly modified: string;
}

async function listing(memory: Memory): Promise<Map<string, Listed>> {
  const entries = await memory.list();
  return new Map(
    entries.map(({ scope, file, name, description, type, pinned, modified }) => {
      return [memoryUri(scope, file), { shown: JSON.stringify([name, description, type, pinned]), modified }];
    }),
  );
}

function changedUris(before: Map<string, Listed>, now: Map<string, Listed>): MemoryChange {
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

function foldersIn(root: string): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
