/** Whose word a dreamt text is: never better than the lowest of its sources. */

import type { MemorySource } from '../../base/taxonomy.ts';
import { factsOf } from '../../memory/files/header.ts';
import { parseMemoryFile } from '../../memory/files/memory-file.ts';
import { keysOf, overlap, termsOf } from '../../memory/gate/terms.ts';
import { type DatedText, numbersFrom } from './numbers.ts';
import type { BaseMemory, FoundEvidence } from './proposal.ts';
import { isClauseOf, type Sentence, sentenceKeys } from './sentences.ts';

/** Lowest first. */
const RANKS: readonly MemorySource[] = ['seen', 'inferred', 'imported', 'said'];

export function isLower(one: MemorySource, other: MemorySource): boolean {
  return RANKS.indexOf(one) < RANKS.indexOf(other);
}

export function lowest(sources: readonly MemorySource[]): MemorySource | null {
  return RANKS.find((rank) => sources.includes(rank)) ?? null;
}

/** What the user said yields only to what the user said; what nobody confirmed yields to anything. */
export function yieldsTo(own: MemorySource, other: MemorySource): boolean {
  const isConfirmed = own === 'said' || own === 'imported';
  return !isConfirmed || !isLower(other, own);
}

/** A refuted or superseded memory is nobody's word any more: in another memory it would come back as a fact. */
export function isFact({ file, text }: Pick<BaseMemory, 'file' | 'text'>): boolean {
  const { body: _body, ...parsed } = parseMemoryFile(Buffer.from(text));
  const { refuted, supersededBy } = factsOf(file, parsed);
  return refuted === null && supersededBy === null;
}

/** A source text of a change, and whose word it is there. */
export interface Origin extends DatedText {
  readonly source: MemorySource;
}

/** What a passage counts as when it is in no memory. */
export function sourceOfVoice({ from }: Extract<FoundEvidence, { kind: 'found' }>['passage']): MemorySource {
  return from === 'user' ? 'said' : from === 'assistant' ? 'inferred' : 'seen';
}

/** A sentence from a memory, and the one that says it now: the dreamer's claim, accepted if the two share words. */
export interface Rewording {
  readonly was: string;
  /** The day from which relative dates in it count. */
  readonly day: string;
  readonly now: string;
  readonly source: MemorySource;
}

export type Trace = (sentence: Sentence) => MemorySource | null;

export interface TraceFacts {
  readonly origins: readonly Origin[];
  readonly rewordings: readonly Rewording[];
  /** Share of its words that a sentence must take from there. */
  readonly share: number;
}

/** Terms that two wordings of one thing have in common. */
const SHARED = 2;

/**
 * Whose word a sentence is: of the text it is in, else of those whose words it uses, the best asked first, so that a
 * lower one that is merely mentioned drags nothing down. Null when it rests on none of them, or names a number that none of them has.
 */
export function tracing({ origins, rewordings, share }: TraceFacts): Trace {
  const ranked = [...RANKS].reverse().map((source) => {
    const text = origins.flatMap((origin) => (origin.source === source ? [origin.text] : [])).join('\n');
    return { source, keys: [...sentenceKeys(text)], words: keysOf(text) };
  });
  const isNumbered = numbersFrom([...origins, ...rewordings.map(({ was, day }) => ({ text: was, day }))]);
  return ({ key, text }) => {
    const literal = ranked.find(({ keys }) => keys.some((each) => each === key || isClauseOf(key, each)));
    if (literal !== undefined) return literal.source;
    if (!isNumbered(text)) return null;
    const terms = termsOf(text);
    const words = new Set<string>();
    for (const rank of ranked) {
      for (const word of rank.words) words.add(word);
      if (rank.words.size > 0 && overlap(terms, words).share >= share) return rank.source;
    }
    return lowest(
      rewordings.flatMap(({ was, now, source }) => {
        const isIt = sentenceKeys(now).has(key) && overlap(terms, keysOf(was)).count >= Math.min(SHARED, terms.length);
        return isIt ? [source] : [];
      }),
    );
  };
}
