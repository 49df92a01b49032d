/** Whose word a dreamt text is: never better than the lowest of the memories that it takes words from. */

import type { Steps } from '../../lib/in-turns.ts';
import { eachWord } from '../../memory/gate/words.ts';
import { parseMemoryFile } from '../../memory/memory-file.ts';
import { factsOf } from '../../memory/memory-header.ts';
import type { MemorySource } from '../../memory/taxonomy.ts';
import { keysOf } from './coverage.ts';
import type { BaseMemory } from './proposal.ts';

/** Lowest first. */
const RANKS: readonly MemorySource[] = ['seen', 'inferred', 'imported', 'said'];

export function isLower(one: MemorySource, other: MemorySource): boolean {
  return RANKS.indexOf(one) < RANKS.indexOf(other);
}

export function lowest(sources: readonly MemorySource[]): MemorySource | null {
  return sources.reduce<MemorySource | null>(
    (low, source) => (low === null || isLower(source, low) ? source : low),
    null,
  );
}

/** What was refuted or superseded is nobody's word any more: in another memory it would come back as a fact. */
export function isFact({ file, text }: Pick<BaseMemory, 'file' | 'text'>): boolean {
  const { body: _body, ...parsed } = parseMemoryFile(Buffer.from(text));
  const { refuted, supersededBy } = factsOf(file, parsed);
  return refuted === null && supersededBy === null;
}

/** A text that stands somewhere already, and as whose word. */
export interface Origin {
  readonly text: string;
  readonly source: MemorySource;
}

export interface Roots {
  /** The lowest source among those whose words were needed; null when none was. */
  readonly source: MemorySource | null;
  /** Every word of the text stands in one of them: nothing in it is the writer's own. */
  readonly isWhole: boolean;
}

/**
 * What a text is made of. The best sources are asked first, so that a memory counts only for words that no better one has: a
 * lower one that is merely mentioned drags nothing down. `said` are words that somebody said outside of memory. A text a step.
 */
export function* findingRoots(
  text: string,
  facts: { readonly origins: readonly Origin[]; readonly said: readonly string[] },
): Steps<Roots> {
  const missing = new Map<string, readonly string[]>();
  eachWord(text, new Map(), ({ keys }) => missing.set(keys[0]!, keys));
  function* take(texts: readonly string[]): Steps<boolean> {
    const before = missing.size;
    for (const each of texts) {
      yield;
      const held = keysOf([each]);
      for (const [first, keys] of missing) if (keys.some((key) => held.has(key))) missing.delete(first);
    }
    return missing.size < before;
  }
  let source: MemorySource | null = null;
  yield* take(facts.said);
  for (const rank of [...RANKS].reverse()) {
    const texts = facts.origins.filter((origin) => origin.source === rank).map((origin) => origin.text);
    if (yield* take(texts)) source = rank;
  }
  return { source, isWhole: missing.size === 0 };
}
