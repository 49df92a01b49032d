/** Why a text to be replaced was not found: what the model most likely got wrong, and where the file has nearly that. */

import { linesOf } from './file-text.ts';
import { likenessTo } from './likeness.ts';
import { numbered } from './numbered-lines.ts';

/** Lines that are compared; in a longer file the nearest of the rest is not worth the time. */
const COMPARED_LINES = 5_000;
const NEAR_ENOUGH = 0.5;
const SHOWN_CHARACTERS = 300;
const SHOWN_LINES = 3;

export function whyNoMatch(text: string, wanted: string): string {
  const lines = linesOf(text);
  const wantedLines = linesOf(wanted);
  if (wantedLines.length > 0 && wantedLines.every((line) => /^\s*\d+\t/.test(line)))
    return 'The text begins with line numbers: leave out the numbers and the tab in front of each line.';
  const spaced = findIgnoringSpace(lines, wantedLines);
  if (spaced !== null) {
    const shown = show(lines.slice(spaced, spaced + wantedLines.length), spaced + 1);
    return `Line ${spaced + 1} differs in white space only (tabs, blanks or blank ends). The file has:\n${shown}`;
  }
  const near = nearestLine(lines, wantedLines);
  if (near === null) return 'Nothing in the file is like it. Read the file, or find the place with Grep.';
  return `The nearest line is ${near + 1}:\n${show(lines.slice(near, near + SHOWN_LINES), near + 1)}`;
}

function show(lines: readonly string[], first: number): string {
  return numbered(lines.slice(0, SHOWN_LINES), first, SHOWN_CHARACTERS).text;
}

function findIgnoringSpace(lines: readonly string[], wanted: readonly string[]): number | null {
  const squeezed = wanted.map(squeeze);
  const [first] = squeezed;
  if (first === undefined || squeezed.every((line) => line === '')) return null;
  const at = lines
    .slice(0, COMPARED_LINES)
    .findIndex(
      (line, index) =>
        squeeze(line).includes(first) &&
        squeezed.every((each, next) => next === 0 || squeeze(lines[index + next] ?? '') === each),
    );
  return at === -1 ? null : at;
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

/** Compares the first line that says something. */
function nearestLine(lines: readonly string[], wanted: readonly string[]): number | null {
  const offset = wanted.findIndex((line) => line.trim() !== '');
  const sought = wanted[offset];
  if (sought === undefined) return null;
  const scoreOf = likenessTo(sought);
  let best = { at: -1, score: NEAR_ENOUGH };
  for (const [at, line] of lines.slice(0, COMPARED_LINES).entries()) {
    if (line.trim() === '') continue;
    const score = scoreOf(line);
    if (score > best.score) best = { at, score };
  }
  return best.at === -1 ? null : best.at;
}
