/** Changes single lines of MEMORY.md's text and keeps every other byte, line ends included. */

import type { IndexLine } from '../../disk/journal/change.ts';
import { readIndexLine } from './line.ts';
import { mayHideLines, type ScannedLine, scanIndexLines } from './scan.ts';

interface FoundLine {
  readonly start: number;
  /** Without the line end. */
  readonly end: number;
}

/** Replaces the line of that file, or adds one behind the last entry. */
export function setIndexLine(
  text: string,
  file: string,
  line: string,
): { text: string; before: IndexLine | null; after: IndexLine | null } {
  const found = linesOfFile(text, file)[0];
  if (found) {
    const at = lineNumber(text, found.start);
    const before = { at, text: text.slice(found.start, found.end) };
    return { text: text.slice(0, found.start) + line + text.slice(found.end), before, after: { at, text: line } };
  }
  const offset = endOfEntries(text);
  const at = lineNumber(text, offset) + (isOpenEnd(text, offset) ? 1 : 0);
  return { text: insertLine(text, { offset, line }), before: null, after: { at, text: line } };
}

/** Takes out every line of that file; `before` is the first of them. */
export function dropIndexLine(text: string, file: string): { text: string; before: IndexLine | null } {
  const taken = takeIndexLines(text, file);
  return { text: taken.text, before: taken.lines[0] ?? null };
}

/** Takes out every line of that file, one after the other; each is noted as it stood when its turn came. */
export function takeIndexLines(text: string, file: string): { text: string; lines: readonly IndexLine[] } {
  const lines: IndexLine[] = [];
  let rest = text;
  for (let found = linesOfFile(rest, file); found[0]; found = found.length > 1 ? linesOfFile(rest, file) : []) {
    const cut = cutLine(rest, found[0]);
    const line = { at: lineNumber(rest, found[0].start), text: rest.slice(found[0].start, found[0].end) };
    // Noted where a line that is put back would get another line end than it had.
    lines.push(cut.lineEnd === usualLineEnd(cut.text) ? line : { ...line, end: cut.lineEnd });
    rest = cut.text;
  }
  return { text: rest, lines };
}

/** Puts lines back that were taken out. */
export function putIndexLines(text: string, lines: readonly IndexLine[]): string {
  return lines.reduceRight(putIndexLineAt, text);
}

/** Puts a line back at its number; behind the entries when the file has become shorter than that. */
export function putIndexLineAt(text: string, line: IndexLine): string {
  const offset = offsetOfLine(text, line.at) ?? endOfEntries(text);
  return insertLine(text, { offset, line: line.text, end: line.end });
}

function insertLine(text: string, insertion: { offset: number; line: string; end?: string | undefined }): string {
  const { offset, line } = insertion;
  const end = insertion.end ?? usualLineEnd(text);
  const added = isOpenEnd(text, offset) ? end + line : line + end;
  return text.slice(0, offset) + added + text.slice(offset);
}

/** The text's last line has no line end, and the offset is behind it. */
function isOpenEnd(text: string, offset: number): boolean {
  return offset === text.length && offset > textStart(text) && lineEndBefore(text, offset) === '';
}

/**
 * A last line without a line end takes the one before it along, so that the file still ends without one; behind a blank
 * line it does not, since the blank line would be lost. `lineEnd` is what went with the line.
 */
function cutLine(text: string, line: FoundLine): { text: string; lineEnd: string } {
  const own = lineEndAt(text, line.end);
  const above = lineEndBefore(text, line.start);
  const isBelowText =
    lineEndBefore(text, line.start - above.length) === '' && line.start - above.length > textStart(text);
  const takesAbove = own === '' && above !== '' && isBelowText;
  const start = takesAbove ? line.start - above.length : line.start;
  return { text: text.slice(0, start) + text.slice(line.end + own.length), lineEnd: takesAbove ? above : own };
}

function usualLineEnd(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function lineEndAt(text: string, offset: number): string {
  if (text.startsWith('\r\n', offset)) return '\r\n';
  const character = text[offset];
  return character === '\n' || character === '\r' ? character : '';
}

function lineEndBefore(text: string, offset: number): string {
  if (offset >= 2 && text.startsWith('\r\n', offset - 2)) return '\r\n';
  const character = text[offset - 1];
  return character === '\n' || character === '\r' ? character : '';
}

/** Behind a byte order mark. */
function textStart(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}

function linesOfFile(text: string, file: string): FoundLine[] {
  const spelling = spellingsOf(file);
  if (mayHideLines(text)) {
    return scanIndexLines(text)
      .filter((line) => line.state === 'plain' && line.visible.search(spelling) >= 0)
      .filter((line) => readIndexLine(line.visible)?.file === file);
  }
  const found: FoundLine[] = [];
  for (let match = spelling.exec(text); match !== null; match = spelling.exec(text)) {
    const line = lineAround(text, match.index);
    if (readIndexLine(text.slice(line.start, line.end))?.file === file) found.push(line);
    spelling.lastIndex = line.end;
  }
  return found;
}

/** A search for the file's name in all the ways in which a link may spell it: as it is, escaped, percent-encoded. */
function spellingsOf(file: string): RegExp {
  const source = [...file].map((character) => {
    if (/[a-z0-9]/i.test(character)) return character;
    const literal = character.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
    const encoded = encodeURIComponent(character.replace(/\p{Surrogate}/u, '\ufffd'));
    const percent = encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded;
    return `(?:\\\\?${literal}|${percent.replace(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`)})`;
  });
  return new RegExp(source.join(''), 'g');
}

function lineAround(text: string, offset: number): FoundLine {
  let start = offset;
  while (start > textStart(text) && !isLineEnd(text, start - 1)) start -= 1;
  let end = offset;
  while (end < text.length && !isLineEnd(text, end)) end += 1;
  return { start, end };
}

function isLineEnd(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  return code === 10 || code === 13;
}

/** The offset behind the last entry's line; where there is none, the end of the text, or the last place that is seen. */
function endOfEntries(text: string): number {
  const isEntry = (line: string) => (readIndexLine(line)?.file ?? null) !== null;
  if (mayHideLines(text)) {
    const lines = scanIndexLines(text);
    const last = lines.findLast((line) => line.state === 'plain' && isEntry(line.visible));
    return last ? last.end + lineEndAt(text, last.end).length : endOfVisible(text, lines);
  }
  for (let end = text.length; end > textStart(text); ) {
    const trimmed = end - lineEndBefore(text, end).length;
    const line = lineAround(text, trimmed);
    if (isEntry(text.slice(line.start, line.end))) return end;
    end = line.start;
  }
  return text.length;
}

/** A code fence or comment that is never closed would swallow a line at the end: it goes before that. */
function endOfVisible(text: string, lines: readonly ScannedLine[]): number {
  if (scanIndexLines(`${text}\nx`).at(-1)?.state === 'plain') return text.length;
  const lastSeen = lines.findLastIndex((line) => line.state === 'plain');
  return lines[lastSeen + 1]?.start ?? text.length;
}

function lineNumber(text: string, offset: number): number {
  let count = 0;
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) count += 1;
    return count;
  }
  return text.slice(0, offset).match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** Null when the text has fewer lines; one behind its last line is still a place in it. */
function offsetOfLine(text: string, number: number): number | null {
  if (number === 0) return textStart(text);
  let count = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    count += 1;
    if (count === number) return index + end.length;
  }
  return isOpenEnd(text, text.length) && number === count + 1 ? text.length : null;
}
