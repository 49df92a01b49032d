/** Lists of words, written short. */

/** Words separated by spaces; `liar//s` is liar and liars. Looking them up needs no pattern, which would take long to compile. */
export function formsOf(words: string): ReadonlySet<string> {
  const all = words.split(/\s+/).filter((word) => word !== '');
  return new Set(
    all.flatMap((word) => {
      const [stem, ...endings] = word.split('/');
      return endings.length === 0 ? [word] : endings.map((ending) => stem + ending);
    }),
  );
}
