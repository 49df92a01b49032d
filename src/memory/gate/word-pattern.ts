/** Patterns of whole words by language, for text in small letters: one expression, quick to compile and to run. */

/** A letter of the alphabets that put spaces between words. */
export const LETTER = '[a-z\u00df-\u024f\u0400-\u04ff]';

/** Where nothing is put between words, or endings are joined to them, a pattern holds anywhere. */
const ANYWHERE: ReadonlySet<string> = new Set(['zh', 'ja', 'ko']);

/** One expression for the patterns of all languages; `any` takes part without the edges of words. */
export function wordPattern(languages: Readonly<Record<string, string>>, flags = ''): RegExp {
  const entries = Object.entries(languages);
  const isWhole = ([language]: readonly [string, string]) => !ANYWHERE.has(language) && language !== 'any';
  const whole = entries.filter(isWhole).map(([, pattern]) => pattern);
  const loose = entries.filter((entry) => !isWhole(entry)).map(([, pattern]) => pattern);
  const words = whole.length === 0 ? [] : [`(?<!${LETTER})(?:${whole.join('|')})(?!${LETTER})`];
  return new RegExp([...words, ...loose].join('|'), flags);
}
