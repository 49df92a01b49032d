/** Memories by what they say, so that a copy is found without a look at all of them for each write. */

import type { ExistingMemory } from '../../memory/gate/index.ts';
import { normalise } from '../../memory/gate/normalise.ts';

export interface SameTexts {
  /** Those that say exactly this. */
  of(body: string): readonly ExistingMemory[];
  add(memory: ExistingMemory): void;
}

export function sameTexts(memories: Iterable<ExistingMemory>): SameTexts {
  const byText = new Map<string, ExistingMemory[]>();
  const add = (memory: ExistingMemory) => {
    const text = normalise(memory.body);
    // Two that say nothing are no copies.
    if (text === '') return;
    const known = byText.get(text);
    if (known === undefined) byText.set(text, [memory]);
    else known.push(memory);
  };
  for (const memory of memories) add(memory);
  return { of: (body) => byText.get(normalise(body)) ?? [], add };
}
