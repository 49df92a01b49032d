/** A memory's key in a conversation: `scope:file`. */

import type { MemoryScope } from '../base/taxonomy.ts';
import { findInMemory } from './in-memory.ts';
import type { Memory } from './memory.ts';

/** The memory at a path, by its real place; null for any other file. */
export function keyOfPath(memory: Memory, path: string): string | null {
  const found = findInMemory(memory, path);
  return found === null || found.file === '' ? null : keyOf(found);
}

export function keyOf({ scope, file }: { readonly scope: MemoryScope; readonly file: string }): string {
  return `${scope}:${file}`;
}

export function placeOf(key: string): { readonly scope: MemoryScope; readonly file: string } {
  const colon = key.indexOf(':');
  return { scope: key.slice(0, colon) as MemoryScope, file: key.slice(colon + 1) };
}
