/** Finds what a memory claims to exist: file paths and code identifiers. Better to miss one than to call a plain word gone. */

import { withoutFences } from '../../base/markdown/marks.ts';
import type { Limits } from '../../limits.ts';
import {
  COMMON_CODE_WORDS,
  DERIVED_FOLDERS,
  FILE_ENDINGS,
  LIBRARIES_WITH_ENDINGS,
  NAMED_FILES,
  NOTATIONS,
  OTHER_THINGS,
  PROJECT_FOLDERS,
  ROUTE_FOLDERS,
  SYSTEM_FOLDERS,
  UNMISTAKABLE_ENDINGS,
} from './words.ts';

export interface Claims {
  /** As written, without a line number after it. */
  readonly paths: readonly string[];
  readonly identifiers: readonly string[];
  /** Claims beyond the limit, which are not checked. */
  readonly omitted?: number;
}

/** More than is ever shown of one memory. */
const SEARCHED_CHARACTERS = 16_384;
const ADDRESS = /(?:https?|ssh|git|ftp|file|wss?|postgres|mysql|redis):\/\/\S+|(?<!\S)\S+@[\w-]+\.[\w.-]+/gi;
const CODE_SPAN = /(?<!`)(`{1,3})(?!`)([^`\n]+)\1(?!`)/g;

const PATH = /^(?:~\/|\/|(?:\.{1,2}\/)+)?[\p{L}\p{N}_.@+()[\]-]+(?:\/[\p{L}\p{N}_.@+()[\]-]+)*\/?$/u;
const LINE_SUFFIX = /(?::\d+(?::\d+|-\d+)?|#L\d+(?:-L?\d+)?|\(\d+(?:,\d+)?\))$/;
const DOMAIN = /\.(?:com|org|net|io|dev|co|ai|app|cloud|internal|local|de|cn|uk|fr|eu|us|me|sh|rs)$/i;
const MEMORY_FILE = /(?:^|\/)(?:MEMORY|(?:user|feedback|project|reference)_[^/]*)\.md$/;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Two humps, the first with at least two letters: `iPhone`, `macOS` and `gRPC` are not code. */
const CAMEL_CASE = /^[a-z]{2}[a-z0-9]*(?:[A-Z][a-z0-9]*)*[A-Z][a-z][A-Za-z0-9]*$/;
const PASCAL_CASE = /^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+$/;
const SNAKE_CASE = /^_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*$/;

/** How many claims are taken from one memory, and how long one may be. */
export type ClaimLimits = Pick<Limits['recall'], 'claims' | 'headerCharacters'>;

export function claimsIn(text: string, limits: ClaimLimits): Claims & { readonly omitted: number } {
  const { claims, headerCharacters: longest } = limits;
  const paths = new Set<string>();
  const identifiers = new Set<string>();
  // A fenced block holds an example or an output, not a claim.
  const prose = withoutFences(text.slice(0, SEARCHED_CHARACTERS))
    .replace(ADDRESS, ' ')
    .replace(CODE_SPAN, (match, _ticks, span: string, at: number, whole: string) => {
      const besides = wordsBeside(whole, { from: at, to: at + match.length });
      const isOtherThing = besides.some((each) => OTHER_THINGS.has(each));
      readSpan(span.trim(), { paths, identifiers, longest, isOtherThing });
      return ' ';
    });
  for (const word of prose.split(/[\s,;"'“”‘’|<>]+/)) readWord(word, { paths, identifiers, longest });
  const omitted = Math.max(0, paths.size - claims) + Math.max(0, identifiers.size - claims);
  return { paths: [...paths].slice(0, claims), identifiers: [...identifiers].slice(0, claims), omitted };
}

interface Found {
  readonly paths: Set<string>;
  readonly identifiers: Set<string>;
  /** Characters of one claim. */
  readonly longest: number;
}

function readSpan(span: string, found: Found & { readonly isOtherThing: boolean }): void {
  const parts = span.split(/\s+/);
  if (parts.length > 1 && !/^[\w$.:]+\(.*\)$/.test(span)) {
    // A command line: its words are its own, but a file that it names is a claim.
    for (const part of parts) addPath(part, found, isPath(part, { ...found, place: 'prose' }));
    return;
  }
  if (addPath(span, found, isPath(withoutLine(span), { ...found, place: 'code' }))) return;
  const called = /^([\w$.:]+)\(.*\)$/.exec(span)?.[1];
  const name = lastPart(called ?? span);
  if (!IDENTIFIER.test(name) || name.length < 3) return;
  const isNamed = called !== undefined || isWrittenAsCode(name, found) || PASCAL_CASE.test(name) || span.includes('::');
  if (isNamed || (!found.isOtherThing && isPlainIdentifier(name))) found.identifiers.add(name);
}

function readWord(word: string, found: Found): void {
  const bare = word.replace(/^[([{*_]+(?=[^_])/, '').replace(/[)\]}*.:!?…]+$/, '');
  if (addPath(bare, found, isPath(withoutLine(bare), { ...found, place: 'prose' }))) return;
  const name = bare.replace(/\($/, '');
  if (isWrittenAsCode(name, found)) found.identifiers.add(name);
}

function addPath(written: string, found: Found, isOne: boolean): boolean {
  const path = withoutLine(written);
  if (isOne && !MEMORY_FILE.test(path)) found.paths.add(path);
  return isOne;
}

function withoutLine(path: string): string {
  return path.replace(LINE_SUFFIX, '');
}

function isPath(word: string, { place, longest }: Pick<Found, 'longest'> & { place: 'code' | 'prose' }): boolean {
  if (word.length > longest || !PATH.test(word) || word.includes('...')) return false;
  const parts = word.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined || first.startsWith('@')) return false;
  if (DERIVED_FOLDERS.has(first) || word.includes('path/to')) return false;
  const ending = NAMED_FILES.has(last) ? 'named' : endingOf(last);
  if (word.startsWith('~/')) return true;
  if (word.startsWith('/'))
    return parts.length > 1 && (SYSTEM_FOLDERS.has(first) || (ending !== null && !ROUTE_FOLDERS.has(first)));
  if (parts.length === 1 && !word.includes('/')) return isFileName(last, { ending, place });
  if (DOMAIN.test(first)) return false;
  if (ending !== null) return true;
  return place === 'code' && (word.startsWith('.') || word.endsWith('/') || PROJECT_FOLDERS.has(first));
}

function isFileName(name: string, facts: { ending: string | null; place: 'code' | 'prose' }): boolean {
  if (facts.ending === null || LIBRARIES_WITH_ENDINGS.has(name.toLowerCase())) return false;
  if (facts.place === 'code') return true;
  return UNMISTAKABLE_ENDINGS.has(facts.ending) && /^[\w.-]+$/.test(name);
}

/** The extension of a file name, if it is one that files have. */
function endingOf(name: string): string | null {
  const ending = /[^.]\.([A-Za-z][A-Za-z0-9]*)$/.exec(name)?.[1]?.toLowerCase();
  return ending !== undefined && FILE_ENDINGS.has(ending) ? ending : null;
}

function isWrittenAsCode(name: string, { longest }: Pick<Found, 'longest'>): boolean {
  if (name.length > longest || NOTATIONS.has(name)) return false;
  return CAMEL_CASE.test(name) || SNAKE_CASE.test(name);
}

function isPlainIdentifier(name: string): boolean {
  return name.length >= 4 && /^[A-Za-z]+$/.test(name) && !COMMON_CODE_WORDS.has(name.toLowerCase());
}

function lastPart(name: string): string {
  return name.split(/\.|::|#/).at(-1) ?? name;
}

function wordsBeside(text: string, span: { readonly from: number; readonly to: number }): readonly string[] {
  const before = /([a-z]+)\W{1,2}$/i.exec(text.slice(Math.max(0, span.from - 20), span.from))?.[1];
  const after = /^\W{1,2}([a-z]+)/i.exec(text.slice(span.to, span.to + 20))?.[1];
  return [before, after].flatMap((word) =>
    word === undefined ? [] : [word.toLowerCase().replace(/s$/, ''), word.toLowerCase()],
  );
}
