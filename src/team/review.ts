/** Which of the colleagues' new memories may contradict this user's, or one another. It proposes; a person decides. */

import { setImmediate } from 'node:timers/promises';
import { hashOf } from '../disk/contents.ts';
import { keyOf } from '../memory/key.ts';
import type { Memory, MemoryEntry } from '../memory/memory.ts';
import { findCandidates, pairKey, type Statement } from './contradictions.ts';

export interface ContradictionPair {
  /** The colleague's that is new. */
  readonly one: MemoryEntry;
  readonly other: MemoryEntry;
  /** For the record that it was asked. */
  readonly key: string;
}

/** Characters of the body that tell what a memory is about, and of the question that finds its neighbours. */
const BODY_CHARACTERS = 600;
const QUESTION_CHARACTERS = 300;
const HASH_CHARACTERS = 12;
/** Each is compared with so many that recall ranks nearest to it; more share no subject with it. */
const NEIGHBOURS = 12;
/** A pull that brings more is looked at in parts. */
export const MOST_NEWCOMERS = 500;

/** `fresh`: files of the team's that are new to this user. In steps, since a conversation may go on beside it. */
export async function findContradictions(facts: {
  readonly memory: Pick<Memory, 'list' | 'rank'>;
  readonly fresh: ReadonlySet<string>;
  readonly asked: readonly string[];
  readonly isStopped?: () => boolean;
}): Promise<readonly ContradictionPair[]> {
  const listed = (await facts.memory.list()).filter(({ scope, file }) => scope === 'team' && facts.fresh.has(file));
  const newcomers = listed.filter(isFact).slice(0, MOST_NEWCOMERS);
  const entries = new Map<string, MemoryEntry>();
  const statements = new Map<string, Statement>();
  const statementFor = (entry: MemoryEntry): Statement => {
    const known = statements.get(keyOf(entry));
    if (known !== undefined) return known;
    const made = statementOf(entry);
    statements.set(keyOf(entry), made);
    entries.set(made.key, entry);
    return made;
  };
  const pairs: (readonly [Statement, Statement])[] = [];
  for (const newcomer of newcomers) {
    if (facts.isStopped?.() === true) return [];
    const question = `${newcomer.name}. ${newcomer.description}`.slice(0, QUESTION_CHARACTERS);
    const near = await facts.memory.rank(question, { limit: NEIGHBOURS });
    const one = statementFor(newcomer);
    pairs.push(...near.filter(isFact).map((other) => [one, statementFor(other)] as const));
    await setImmediate();
  }
  const found = findCandidates({ pairs, asked: new Set(facts.asked) });
  return found.map(({ one, other }) => ({
    ...{ one: entries.get(one)!, other: entries.get(other)! },
    key: pairKey(one, other),
  }));
}

function isFact({ supersededBy, refuted }: MemoryEntry): boolean {
  return supersededBy === null && refuted === null;
}

function statementOf(entry: MemoryEntry): Statement {
  const text = `${entry.name}. ${entry.description}\n${entry.body.slice(0, BODY_CHARACTERS)}`;
  const hash = hashOf(Buffer.from(text)).slice(0, HASH_CHARACTERS);
  return { key: `${entry.scope}:${entry.file}@${hash}`, text };
}
