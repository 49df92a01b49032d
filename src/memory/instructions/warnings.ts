/** What the user is told about instruction files that did not load as they may expect: one line each. */

import { escapeMarkup, stripInvisible } from '../../base/text/visible-text.ts';

export interface Warnings {
  leftOut(path: string, reason: string): void;
  missing(path: string, by: string): void;
  long(path: string, characters: number, most: number): void;
  invisible(path: string): void;
  emptyPaths(path: string): void;
  unusableGlob(path: string): void;
  tooMany(most: number): void;
  untrusted(path: string): void;
  pending(paths: readonly string[]): void;
  lines(): readonly string[];
}

export function createWarnings(): Warnings {
  const lines = new Set<string>();
  const outside = new Set<string>();
  const say = (line: string) => void lines.add(line);
  return {
    leftOut: (path, reason) => say(`${shown(path)} was left out: ${reason}.`),
    missing: (path, by) => say(`${shown(by)} includes ${shown(path)}, which does not exist.`),
    long: (path, characters, most) =>
      say(
        `${shown(path)} has ${number(characters)} characters, which every request carries. Keep it below ${number(most)}: move parts into .claude/rules with \`paths:\`.`,
      ),
    invisible: (path) => say(`${shown(path)} holds characters that nobody sees; they were taken out.`),
    emptyPaths: (path) => say(`${shown(path)} has a \`paths:\` without a glob, so that it always applies.`),
    unusableGlob: (path) => say(`${shown(path)} has a glob whose braces stand for too many patterns; it was left out.`),
    tooMany: (most) => say(`There are more than ${number(most)} instruction files; the rest was left out.`),
    untrusted: (path) => void outside.add(path),
    pending: (paths) => {
      if (paths.length > 0) say(`Left out until you approve it, since it lies outside the project: ${list(paths)}.`);
    },
    lines() {
      if (outside.size === 0) return [...lines];
      const line = `Left out, since it lies outside a project that you have not trusted: ${list([...outside])}. To trust it: reverie trust`;
      return [...lines, line];
    },
  };
}

function list(paths: readonly string[]): string {
  return paths.map(shown).join(', ');
}

/** On one line, whatever a file is called. */
function shown(path: string): string {
  return escapeMarkup(stripInvisible(path.replace(/\s/g, ' ')).text);
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
