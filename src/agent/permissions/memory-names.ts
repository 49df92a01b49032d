/** Whether a shell line names a memory folder, however it is spelt: as a word, inside a script, by variables, globs, links, or by standing in it. */

import { dirname } from 'node:path';
import { expandBraces, wildcardMatches } from './path-pattern.ts';
import { fromFolder } from './path-problem.ts';
import { fold } from './protected-paths.ts';
import type { CommandSubject, PermissionPlace, Subject } from './subject.ts';
import { isWithin } from './within.ts';

export interface NamesFacts {
  readonly place: PermissionPlace;
  readonly realPath: (path: string) => string;
}

export interface NamedMemory {
  readonly folder: string;
  /** `stands-there`: whatever the line says, it runs in that folder. */
  readonly how: 'named' | 'stands-there';
}

export function namedMemory(subject: Subject, facts: NamesFacts): NamedMemory | null {
  const { command } = subject;
  if (command === null) return null;
  const { place, realPath } = facts;
  const texts = textsOf(command, place);
  const tokens = texts.flatMap((text) => text.split(BETWEEN_PATHS)).filter((token) => token.includes('/'));
  const paths = [
    ...subject.paths.flatMap(({ given, real }) => [given, real]),
    ...tokens.map((token) => fromFolder(token, place)),
  ].map(fold);
  const written = subject.paths.flatMap(({ given, real, use }) => (use === 'write' ? [given, real] : [])).map(fold);
  const here = [place.cwd, realPath(place.cwd)].map(fold);
  const text = fold(texts.join('\n')).replace(/\/(?:\.?\/)+/g, '/');
  for (const folder of place.memoryFolders) {
    const spelt = [folder, realPath(folder)].map(fold);
    const isIn = (path: string) => spelt.some((each) => isWithin(path, each));
    if (here.some(isIn)) return { folder, how: 'stands-there' };
    const isNamed =
      paths.some((path) => isIn(path) || spelt.some((each) => isPatternFor(path, each))) ||
      written.some((path) => spelt.some((each) => isAbove(path, each, place))) ||
      spellingsOf(spelt, facts).some((spelling) => holds(text, spelling));
    if (isNamed) return { folder, how: 'named' };
  }
  return null;
}

/** Where a path ends inside of a script that another program reads. */
const BETWEEN_PATHS = /[\s"'`=,;()[\]|&<>]+/;

/** All that the line says, as it is written and as a shell would read it. */
function textsOf({ text, line, runs }: CommandSubject, place: PermissionPlace): readonly string[] {
  const words = [...line.commands, ...runs.map((each) => ({ words: each, assignments: [], redirections: [] }))].flatMap(
    (command) => [
      ...command.assignments.map(({ name, value }) => `${name}=${value}`),
      ...command.words.map((word) => word.text),
      ...command.redirections.map(({ target }) => target.text),
    ],
  );
  const known = new Map([
    ['HOME', place.userHome],
    ['PWD', place.cwd],
    ['REVERIE_HOME', place.home],
  ]);
  const expanded = words.map((word) => {
    const whole = expand(word, known);
    const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(whole);
    if (assignment !== null) known.set(assignment[1]!, assignment[2]!);
    return whole;
  });
  return [...new Set([text, expand(text, known), ...words, ...expanded])];
}

function expand(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:(\w+)|\{(\w+)[^}]*\})/g, (whole, name, braced) => known.get(name ?? braced) ?? whole);
}

/** `~/.rev*` may be the folder above it, and `{a,b}` either. */
function isPatternFor(path: string, folder: string): boolean {
  if (!/[*?[{]/.test(path)) return false;
  const wanted = folder.split('/');
  return (expandBraces(path) ?? []).some((choice) => {
    const parts = choice.split('/');
    return wanted.every((name, at) => parts[at] !== undefined && wildcardMatches(parts[at], name));
  });
}

/** Who copies into Reverie's home, or removes it, means what is below. */
function isAbove(path: string, folder: string, { home }: PermissionPlace): boolean {
  return isWithin(folder, path) && isWithin(path, fold(home));
}

/** Whole, and from the folders that scripts begin with: `Path.home() / ".reverie/memory"`. One name alone means nothing. */
function spellingsOf(spelt: readonly string[], { place, realPath }: NamesFacts): readonly string[] {
  const bases = [dirname(place.home), place.home, place.userHome, ...place.roots];
  const known = [...new Set(bases.flatMap((base) => [base, realPath(base)]).map(fold))].filter((base) => base !== '/');
  const below = known.flatMap((base) =>
    spelt.flatMap((path) => (isWithin(path, base) ? [path.slice(base.length + 1)] : [])),
  );
  return [...spelt, ...below.filter((part) => part.includes('/'))];
}

/** Not as part of a longer name: `memory-old` is another folder. */
function holds(text: string, spelling: string): boolean {
  for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + 1)) {
    const isBegun = !/[\w.-]/.test(text[at - 1] ?? ' ');
    if (isBegun && !/[\w.-]/.test(text[at + spelling.length] ?? ' ')) return true;
  }
  return false;
}
