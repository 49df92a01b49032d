/** How alike two short texts are, for "did you mean": the share of letter pairs they have in common. */

const ENOUGH = 0.5;
/** Of a longer text the rest is not compared: it is no name that somebody mistyped. */
const COMPARED_CHARACTERS = 200;

/** From 0 to 1, whatever the case and the white space. */
export function likeness(one: string, other: string): number {
  const pairs = pairsOf(one);
  const others = pairsOf(other);
  const total = sizeOf(pairs) + sizeOf(others);
  if (total === 0) return one === other ? 1 : 0;
  let common = 0;
  for (const [pair, count] of pairs) common += Math.min(count, others.get(pair) ?? 0);
  return (2 * common) / total;
}

/** The names that somebody may have meant, nearest first. */
export function nearest(word: string, names: readonly string[], most = 1): readonly string[] {
  return names
    .map((name) => ({ name, score: likeness(word, name) }))
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
  return [...pairs.values()].reduce((sum, count) => sum + count, 0);
}
