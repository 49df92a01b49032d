/** What each group of texts is about: the words that it has and the others do not. */

import type { Steps } from '../../base/async/in-turns.ts';

/** Words of one label. */
const LABEL_WORDS = 3;
/** A word that is in so few texts of a group names none. */
const LEAST_SHARE = 0.1;

/** Words that a label is chosen from. */
const CANDIDATES = 8;

export function* labelsOf(
  texts: readonly string[],
  groups: ArrayLike<number>,
  facts: {
    readonly count: number;
    /** How much a word says by itself. */
    readonly weightOf: (word: string) => number;
  },
): Steps<readonly string[]> {
  const everywhere = new Map<string, number>();
  const inGroup = Array.from({ length: facts.count }, () => new Map<string, number>());
  const sizes = new Array<number>(facts.count).fill(0);
  for (const [at, text] of texts.entries()) {
    if (at % 50 === 0) yield;
    const group = groups[at]!;
    sizes[group]! += 1;
    for (const word of new Set(wordsOf(text))) {
      everywhere.set(word, (everywhere.get(word) ?? 0) + 1);
      inGroup[group]!.set(word, (inGroup[group]!.get(word) ?? 0) + 1);
    }
  }
  const candidates: Scored[][] = [];
  for (const [group, words] of inGroup.entries()) {
    yield;
    const size = Math.max(1, sizes[group]!);
    const scored = [...words].flatMap(([word, times]) => {
      const share = times / size;
      if (share < LEAST_SHARE) return [];
      const usual = everywhere.get(word)! / texts.length;
      // One group alone has no others to differ from.
      const telling = facts.count === 1 ? 1 : Math.log(share / usual);
      return [{ word, score: share * telling * facts.weightOf(word) }];
    });
    candidates.push(scored.sort(byScore).slice(0, CANDIDATES));
  }
  // What many groups could be called names none of them.
  const claims = new Map<string, number>();
  for (const { word } of candidates.flat()) claims.set(word, (claims.get(word) ?? 0) + 1);
  return candidates.map((words) => {
    const scored = words.map(({ word, score }) => ({ word, score: score / claims.get(word)! }));
    return distinct(scored.sort(byScore).map(({ word }) => word)).join(', ');
  });
}

interface Scored {
  readonly word: string;
  readonly score: number;
}

function byScore(one: Scored, other: Scored): number {
  return other.score - one.score || (one.word < other.word ? -1 : 1);
}

/** Without one that another begins with: `deploy` and `deploys` say the same. */
function distinct(words: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const word of words) {
    if (kept.length === LABEL_WORDS) break;
    if (!kept.some((other) => other.startsWith(word.slice(0, 5)) || word.startsWith(other.slice(0, 5))))
      kept.push(word);
  }
  return kept;
}

/** Numbers name single texts, not groups. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}\p{N}_]*/gu)
      ?.filter((word) => word.length > 2) ?? []
  );
}
