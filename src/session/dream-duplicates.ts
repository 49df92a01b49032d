/** Memories that say the same, or nearly: told by their words alone, for a dreamer to look at. */

import type { BaseMemory } from '../layers/6-dreaming/index.ts';
import { normalise } from '../memory/gate/normalise.ts';

/** Share of the words of both that they have in common. */
const ALIKE_SHARE = 0.55;
/** Fewer words are alike by chance. */
const LEAST_WORDS = 5;

/** A line a pair, the most alike first. */
export function duplicatesAmong(memories: readonly BaseMemory[]): readonly string[] {
  const read = memories.map(({ file, name, description, body }) => {
    return { file, body: normalise(body), words: wordsOf(`${name} ${description} ${body}`) };
  });
  const pairs = read.flatMap((one, position) =>
    read.slice(position + 1).flatMap((other) => {
      const isSame = one.body !== '' && one.body === other.body;
      const share = isSame ? 1 : shareOf(one.words, other.words);
      return share < ALIKE_SHARE ? [] : [{ share, line: lineOf([one.file, other.file], { isSame, share }) }];
    }),
  );
  return pairs.toSorted((one, other) => other.share - one.share).map(({ line }) => line);
}

function lineOf(files: readonly string[], { isSame, share }: { readonly isSame: boolean; readonly share: number }) {
  return `${files.join(' and ')}: ${isSame ? 'the same text' : `${Math.round(share * 100)} % of their words`}`;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(normalise(text).match(/[\p{L}\p{N}_]{2,}/gu) ?? []);
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const least = Math.min(one.size, other.size);
  // Too unlike in length to reach the share, or too short to tell.
  if (least < LEAST_WORDS || least / Math.max(one.size, other.size) < ALIKE_SHARE) return 0;
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return common / (one.size + other.size - common);
}
