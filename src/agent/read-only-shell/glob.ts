/** Turns a word with globs into the names it stands for, looking only into folders that may be read. */

import { opendirSync } from 'node:fs';
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

// Patterns of file names as bash reads them: star, question mark and brackets; matched without backtracking into the past.

/** A character of a word, and whether quotes took its meaning. */
interface Letter {
  readonly character: string;
  readonly isQuoted: boolean;
}

interface LetterSet {
  readonly isNegated: boolean;
  /** First and last of each range, as code points. */
  readonly ranges: readonly (readonly [number, number])[];
}

type GlobPart = 'any-text' | 'any-character' | string | LetterSet;

function parseGlob(letters: readonly Letter[]): GlobPart[] {
  const parts: GlobPart[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const { character, isQuoted } = letters[at]!;
    if (isQuoted) parts.push(character);
    else if (character === '*') parts.push('any-text');
    else if (character === '?') parts.push('any-character');
    else if (character === '[') {
      const { set, close } = parseSet(letters, at);
      parts.push(set);
      at = close;
    } else parts.push(character);
  }
  return parts;
}

function parseSet(letters: readonly Letter[], open: number): { readonly set: LetterSet; readonly close: number } {
  const is = (at: number, wanted: string) => letters[at]?.character === wanted && !letters[at]?.isQuoted;
  const isNegated = is(open + 1, '!') || is(open + 1, '^');
  const start = open + (isNegated ? 2 : 1);
  const ranges: (readonly [number, number])[] = [];
  for (let at = start; at < letters.length; at += 1) {
    if (is(at, ']') && at > start) return { set: { isNegated, ranges }, close: at };
    if (is(at, '['))
      refuse('a class such as [:alpha:] in a glob is not understood; quote the word, or list the letters');
    const from = letters[at]!.character.codePointAt(0)!;
    const isRange = is(at + 1, '-') && at + 2 < letters.length && !is(at + 2, ']');
    if (isRange) at += 2;
    ranges.push([from, letters[at]!.character.codePointAt(0)!]);
  }
  return refuse('a [ is not closed by ]; quote it if it is meant as it stands');
}

function matchesGlob(name: string, parts: readonly GlobPart[]): boolean {
  // A pattern that does not begin with the dot itself never shows hidden files.
  if (name.startsWith('.') && parts[0] !== '.') return false;
  const characters = [...name];
  let at = 0;
  let part = 0;
  // Only the last star is ever widened: that is enough, and keeps hostile patterns from taking long.
  let star = { part: -1, at: 0 };
  while (at < characters.length) {
    if (parts[part] === 'any-text') {
      star = { part, at };
      part += 1;
    } else if (part < parts.length && matchesPart(characters[at]!, parts[part]!)) {
      at += 1;
      part += 1;
    } else if (star.part >= 0) {
      star = { part: star.part, at: star.at + 1 };
      at = star.at;
      part = star.part + 1;
    } else return false;
  }
  return parts.slice(part).every((each) => each === 'any-text');
}

function matchesPart(character: string, part: GlobPart): boolean {
  if (part === 'any-character') return true;
  if (typeof part === 'string') return part === character;
  const code = character.codePointAt(0)!;
  return part.ranges.some(([first, last]) => first <= code && code <= last) !== part.isNegated;
}
