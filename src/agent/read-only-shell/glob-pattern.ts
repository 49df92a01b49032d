/** Patterns of file names as bash reads them: star, question mark and brackets; matched without backtracking into the past. */

import { refuse } from './refuse.ts';

/** A character of a word, and whether quotes took its meaning. */
export interface Letter {
  readonly character: string;
  readonly isQuoted: boolean;
}

interface LetterSet {
  readonly isNegated: boolean;
  /** First and last of each range, as code points. */
  readonly ranges: readonly (readonly [number, number])[];
}

export type GlobPart = 'any-text' | 'any-character' | string | LetterSet;

export function parseGlob(letters: readonly Letter[]): GlobPart[] {
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

export function matchesGlob(name: string, parts: readonly GlobPart[]): boolean {
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
