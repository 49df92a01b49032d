/** Turns a word with globs into the names it stands for, looking only into folders that may be read. */

import { opendirSync } from 'node:fs';
import { type GlobPart, type Letter, matchesGlob, parseGlob } from './glob-pattern.ts';
import { locate, type Places } from './place.ts';
import { refuse } from './refuse.ts';
import type { Word } from './word.ts';

/** How many more folder entries and words this line may have. */
export interface GlobBudget {
  entries: number;
  words: number;
}

/** Sorted; the word as it stands when nothing matches, as bash does. */
export function expandGlob(word: Word, places: Places, budget: GlobBudget): readonly string[] {
  let found = [''];
  for (const [position, letters] of splitAtSlashes(word).entries()) {
    const separator = position === 0 ? '' : '/';
    const text = letters.map((letter) => letter.character).join('');
    const isPattern = letters.some((letter) => !letter.isQuoted && '*?['.includes(letter.character));
    if (isPattern) {
      const parts = parseGlob(letters);
      found = found.flatMap((base) => matchingNames(`${base}${separator}`, { parts, places, budget }));
    } else {
      found = found.map((base) => `${base}${separator}${text}`);
    }
    if (found.length > budget.words) refuse('a glob stands for too many names; make it narrower, or use find');
  }
  const present = found.filter((path) => locate(path, places).kind !== 'missing').sort(byCodePoint);
  return present.length === 0 ? [word.text] : present;
}

function splitAtSlashes(word: Word): Letter[][] {
  const components: Letter[][] = [[]];
  for (const { text, isQuoted } of word.pieces) {
    for (const character of text) {
      if (character === '/') components.push([]);
      else components.at(-1)!.push({ character, isQuoted });
    }
  }
  return components;
}

function matchingNames(
  base: string,
  look: { readonly parts: readonly GlobPart[]; readonly places: Places; readonly budget: GlobBudget },
): string[] {
  const place = locate(base === '' ? '.' : base, look.places);
  if (place.kind !== 'folder') return [];
  const names: string[] = [];
  const folder = opendirSync(place.real);
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      look.budget.entries -= 1;
      if (look.budget.entries < 0) refuse('a glob looks into folders with too many entries; use find with -maxdepth');
      if (matchesGlob(entry.name, look.parts)) names.push(`${base}${entry.name}`);
    }
  } finally {
    folder.closeSync();
  }
  return names;
}

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
