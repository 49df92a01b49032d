/** "Did you mean …?": the names nearest to a mistyped one. */

const MOST_SUGGESTIONS = 3;

/** Nearest first; none when nothing is near. `partOf` gives the part of a name that people remember. */
export function nearestNames(word: string, names: readonly string[], partOf = (name: string) => name): string[] {
  const wanted = word.toLowerCase();
  const scored = [...new Set(names)].map((name) => {
    const forms = [name, partOf(name)].map((form) => distance(wanted, form.toLowerCase()));
    return { name, score: Math.min(...forms) };
  });
  const near = scored.filter(({ score }) => score <= Math.max(1, Math.floor(wanted.length / 3)));
  const containing = scored.filter(({ name }) => wanted.length >= 3 && name.toLowerCase().includes(wanted));
  const ordered = [...near].sort((one, other) => one.score - other.score);
  return [...new Set([...ordered, ...containing].map(({ name }) => name))].slice(0, MOST_SUGGESTIONS);
}

/** `did you mean a, b or c?`, or nothing. */
export function didYouMean(word: string, names: readonly string[], partOf?: (name: string) => string): string {
  const near = nearestNames(word, names, partOf);
  return near.length === 0 ? '' : `did you mean ${inWords(near, 'or')}?`;
}

export function inWords(names: readonly string[], joiner: 'and' | 'or'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${joiner} ${names.at(-1)}`;
}

/** Edit distance in which two swapped neighbours, a common typo, count once. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1;
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + change);
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) best = Math.min(best, beforeLast[column - 2]! + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}
