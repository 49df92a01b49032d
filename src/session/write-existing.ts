/** The memories that a write has to be compared with, found among thousands without keeping the conversation waiting. */

import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withAbsoluteDates } from '../lib/relative-dates.ts';
import type { Limits } from '../limits.ts';
import type { ExistingMemory } from '../memory/gate/index.ts';
import { normalise } from '../memory/gate/normalise.ts';
import type { MemoryScope } from '../memory/taxonomy.ts';
import type { Memory, MemoryEntry } from './memory.ts';

export interface ExistingFacts {
  readonly scope: MemoryScope;
  readonly file: string;
  readonly body: string;
  readonly limits: Pick<Limits, 'gate'>;
}

/** The memory that is updated, and those that end alike: of all others a text cannot be a copy. */
export async function existingFor(memory: Memory, facts: ExistingFacts): Promise<readonly ExistingMemory[]> {
  const ending = endingOf(facts.body);
  const found: ExistingMemory[] = [];
  let sliceEndsMs = performance.now() + facts.limits.gate.sliceMs;
  for (const entry of await memory.list()) {
    const isUpdated = entry.scope === facts.scope && entry.file === facts.file;
    if (isUpdated || endsWith(entry, ending)) found.push(existingOf(entry, facts.scope));
    if (performance.now() < sliceEndsMs) continue;
    await nextTurn();
    sliceEndsMs = performance.now() + facts.limits.gate.sliceMs;
  }
  return found;
}

/** A file of the other scope goes by its path: names may be the same in both. */
function existingOf(entry: MemoryEntry, scope: MemoryScope): ExistingMemory {
  const { type, name, description, body } = entry;
  return { file: entry.scope === scope ? entry.file : entry.path, type: type ?? '', name, description, body };
}

const ENDING_CHARACTERS = 24;
/** More than the ending, since blanks and signs at its edge go when it is evened out. */
const READ_CHARACTERS = 400;
const ANY_DAY = new Date(2001, 0, 3, 12);

/** Null where dates are still to be made absolute: then nobody knows yet how it will end. */
function endingOf(body: string): string | null {
  return withAbsoluteDates(body, ANY_DAY) === body ? normalise(body).slice(-ENDING_CHARACTERS) : null;
}

/** The body is the end of its file: no front matter has to be read for it. */
function endsWith({ path }: MemoryEntry, ending: string | null): boolean {
  if (ending === null) return true;
  if (ending === '') return false;
  try {
    const end = readFileSync(path, 'utf8').trimEnd().slice(-READ_CHARACTERS);
    return normalise(end).endsWith(ending);
  } catch {
    return false;
  }
}
