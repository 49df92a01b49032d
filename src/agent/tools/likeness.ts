/** How alike two short texts are, for "did you mean": the share of letter pairs they have in common. */

const ENOUGH = 0.5;
/** Of a longer text the rest is not compared: it is no name that somebody mistyped. */
const COMPARED_CHARACTERS = 100;
const COMPARED_NAMES = 5_000;

/** How alike others are to one text, from 0 to 1, whatever the case and the white space. */
export function likenessTo(one: string): (other: string) => number {
  const pairs = pairsOf(one);
  const size = sizeOf(pairs);
  return (other) => {
    const others = pairsOf(other);
    const total = size + sizeOf(others);
    if (total === 0) return one === other ? 1 : 0;
    let common = 0;
    for (const [pair, count] of pairs) common += Math.min(count, others.get(pair) ?? 0);
    return (2 * common) / total;
  };
}

/** The names that somebody may have meant, nearest first; among very many only the first are looked at. */
export function nearest(word: string, names: readonly string[], most = 1): readonly string[] {
  const score = likenessTo(word);
  return names
    .slice(0, COMPARED_NAMES)
    .map((name) => ({ name, score: score(name) }))
    .filter(({ score }) => score >= ENOUGH)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ name }) => name);
}

function pairsOf(text: string): Map<string, number> {
  const letters = text.slice(0, COMPARED_CHARACTERS).toLowerCase().replace(/\s+/g, '');
  const padded = `^${letters}$`;
  const pairs = new Map<string, number>();
  if (letters === '') return pairs;
  for (let at = 0; at + 1 < padded.length; at++) {
    const pair = padded.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function sizeOf(pairs: Map<string, number>): number {
  let size = 0;
  for (const count of pairs.values()) size += count;
  return size;
}
