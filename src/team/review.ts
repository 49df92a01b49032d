/** Which of the colleagues' new memories may contradict this user's, or one another; each pair is asked about once. */

import { hashOf } from '../disk/contents.ts';
import type { MemoryEntry } from '../memory/memory.ts';
import { findCandidates, pairKey, type Statement } from './contradictions.ts';
import type { TeamNews } from './news.ts';

export interface ContradictionPair {
  readonly one: MemoryEntry;
  readonly other: MemoryEntry;
  /** For the record that it was asked. */
  readonly key: string;
}

/** Characters of the body that tell what a memory is about. */
const BODY_CHARACTERS = 600;
const HASH_CHARACTERS = 12;

export function findContradictions(facts: {
  readonly entries: readonly MemoryEntry[];
  readonly news: readonly TeamNews[];
  readonly asked: readonly string[];
}): readonly ContradictionPair[] {
  const fresh = new Set(facts.news.map(({ file }) => file));
  const holding = facts.entries.filter(({ supersededBy, refuted }) => supersededBy === null && refuted === null);
  const byKey = new Map(holding.map((entry) => [statementOf(entry).key, entry]));
  const isNew = ({ scope, file }: MemoryEntry) => scope === 'team' && fresh.has(file);
  const pairs = findCandidates({
    newcomers: holding.filter(isNew).map(statementOf),
    others: holding.filter((entry) => !isNew(entry)).map(statementOf),
    asked: new Set(facts.asked),
  });
  return pairs.map(({ one, other }) => ({ one: byKey.get(one)!, other: byKey.get(other)!, key: pairKey(one, other) }));
}

function statementOf(entry: MemoryEntry): Statement {
  const text = `${entry.name}. ${entry.description}\n${entry.body.slice(0, BODY_CHARACTERS)}`;
  const hash = hashOf(Buffer.from(text)).slice(0, HASH_CHARACTERS);
  return { key: `${entry.scope}:${entry.file}@${hash}`, text };
}
