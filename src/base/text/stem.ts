/** English words to their stems, lightly: enough that "running" matches "run" and "policies" matches "policy", no more. */

const ENDINGS = ['ing', 'ed', 'ly', 'er', 'or', 'ion', 'ment', 'ness'];
/** In a short word these are usually not an ending: "over", "door", "lion". */
const NOUN_ENDINGS = new Set(['er', 'or', 'ion', 'ment', 'ness']);

export function stem(word: string): string {
  if (word.length <= 3 || /[^a-z]/.test(word)) return word;
  return evenOut(withoutEnding(singular(word)));
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  return word.endsWith('s') && !/(ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    const shortest = NOUN_ENDINGS.has(ending) ? 4 : 3;
    if (rest.length < shortest || !/[aeiouy]/.test(rest)) continue;
    return /([^aeiouls])\1$/.test(rest) ? rest.slice(0, -1) : rest;
  }
  return word;
}

/** "note" and "noting", "happy" and "happily" end alike. */
function evenOut(word: string): string {
  const bare = word.endsWith('e') && word.length > 3 ? word.slice(0, -1) : word;
  return bare.endsWith('y') && bare.length > 3 ? `${bare.slice(0, -1)}i` : bare;
}
