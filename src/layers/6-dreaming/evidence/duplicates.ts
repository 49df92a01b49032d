/** Memories that say the same, or nearly: told by their words alone, for a dreamer to look at. */

import { inTurns, type Steps } from '../../../base/async/in-turns.ts';
import { normalise } from '../../../memory/gate/normalise.ts';
import type { BaseMemory } from '../index.ts';

/** Share of the words of both that they have in common. */
const ALIKE_SHARE = 0.55;
/** Fewer words are alike by chance. */
const LEAST_WORDS = 5;

/** A line a pair, the most alike first. In turns: a conversation may go on beside this. */
export function duplicatesAmong(memories: readonly BaseMemory[]): Promise<readonly string[]> {
  return inTurns(comparing(memories));
}

function* comparing(memories: readonly BaseMemory[]): Steps<readonly string[]> {
  const read: { readonly file: string; readonly body: string; readonly words: ReadonlySet<string> }[] = [];
  for (const { file, name, description, body } of memories) {
    read.push({ file, body: normalise(body), words: wordsOf(`${name} ${description} ${body}`) });
    yield;
  }
  const pairs: { readonly share: number; readonly line: string }[] = [];
  for (const [position, one] of read.entries()) {
    yield;
    for (const other of read.slice(position + 1)) {
      const isSame = one.body !== '' && one.body === other.body;
      const share = isSame ? 1 : shareOf(one.words, other.words);
      if (share >= ALIKE_SHARE) pairs.push({ share, line: lineOf([one.file, other.file], { isSame, share }) });
    }
  }
  return pairs.toSorted((one, other) => other.share - one.share).map(({ line }) => line);
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  // Too short to tell, or too unlike in length to reach the share.
  if (few.size < LEAST_WORDS || few.size / many.size < ALIKE_SHARE) return 0;
  const common = countCommon(few, many);
  return common / (few.size + many.size - common);
}

/** Gives up once too many words were missed to be alike: most pairs are told by their first words. */
function countCommon(few: ReadonlySet<string>, many: ReadonlySet<string>): number {
  const least = (ALIKE_SHARE * (few.size + many.size)) / (1 + ALIKE_SHARE);
  const mayMiss = few.size - least;
  let common = 0;
  let missed = 0;
  for (const word of few) {
    if (many.has(word)) common += 1;
    else missed += 1;
    if (missed > mayMiss) return 0;
  }
  return common;
}

function lineOf(files: readonly string[], { isSame, share }: { readonly isSame: boolean; readonly share: number }) {
  return `${files.join(' and ')}: ${isSame ? 'the same text' : `${Math.round(share * 100)} % of their words`}`;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(normalise(text).match(/[\p{L}\p{N}_]{2,}/gu) ?? []);
}
