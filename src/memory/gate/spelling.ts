/** Words as people mistype them and run them together: "wendsdays", "nightshifts". */

/** In a short word one letter makes another word of it: `now` and `not`. */
const SHORT_WORD = 5;
/** In a word as long as this two letters may be wrong. */
const LONG_WORD = 8;

/** One letter too many, too few, another, or two that changed places; never in a number. */
export function isSlip(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= SHORT_WORD && !/\d/.test(one + other) && slipsBetween(one, other) <= 1;
}

/** A slip, or two in a long word, behind the same first letter. */
export function isMisspelt(one: string, other: string): boolean {
  if (one[0] !== other[0]) return false;
  const isLong = Math.min(one.length, other.length) >= LONG_WORD;
  return isSlip(one, other) || (isLong && !/\d/.test(one + other) && slipsBetween(one, other) <= 2);
}

/** How many letters are too many, too few, others or swapped; three stands for more. */
function slipsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let slips = Math.min(last[column]! + 1, now[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwapped) slips = Math.min(slips, before[column - 2]! + 1);
      now.push(slips);
    }
    before = last;
    last = now;
  }
  return Math.min(3, last[other.length]!);
}

/** Finds what a word may have been meant as, among the words that are wanted. */
export interface Speller {
  /** `previous` is the word before it, with which it may be one. */
  meant(key: string, previous: string | null): readonly string[];
}

/** `neighbours` are pairs of wanted words that stand side by side, and may be run together. */
export function createSpeller(wanted: Iterable<string>, neighbours: readonly (readonly [string, string])[]): Speller {
  const words = [...wanted].filter((key) => /^\p{L}{4,}$/u.test(key));
  const known = new Set(words);
  const joined = new Map(neighbours.map((pair) => [pair.join(''), pair]));
  const byLetter = groupByLetter(words);
  return {
    meant(key, previous) {
      const pair = joined.get(key);
      if (pair !== undefined) return pair;
      if (previous !== null && known.has(previous + key)) return [previous + key];
      return (byLetter.get(key[0] ?? '') ?? []).filter((word) => isMisspelt(word, key));
    },
  };
}

function groupByLetter(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const word of words) groups.set(word[0]!, [...(groups.get(word[0]!) ?? []), word]);
  return groups;
}
