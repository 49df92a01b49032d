/** What Anthropic's memory tool shows of files and folders, and how it edits a text; the wording is the documented one. Pure. */

import type { FolderEntry } from '../../memory/memory.ts';

/** The documented most that a file may have to be shown. */
const MOST_LINES = 999_999;
const NUMBER_WIDTH = String(MOST_LINES).length;
const LEVELS_SHOWN = 2;
const UNITS = ['B', 'K', 'M', 'G'];
/** Lines shown above and below a replacement. */
const CONTEXT_LINES = 2;

/** `folder` is a path below the memory folder, empty for the memory folder itself; `shownAs` is how the model calls it. */
export function showFolder(entries: readonly FolderEntry[], place: { folder: string; shownAs: string }): string {
  const { folder, shownAs } = place;
  const prefix = folder === '' ? '' : `${folder}/`;
  const below = entries.filter(({ path }) => path.startsWith(prefix));
  const total = below.reduce((sum, { kind, bytes }) => sum + (kind === 'file' ? bytes : 0), 0);
  const lines = below.flatMap(({ path, kind, bytes }) => {
    const name = path.slice(prefix.length);
    const isShown = name.split('/').length <= LEVELS_SHOWN;
    return isShown ? [`${readableSize(bytes)}\t${shownAs}/${name}${kind === 'folder' ? '/' : ''}`] : [];
  });
  return [
    `Here're the files and directories up to 2 levels deep in ${shownAs}, excluding hidden items and node_modules:`,
    `${readableSize(total)}\t${shownAs}`,
    ...lines,
  ].join('\n');
}

function readableSize(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return power === 0 ? `${bytes}B` : `${(bytes / 1024 ** power).toFixed(1)}${UNITS[power]}`;
}

export function showFile(text: string, place: { shownAs: string; range?: readonly number[] | undefined }): string {
  const lines = text.split('\n');
  if (lines.length > MOST_LINES) {
    throw new Error(`File ${place.shownAs} exceeds maximum line limit of ${MOST_LINES.toLocaleString('en')} lines.`);
  }
  const [from = 1, to = -1] = place.range ?? [];
  const first = Math.max(1, from);
  const last = to === -1 ? lines.length : Math.min(to, lines.length);
  if (first > last) {
    throw new Error(
      `Invalid \`view_range\` parameter: [${from}, ${to}]. It should be within the range of lines of the file: [1, ${lines.length}]`,
    );
  }
  return `Here's the content of ${place.shownAs} with line numbers:\n${numbered(lines, { first, last })}`;
}

/** One-based lines of a text, each behind its number. */
function numbered(lines: readonly string[], range: { first: number; last: number }): string {
  return lines
    .slice(range.first - 1, range.last)
    .map((line, index) => `${String(range.first + index).padStart(NUMBER_WIDTH)}\t${line}`)
    .join('\n');
}

/** Replaces the only occurrence; none or several change nothing, as nobody could say which was meant. */
export function replaceOnce(
  text: string,
  request: { old: string; new: string; shownAs: string },
): { text: string; snippet: string } {
  const lineNumbers = linesHolding(text, request.old);
  const [firstLine] = lineNumbers;
  if (firstLine === undefined) {
    throw new Error(
      `No replacement was performed, old_str \`${request.old}\` did not appear verbatim in ${request.shownAs}.`,
    );
  }
  if (lineNumbers.length > 1) {
    const lines = [...new Set(lineNumbers)].join(', ');
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${request.old}\` in lines: ${lines}. Please ensure it is unique`,
    );
  }
  const replaced = text.replace(request.old, () => request.new);
  const lines = replaced.split('\n');
  const lastLine = firstLine + request.new.split('\n').length - 1;
  const range = { first: Math.max(1, firstLine - CONTEXT_LINES), last: lastLine + CONTEXT_LINES };
  return { text: replaced, snippet: numbered(lines, range) };
}

/** One-based lines that a passage begins in, once for each place, those that overlap included; an empty one is nowhere. */
function linesHolding(text: string, passage: string): number[] {
  const found: number[] = [];
  if (passage === '') return found;
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + 1)) {
    for (; counted < at; counted += 1) if (text[counted] === '\n') line += 1;
    found.push(line);
  }
  return found;
}

/** Puts text behind the line of that number; 0 is before the first. */
export function insertBehind(text: string, request: { line: number; text: string }): string {
  const lines = text.split('\n');
  if (request.line < 0 || request.line > lines.length) {
    throw new Error(
      `Invalid \`insert_line\` parameter: ${request.line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  }
  return lines.toSpliced(request.line, 0, request.text.replace(/\n$/, '')).join('\n');
}
