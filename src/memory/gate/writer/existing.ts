/** The memories that a write has to be compared with, found through the index: looking at each of thousands took most of a second. */

import { isOwnScope, type MemoryScope, type MemorySource } from '../../../base/taxonomy.ts';
import type { Memory, MemoryEntry } from '../../memory.ts';
import type { ExistingMemory } from '../index.ts';

/** Memories nearest to a write that it is compared with, and characters of it by which they are looked for. */
const COMPARED_MEMORIES = 30;
const COMPARED_CHARACTERS = 2_000;

export interface ExistingFacts {
  readonly scope: MemoryScope;
  readonly file: string;
  readonly body: string;
}

/** The memory that is updated, and those nearest to the text: a copy of it is the nearest there is. */
export async function existingFor(memory: Memory, facts: ExistingFacts): Promise<readonly ExistingMemory[]> {
  const { scope, file, body } = facts;
  const query = body.slice(0, COMPARED_CHARACTERS);
  const nearest = await memory.rank(query, { limit: COMPARED_MEMORIES });
  const updated = file === '' ? null : await memory.get(file, { scope }).catch(() => null);
  const others = nearest.filter((entry) => entry.scope !== updated?.scope || entry.file !== updated.file);
  return [...(updated === null ? [] : [updated]), ...others].map((entry) => existingOf(entry, scope));
}

/** The memory that goes by this name among those of `existingFor`, which were named for a writer to `scope`; null if it was forgotten since. */
export async function entryNamed(name: string, facts: { readonly memory: Memory; readonly scope: MemoryScope }) {
  const entries = await facts.memory.list();
  return entries.find(({ scope, file, path }) => (scope === facts.scope ? file : path) === name) ?? null;
}

/** A colleague's memory is theirs, whatever this user says. */
export function sourceFor({ scope, source }: Pick<MemoryEntry, 'scope' | 'source'>): { source?: MemorySource } {
  return isOwnScope(scope) ? { source } : {};
}

/** A file of the other scope goes by its path: names may be the same in both. The body is read when it is asked for. */
function existingOf(entry: MemoryEntry, scope: MemoryScope): ExistingMemory {
  const { type, name, description } = entry;
  return {
    ...{ file: entry.scope === scope ? entry.file : entry.path, type: type ?? '', name, description },
    ...sourceFor(entry),
    get body() {
      return entry.body;
    },
  };
}
